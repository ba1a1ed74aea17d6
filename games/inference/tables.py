"""The model of play: small tables of how often people did what, read from a data file.

A *choice table* answers: with which probability does a player in these circumstances do this? Its
circumstances are a list that goes from the most to the least important. A *pull table* answers:
how much more often than evenly is a seat with this role chosen by a player with that role?

The file holds counts. Rare circumstances are shrunk towards the same ones without the last item,
so that a cell with few games says little that its neighbours do not say.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from .assignments import ROLES

FORMAT: Final = "chancellery-evidence-tables"
VERSION: Final = 1
STANDARD: Final = Path(__file__).with_name("tables.json")

# The kinds of evidence. Each has an exponent in the file: how much of its weight counts.
KINDS: Final = (
    "session",
    # Ballots before and after Hitler's election can end the game.
    "vote_early",
    "vote_armed",
    "welcome",
    "nominate",
    "investigate",
    "report",
    "call",
    "execute",
)

# The possible outcomes of each choice table. Silence is none of them: a player who has claimed
# nothing yet may still do so, and in the games of people silence says little.
OUTCOMES: Final[dict[str, tuple[str, ...]]] = {
    # The President's discard, where there is a choice.
    "discard": ("liberal", "fascist"),
    # The Chancellor's policy, where there is a choice.
    "enact": ("liberal", "fascist"),
    # What becomes of a veto, once it is unlocked.
    "veto": ("none", "refused", "accepted"),
    # The number of liberal policies that the President claims to have drawn.
    "drawn": ("0", "1", "2", "3"),
    # The number of liberal policies that the Chancellor claims to have received.
    "received": ("0", "1", "2"),
    # The number of liberal policies that a President claims to have seen by a peek.
    "peeked": ("0", "1", "2", "3"),
    # The party that the President reports after an investigation.
    "reported": ("liberal", "fascist"),
    "vote": ("ja", "nein"),
    # How many of the voters outside a proposed government vote Ja, from few to most.
    "welcome": ("0", "1", "2", "3"),
}
PULLS: Final = ("nominate", "investigate", "call", "execute")

Circumstances = tuple[str, ...]
Choices = dict[str, dict[Circumstances, dict[str, int]]]
# By circumstances, and then by the role of the target: how many were chosen, and how many would
# have been if the choice were even.
Pulls = dict[str, dict[Circumstances, list[list[float]]]]


class TablesError(ValueError):
    """The data is not a file of tables that this version reads."""


class Tables:
    """The tables and exponents, with probabilities computed when they are first asked for."""

    def __init__(
        self,
        choices: Mapping[str, Mapping[Circumstances, Mapping[str, int]]],
        pulls: Mapping[str, Mapping[Circumstances, list[list[float]]]],
        exponents: Mapping[str, float],
        shrinkage: Mapping[str, float],
    ) -> None:
        self.choices = choices
        self.pulls = pulls
        self.exponents = dict(exponents)
        self.shrinkage = dict(shrinkage)
        self._sums = {name: _with_shorter(choices.get(name, {})) for name in OUTCOMES}
        self._pull_sums = {name: _pull_sums(pulls.get(name, {})) for name in PULLS}
        self._probabilities: dict[tuple[str, Circumstances, str], float] = {}
        self._pulls: dict[tuple[str, Circumstances], tuple[float, ...]] = {}

    def probability(self, name: str, where: Circumstances, outcome: str) -> float:
        """Return the probability of an outcome; never 0, because people do everything once."""
        key = name, where, outcome
        found = self._probabilities.get(key)
        if found is None:
            found = self._probabilities[key] = self._shrunk(name, where, outcome)
        return found

    def _shrunk(self, name: str, where: Circumstances, outcome: str) -> float:
        sums, prior = self._sums[name], self.shrinkage["choice"]
        result = 1 / len(OUTCOMES[name])
        for length in range(len(where) + 1):
            counts = sums.get(where[:length])
            if counts is not None:
                # At the top there is one count for each outcome to start with.
                strength = prior if length else len(OUTCOMES[name])
                total = sum(counts.values())
                result = (counts.get(outcome, 0) + strength * result) / (total + strength)
        return result

    def pull(self, name: str, where: Circumstances) -> tuple[float, ...]:
        """Return by role of the target how much more often than evenly it is chosen."""
        key = name, where
        found = self._pulls.get(key)
        if found is None:
            prior = self.shrinkage["pull"]
            counts = self._pull_sums[name].get(where, [[0.0, 0.0]] * len(ROLES))
            found = tuple((chosen + prior) / (even + prior) for chosen, even in counts)
            self._pulls[key] = found
        return found


def read_tables(data: object) -> Tables:
    """Return the tables in a file's JSON. Raises TablesError."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise TablesError("not a file of tables")
    if data.get("version") != VERSION:
        raise TablesError(f"version {data.get('version')!r}; this program reads {VERSION}")
    try:
        choices = {
            name: {tuple(where.split()): dict(counts) for where, counts in table.items()}
            for name, table in data["choices"].items()
        }
        pulls = {
            name: {tuple(where.split()): counts for where, counts in table.items()}
            for name, table in data["pulls"].items()
        }
        exponents = {kind: float(data["exponents"][kind]) for kind in KINDS}
        shrinkage = {name: float(data["shrinkage"][name]) for name in ("choice", "pull")}
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise TablesError(f"something is missing or wrong: {error}") from error
    return Tables(choices, pulls, exponents, shrinkage)


@cache
def standard_tables() -> Tables:
    """Return the tables that come with the program."""
    return read_tables(json.loads(STANDARD.read_text(encoding="utf-8")))


def _with_shorter(
    table: Mapping[Circumstances, Mapping[str, int]],
) -> dict[Circumstances, dict[str, int]]:
    """Return the counts for each list of circumstances and for each of its beginnings."""
    sums: dict[Circumstances, dict[str, int]] = {}
    for where, counts in table.items():
        for length in range(len(where) + 1):
            into = sums.setdefault(where[:length], {})
            for outcome, count in counts.items():
                into[outcome] = into.get(outcome, 0) + count
    return sums


def _pull_sums(
    table: Mapping[Circumstances, list[list[float]]],
) -> dict[Circumstances, list[list[float]]]:
    return {where: [list(pair) for pair in counts] for where, counts in table.items()}
