"""The game of Secret Hitler as pure functions: no Django, no clock, no language, no I/O.

The words are the rulebook's. An `Action` is asked for, an `Event` has happened, a
`GameState` is a frozen position, and `apply` is the only way from one to the next.
"""
