"""The rules of Secret Hitler as pure functions: no Django, no clock, no language, no I/O.

Names follow the rulebook. An `Action` is a request, an `Event` is a result, a `GameState` is an
immutable position, and `apply` is the only way to get from one position to the next.
"""
