"""What people of each role usually do: weights by circumstance, fitted to games of people.

A ballot, a policy and a veto are choices between two actions; a nomination and the target of a
power are picks among seats. Both are logistic models: the weights of the circumstances that hold
are added up.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from games.rules.components import Role

from .situation import Features

FORMAT: Final = "chancellery-habits"
VERSION: Final = 1
STANDARD: Final = Path(__file__).with_name("habits.json")


class Habits:
    """The weights by choice and role, for example of "vote" by a liberal."""

    def __init__(
        self, weights: Mapping[str, Mapping[str, float]], about: Mapping[str, Any] | None = None
    ) -> None:
        self.weights = weights
        self.about = dict(about or {})

    def score(self, choice: str, role: Role, features: Features) -> float:
        """Return the log odds of a choice, or of a pick up to a constant."""
        weights = self.weights.get(key_of(choice, role), {})
        return sum(weights.get(name, 0.0) * value for name, value in features.items())

    def data(self) -> dict[str, Any]:
        """Return the weights as the file's JSON."""
        weights = {
            key: {name: round(value, 3) for name, value in sorted(of_choice.items())}
            for key, of_choice in sorted(self.weights.items())
        }
        return {"format": FORMAT, "version": VERSION, **self.about, "weights": weights}


def key_of(choice: str, role: Role) -> str:
    return f"{choice} {role}"


def standard_habits() -> Habits:
    """Return the habits that bots play by: those that come with the program, unless replaced."""
    return _replaced[-1] if _replaced else _read_standard()


@contextmanager
def playing_by(habits: Habits) -> Iterator[None]:
    """Let all bots of this process play by other habits during the block."""
    _replaced.append(habits)
    try:
        yield
    finally:
        _replaced.pop()


_replaced: Final[list[Habits]] = []


@cache
def _read_standard() -> Habits:
    data = json.loads(STANDARD.read_text(encoding="utf-8"))
    if data.get("format") != FORMAT or data.get("version") != VERSION:
        raise ValueError("not a file of habits that this version reads")
    return Habits(data["weights"])
