"""Whether this run tries everything, as `make nightly` does, or what every change must pass."""

import os

NIGHTLY = bool(os.environ.get("NIGHTLY"))


def times(variable: str, usual: int, nightly: int) -> int:
    """Return how often to try something: `variable` of the environment, or one of the numbers."""
    return int(os.environ.get(variable) or (nightly if NIGHTLY else usual))
