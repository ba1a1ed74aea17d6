"""Numbers that the site's statistics and a user's page both show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

# A share of fewer games means nothing, and could reveal too much about one evening's players.
LEAST_GAMES: Final = 10
# Months that a chart shows.
MOST_MONTHS: Final = 24
_WIDTH: Final = 520
_HEIGHT: Final = 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 8, 14, 34
# The part of a month's width that its bar takes, and the widest bar.
_BAR: Final = 0.7
_WIDEST: Final = 40.0


@dataclass(frozen=True, slots=True)
class Tally:
    """A number of games, and how many of them were won."""

    games: int = 0
    won: int = 0

    @property
    def share(self) -> float:
        """The share won, from 0 to 1; 0 without games."""
        return self.won / self.games if self.games else 0.0

    @property
    def lost(self) -> int:
        return self.games - self.won

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.games + other.games, self.won + other.won)


@dataclass(frozen=True, slots=True)
class Conduct:
    """Claims and ballots of seats with one role. `games.analysis.summary` says what counts."""

    # "" is all roles together.
    role: str
    games: int = 0
    claims: int = 0
    lies: int = 0
    lies_caught: int = 0
    ballots: int = 0
    right_ballots: int = 0

    @property
    def is_told(self) -> bool:
        return self.games >= LEAST_GAMES

    # Shares from 0 to 1; None if there is nothing to divide.

    @property
    def lie_share(self) -> float | None:
        return self.lies / self.claims if self.claims else None

    @property
    def caught_share(self) -> float | None:
        return self.lies_caught / self.lies if self.lies else None

    @property
    def right_share(self) -> float | None:
        return self.right_ballots / self.ballots if self.ballots else None


@dataclass(frozen=True, slots=True)
class Length:
    """How long the games of one pace lasted; "" is all paces together."""

    pace: str
    tally: Tally
    # Sums over the games.
    rounds: int
    seconds: int

    @property
    def mean_rounds(self) -> float:
        return self.rounds / self.tally.games if self.tally.games else 0.0

    @property
    def mean_time(self) -> timedelta:
        return timedelta(seconds=self.seconds // self.tally.games if self.tally.games else 0)


@dataclass(frozen=True, slots=True)
class Month:
    """The games of a month, and the bar that shows them: won at the foot, lost on top of it."""

    month: date
    tally: Tally
    x: float
    width: float
    top: float
    # Where the part of the lost games ends.
    middle: float
    foot: float = _HEIGHT - _BOTTOM

    @property
    def is_told(self) -> bool:
        return self.tally.games >= LEAST_GAMES

    @property
    def center(self) -> float:
        return round(self.x + self.width / 2, 1)

    @property
    def last_day(self) -> date:
        return _months_later(self.month, 1) - timedelta(days=1)

    @property
    def lost_share(self) -> float:
        return 1 - self.tally.share

    @property
    def height(self) -> float:
        return round(self.foot - self.top, 1)

    @property
    def won_height(self) -> float:
        return round(self.foot - self.middle, 1)

    @property
    def lost_height(self) -> float:
        return round(self.middle - self.top, 1)


@dataclass(frozen=True, slots=True)
class MonthChart:
    """Games by month, oldest first; months without games stand between others."""

    months: tuple[Month, ...]
    # The most games of a month.
    most: int
    width: int = _WIDTH
    height: int = _HEIGHT
    left: int = _LEFT
    right: int = _WIDTH - _RIGHT
    top: int = _TOP
    foot: int = _HEIGHT - _BOTTOM
    label: int = _HEIGHT - 8

    @property
    def has_told(self) -> bool:
        return any(month.is_told for month in self.months)

    @property
    def has_few(self) -> bool:
        return any(month.tally.games and not month.is_told for month in self.months)

    @property
    def newest_first(self) -> Sequence[Month]:
        return [month for month in reversed(self.months) if month.tally.games]


def months_of(tallies: Mapping[date, Tally]) -> MonthChart | None:
    """Return the chart of the newest months up to the last one with games; None without games."""
    if not tallies:
        return None
    last = max(tallies)
    first = max(min(tallies), _months_later(last, 1 - MOST_MONTHS))
    shown = [first]
    while shown[-1] < last:
        shown.append(_months_later(shown[-1], 1))
    found = [(month, tallies.get(month, Tally())) for month in shown]
    most = max(tally.games for _, tally in found)
    room = (_WIDTH - _LEFT - _RIGHT) / len(found)
    width = min(_BAR * room, _WIDEST)
    foot = _HEIGHT - _BOTTOM

    def y_of(games: int) -> float:
        return round(foot - games / most * (foot - _TOP), 1)

    bars = tuple(
        Month(
            month,
            tally,
            x=round(_LEFT + number * room + (room - width) / 2, 1),
            width=round(width, 1),
            top=y_of(tally.games),
            middle=y_of(tally.won),
        )
        for number, (month, tally) in enumerate(found)
    )
    return MonthChart(bars, most)


def _months_later(month: date, number: int) -> date:
    years, index = divmod(month.year * 12 + month.month - 1 + number, 12)
    return date(years, index + 1, 1)
