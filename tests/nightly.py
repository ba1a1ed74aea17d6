"""Whether this run tries everything, as `make nightly` does, or what every change must pass."""

import os
from collections.abc import Iterable
from typing import Any

import pytest

NIGHTLY = bool(os.environ.get("NIGHTLY"))


def by_day(count: int, cases: Iterable[Any]) -> list[Any]:
    """Return the cases of a test, all marked `nightly` but `count` of them, evenly spread."""
    every = list(cases)
    kept = {number * len(every) // count for number in range(count)}
    return [
        case if number in kept else pytest.param(*_values(case), marks=pytest.mark.nightly)
        for number, case in enumerate(every)
    ]


def _values(case: Any) -> tuple[Any, ...]:
    return case if isinstance(case, tuple) else (case,)


def times(variable: str, usual: int, nightly: int) -> int:
    """Return how often to try something: `variable` of the environment, or one of the numbers."""
    return int(os.environ.get(variable) or (nightly if NIGHTLY else usual))
