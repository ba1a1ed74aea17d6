"""Draws: all that a bot leaves to chance comes from a function `below`.

`below(n)` returns a number from 0 to n - 1: `secrets.randbelow` in a real game, a seeded function
in a simulation.
"""

from collections.abc import Callable, Sequence
from typing import Final

Below = Callable[[int], int]

# A draw from so many numbers counts as a fraction of 1.
FINE: Final = 1 << 30


def happens(share: float, below: Below) -> bool:
    """Return True with this probability."""
    return below(FINE) < FINE * share


def drawn(weights: Sequence[float], below: Below) -> int:
    """Return the index of one weight, with a probability in proportion to it."""
    left = below(FINE) / FINE * sum(weights)
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return index
    return len(weights) - 1
