"""How good players are, as far as rated games show: numbers only, without Django.

openskill's Bradley-Terry model rates two teams, the liberals and the fascists. A player has one
skill as a liberal and another as a fascist, for live games and for games over days: four in all.
Which side the rules favour needs no parameter: the skills of that side rise until they explain it.

All functions are exact: the same games in the same order give the same floats, so taking a game
back and counting all later games anew gives what would be without it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from math import sqrt
from typing import Final

from openskill.models import BradleyTerryFull

# With the mean at 0, teams of unequal size start even: openskill adds up a team's means.
SIGMA: Final = 25 / 3
_MODEL: Final = BradleyTerryFull(mu=0.0, sigma=SIGMA, beta=SIGMA / 2)
# What players read: a newcomer has 1500 ± 200.
_CENTRE: Final = 1500
_SCALE: Final = 24
# A skill is public from this number of games on.
LEAST_GAMES: Final = 10

# Without games, the variance grows by this each week after the first two, and at each new season.
_IDLE_WEEKS: Final = 2
_WEEK: Final = 0.25
_SEASON: Final = 1.0
_QUARTERS: Final = 4

# How many of a player's last games are compared with the next one.
RECENT: Final = 30
# Opponents may recur in this share of the recent games before a game counts for less.
_FREE_SHARE: Final = 0.5
_LEAST_RECENT: Final = 10
_LEAST: Final = 0.25
# That one of two players wins all of this many games against the other is suspicious.
_ONE_SIDED: Final = 8


class Side(StrEnum):
    LIBERAL = "liberal"
    FASCIST = "fascist"


class Sign(StrEnum):
    """Why a game counts for less than others for a player."""

    # The same people again and again.
    CIRCLE = "circle"
    # One of two players has won all of their games against the other.
    ONE_SIDED = "one_sided"
    # Two accounts of one browser at the table.
    DEVICE = "device"
    # A liberal at the table played against their own side at least twice.
    THROWN = "thrown"


@dataclass(frozen=True, slots=True)
class Skill:
    mu: float = 0.0
    sigma: float = SIGMA

    @property
    def shown(self) -> int:
        return round(_CENTRE + _SCALE * self.mu)

    @property
    def margin(self) -> int:
        """One standard deviation: two times out of three the skill is within it."""
        return max(1, round(_SCALE * self.sigma))


@dataclass(frozen=True, slots=True)
class Played:
    """A player's part in an earlier game: whether they won, and with whom."""

    has_won: bool
    with_them: frozenset[int]
    against: frozenset[int]


@dataclass(frozen=True, slots=True)
class Reason:
    """A sign, with the other player that it is about, if any, and a number that explains it."""

    sign: Sign
    number: int
    other: int | None = None


@dataclass(frozen=True, slots=True)
class Weight:
    value: float = 1.0
    reasons: tuple[Reason, ...] = ()


def season_of(at: datetime) -> int:
    """Return the season of three months: the year and the quarter, such as 20264."""
    return at.year * 10 + (at.month + 2) // 3


def next_season(season: int) -> int:
    return season + 1 if season % 10 < _QUARTERS else (season // 10 + 1) * 10 + 1


def seasons_between(first: int, last: int) -> int:
    return (last // 10 - first // 10) * _QUARTERS + last % 10 - first % 10


def rested(skill: Skill, since: datetime, now: datetime) -> Skill:
    """Return the skill after a pause: its mean stays, its uncertainty grows."""
    weeks = max(0, (now - since).days // 7 - _IDLE_WEEKS)
    seasons = max(0, seasons_between(season_of(since), season_of(now)))
    variance = skill.sigma**2 + weeks * _WEEK + seasons * _SEASON
    return Skill(skill.mu, min(SIGMA, sqrt(variance)))


def rate(
    winners: Sequence[Skill], losers: Sequence[Skill], weights: Sequence[float]
) -> list[Skill]:
    """Return the skills after a game, the winners' first, each moved by the player's weight."""
    before = [*winners, *losers]
    teams = [
        [_MODEL.rating(mu=skill.mu, sigma=skill.sigma) for skill in team]
        for team in (winners, losers)
    ]
    after = [rating for team in _MODEL.rate(teams) for rating in team]
    return [
        Skill(
            old.mu + weight * (new.mu - old.mu),
            sqrt(old.sigma**2 + weight * (new.sigma**2 - old.sigma**2)),
        )
        for old, new, weight in zip(before, after, weights, strict=True)
    ]


def weigh(
    recent: Sequence[Played],
    game: Played,
    *,
    devices: Mapping[int, int],
    thrown: int,
) -> Weight:
    """Return how much a game counts for a player, and why.

    `devices` are the players at the table who share a browser with this one, with how many;
    `thrown` is how often liberals at the table played against their own side, if that is much.
    """
    value, reasons = 1.0, []
    others = game.with_them | game.against
    if len(recent) >= _LEAST_RECENT and others:
        met = sum(
            (other in then.with_them) + (other in then.against)
            for then in recent
            for other in others
        )
        share = met / (len(recent) * len(others))
        if share > _FREE_SHARE:
            value *= 1 - (1 - _LEAST) * (share - _FREE_SHARE) / (1 - _FREE_SHARE)
            reasons.append(Reason(Sign.CIRCLE, round(100 * share)))
    for other in sorted(game.against):
        wins = [then.has_won for then in recent if other in then.against]
        if len(wins) >= _ONE_SIDED and len(set(wins)) == 1:
            value *= _LEAST
            reasons.append(Reason(Sign.ONE_SIDED, len(wins), other))
    for other, shared in sorted(devices.items()):
        value *= _LEAST
        reasons.append(Reason(Sign.DEVICE, shared, other))
    if thrown:
        value *= 0.5
        reasons.append(Reason(Sign.THROWN, thrown))
    return Weight(value, tuple(reasons))
