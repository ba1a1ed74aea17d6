"""Whether two players vote alike beyond what their table explains.

Only elections count in which the two were on opposite sides, neither held an office, and the other
ballots differed: a player who shares no aim with another has no reason to vote like them there. How
often two of n voters agree when k of them say Ja follows from n and k alone, so a table in one mood
makes no pair suspicious. A player who says Ja more often than others agrees with their like; the
covariance takes this out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from math import sqrt
from typing import Final

JA: Final = "j"
NEIN: Final = "n"
# No ballot that tells anything: of the dead, of an officer, or cast by the clock.
SILENT: Final = "-"

# Contested elections of a pair, below which nothing is said; and how far the pair must stand out,
# in standard deviations and as a correlation.
_LEAST_ELECTIONS: Final = 20
_LEAST_DEVIATIONS: Final = 4.0
_LEAST_CORRELATION: Final = 0.3
# Most pairs have met less often than this, and cost nothing.
_LEAST_GAMES: Final = 4
# With fewer voters the tally alone says how a pair voted.
_LEAST_VOTERS: Final = 3


@dataclass(frozen=True, slots=True)
class Agreement:
    """How two players voted in contested elections: sums that can be added up."""

    elections: int = 0
    # Equal ballots.
    equal: int = 0
    # How much more often than the table each said Ja, and the product beyond what is expected.
    one: float = 0.0
    other: float = 0.0
    both: float = 0.0
    # The variances of one ballot, and of the product.
    spread: float = 0.0
    variance: float = 0.0

    def __add__(self, more: "Agreement") -> "Agreement":
        return Agreement(
            self.elections + more.elections,
            self.equal + more.equal,
            self.one + more.one,
            self.other + more.other,
            self.both + more.both,
            self.spread + more.spread,
            self.variance + more.variance,
        )

    @property
    def stands_out(self) -> bool:
        if self.elections < _LEAST_ELECTIONS or self.variance == 0:
            return False
        excess = self.both - self.one * self.other / self.elections
        return (
            excess >= _LEAST_DEVIATIONS * sqrt(self.variance)
            and excess >= _LEAST_CORRELATION * self.spread
        )

    @property
    def percent(self) -> int:
        return round(100 * self.equal / self.elections) if self.elections else 0


_NOTHING: Final = Agreement()


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Votes:
    """The ballots of a game: words for its elections, with a letter for each seat."""

    players: tuple[int, ...] = ()
    elections: str = ""
    # What has been asked for: few pairs meet often.
    _found: dict[tuple[int, int], Agreement] = field(default_factory=dict, compare=False)

    def between(self, one: int, other: int) -> Agreement:
        """Return how two players of this game voted."""
        if not self.elections:
            return _NOTHING
        seats = self.players.index(one), self.players.index(other)
        # Both orders share one entry: which of the two comes first makes no difference.
        key = min(seats), max(seats)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = _agreement(self.elections.split(), *key)
        return found


def percent_alike(player: int, other: int, opposed: Sequence[Votes]) -> int | None:
    """Return how often two players voted alike, in percent; None if that does not stand out.

    `opposed` are their recent games on opposite sides.
    """
    if len(opposed) < _LEAST_GAMES:
        return None
    total = sum((votes.between(player, other) for votes in opposed), start=_NOTHING)
    return total.percent if total.stands_out else None


def _agreement(elections: Sequence[str], one: int, other: int) -> Agreement:
    """Return the sums for the seats `one` and `other`."""
    total = _NOTHING
    for ballots in elections:
        if SILENT in (ballots[one], ballots[other]):
            continue
        ja = ballots.count(JA)
        voters = ja + ballots.count(NEIN)
        if voters < _LEAST_VOTERS or ja in (0, voters):
            continue
        share = ja / voters
        expected, variance = _product(voters, ja)
        first = (ballots[one] == JA) - share
        second = (ballots[other] == JA) - share
        total += Agreement(
            1,
            int(ballots[one] == ballots[other]),
            first,
            second,
            first * second - expected,
            share * (1 - share),
            variance,
        )
    return total


@cache
def _product(voters: int, ja: int) -> tuple[float, float]:
    """Return mean and variance of the product of two voters' deviations from the table's share."""
    share, pairs = ja / voters, voters * (voters - 1)
    chances = (
        (ja * (ja - 1) / pairs, (1 - share) ** 2),
        ((voters - ja) * (voters - ja - 1) / pairs, share**2),
        (2 * ja * (voters - ja) / pairs, -share * (1 - share)),
    )
    mean = sum(chance * value for chance, value in chances)
    return mean, sum(chance * (value - mean) ** 2 for chance, value in chances)
