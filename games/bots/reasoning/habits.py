"""What people of each role usually do: weights by circumstance, fitted to games of people.

A ballot, a policy and a veto are choices between two actions; a nomination and the target of a
power are picks among seats. Both are logistic models: the weights of the circumstances that hold
are added up.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from games.rules.components import Role

from .situation import Features

FORMAT: Final = "chancellery-habits"
VERSION: Final = 1
STANDARD: Final = Path(__file__).with_name("habits.json")


class Habits:
    """The weights by choice and role, for example of "vote" by a liberal."""

    def __init__(self, weights: Mapping[str, Mapping[str, float]]) -> None:
        self.weights = weights

    def score(self, choice: str, role: Role, features: Features) -> float:
        """Return the log odds of a choice, or of a pick up to a constant."""
        weights = self.weights.get(key_of(choice, role), {})
        return sum(weights.get(name, 0.0) * value for name, value in features.items())


def key_of(choice: str, role: Role) -> str:
    return f"{choice} {role}"


@cache
def standard_habits() -> Habits:
    """Return the habits that come with the program."""
    data = json.loads(STANDARD.read_text(encoding="utf-8"))
    if data.get("format") != FORMAT or data.get("version") != VERSION:
        raise ValueError("not a file of habits that this version reads")
    return Habits(data["weights"])
