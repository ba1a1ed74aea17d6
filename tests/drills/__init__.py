"""Drills on the real site: what an operator fears is done on purpose. `make drills` runs them.

A drill is a function that gets a `Report` and tells it what it expected and what it saw. It stands
in a module of this package and in `DRILLS` of `__main__.py`.
"""
