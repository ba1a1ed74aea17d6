"""The page that compares the site's deals with chance."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from games.models import FairnessReport

# Below this chance, counts are called unusual. With about twenty comparisons on the page, one
# page in fifty of a fair site has such a count.
_UNUSUAL: Final = 0.001
# A chi-square test says little where fewer than this are expected at each place.
_LEAST_EXPECTED: Final = 5


@dataclass(frozen=True, slots=True)
class Bar:
    place: int
    count: int
    # In percent of the highest bar.
    height: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Counts by place, and how often chance alone differs at least so much from equal counts."""

    players: int
    total: int
    bars: tuple[Bar, ...]
    expected: float
    chi: float
    chance: float | None

    @property
    def is_enough(self) -> bool:
        return self.expected >= _LEAST_EXPECTED and self.chance is not None

    @property
    def is_unusual(self) -> bool:
        return self.is_enough and self.chance is not None and self.chance < _UNUSUAL


@dataclass(frozen=True, slots=True)
class Fairness:
    made_at: datetime
    games: int
    first: tuple[Comparison, ...]
    hitlers: tuple[Comparison, ...]
    fascists: tuple[Comparison, ...]
    # At most one: the standard deck's.
    decks: tuple[Comparison, ...]
    called_off: int
    games_with_call_off: int


def fairness_shown(report: FairnessReport | None) -> Fairness | None:
    """Return the contents of the page; None before the first count, or without any games."""
    if report is None or not report.games:
        return None
    counts = report.counts
    return Fairness(
        made_at=report.made_at,
        games=report.games,
        first=_all(counts["tests"]["first"]),
        hitlers=_all(counts["tests"]["hitlers"]),
        fascists=_all(counts["tests"]["fascists"]),
        decks=_all([counts["deck"]] if sum(counts["deck"]["counts"]) else []),
        called_off=counts["called_off"],
        games_with_call_off=counts["games_with_call_off"],
    )


def _all(tests: list[dict[str, Any]]) -> tuple[Comparison, ...]:
    return tuple(_comparison(test) for test in tests)


def _comparison(test: dict[str, Any]) -> Comparison:
    most = max(test["counts"], default=0) or 1
    return Comparison(
        players=test["players"],
        total=sum(test["counts"]),
        bars=tuple(
            Bar(place, count, round(100 * count / most))
            for place, count in enumerate(test["counts"], start=1)
        ),
        expected=test["expected"],
        chi=test["chi"],
        chance=test["p"],
    )
