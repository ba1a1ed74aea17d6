"""Statistics over all games of the site: who wins, how long games last, who lies and votes how."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Sum

from games.models import Pace, SiteTally
from games.panels.tallies import LEAST_GAMES, Conduct, Length, MonthChart, Tally, months_of
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS, Role
from games.rules.editions import EDITIONS

# Seconds. The newest games can wait.
_KEPT_FOR: Final = 600
_KEY: Final = "site-statistics"
# The last number of rounds of each class of lengths; longer games are a class of their own.
_LENGTHS: Final = (4, 6, 8, 10, 12)
_SUMS: Final = (
    *("games", "won", "rounds", "seconds"),
    *("claims", "lies", "lies_caught", "ballots", "right_ballots"),
)

_Sums = dict[str, int]


@dataclass(frozen=True, slots=True)
class Share:
    """How often the liberals won; in the other games the fascists won."""

    # An edition; "" in other shares.
    edition: str
    # 0 in shares that are not by number of players.
    players: int
    liberals: Tally
    # A number of rounds, such as "5–6"; "" in other shares.
    rounds: str = ""

    @property
    def is_told(self) -> bool:
        return self.liberals.games >= LEAST_GAMES

    @property
    def fascist_share(self) -> float:
        return 1 - self.liberals.share


@dataclass(frozen=True, slots=True)
class SeatShare:
    """How often people in a place won, each counted for themselves."""

    # A role, or the number of a seat from 1.
    place: str
    tally: Tally

    @property
    def is_told(self) -> bool:
        return self.tally.games >= LEAST_GAMES


@dataclass(frozen=True, slots=True)
class SiteStatistics:
    together: Share
    by_edition: tuple[Share, ...]
    by_players: tuple[Share, ...]
    # By ending: the number of all counted games, and of those that ended so.
    endings: tuple[tuple[str, Tally], ...]
    by_rounds: tuple[Share, ...] = ()
    by_role: tuple[SeatShare, ...] = ()
    by_seat: tuple[SeatShare, ...] = ()
    lengths: tuple[Length, ...] = ()
    conduct: tuple[Conduct, ...] = ()
    # Won are the games that the liberals won.
    months: MonthChart | None = None


def site_statistics() -> SiteStatistics:
    """Return the statistics of games between people that ended by the rules, without house rules.

    Two queries, or none while the result is cached.
    """
    counted = cache.get(_KEY)
    if counted is None:
        counted = _counted()
        cache.set(_KEY, counted, timeout=_KEPT_FOR)
    rows, months = counted
    kinds = SiteTally.Dimension
    sums: defaultdict[str, dict[str, _Sums]] = defaultdict(dict)
    for dimension, value, *numbers in rows:
        if numbers[0]:
            sums[dimension][value] = dict(zip(_SUMS, numbers, strict=True))

    def tallies(kind: str) -> dict[str, Tally]:
        return {value: Tally(row["games"], row["won"]) for value, row in sums[kind].items()}

    together = tallies(kinds.ALL).get("", Tally())
    editions, players, roles = tallies(kinds.EDITION), tallies(kinds.SIZE), tallies(kinds.ROLE)
    endings = {ending: tally.games for ending, tally in tallies(kinds.ENDING).items()}
    lengths = sums[kinds.ALL] | {pace: sums[kinds.PACE].get(pace, {}) for pace in Pace.values}
    return SiteStatistics(
        Share("", 0, together),
        tuple(Share(code, 0, editions[code]) for code in EDITIONS if code in editions),
        tuple(
            Share("", number, players[str(number)])
            for number in range(LEAST_PLAYERS, MOST_PLAYERS + 1)
            if str(number) in players
        ),
        tuple((ending, Tally(together.games, games)) for ending, games in sorted(endings.items())),
        by_rounds=_by_rounds(tallies(kinds.ROUNDS)),
        by_role=tuple(SeatShare(role, roles[role]) for role in Role if role in roles),
        by_seat=tuple(
            SeatShare(seat, tally)
            for seat, tally in sorted(tallies(kinds.SEAT).items(), key=lambda item: int(item[0]))
        ),
        lengths=tuple(
            Length(pace, Tally(row["games"], row["won"]), row["rounds"], row["seconds"])
            for pace, row in lengths.items()
            if row
        ),
        conduct=tuple(
            conduct_of(role, sums[kinds.ROLE][role]) for role in Role if role in sums[kinds.ROLE]
        ),
        months=months_of({month: Tally(games, won) for month, games, won in months if games}),
    )


def conduct_of(role: str, row: _Sums) -> Conduct:
    names = ("games", "claims", "lies", "lies_caught", "ballots", "right_ballots")
    return Conduct(role, **{name: row[name] for name in names})


def _by_rounds(tallies: dict[str, Tally]) -> tuple[Share, ...]:
    shares = []
    first = 1
    for last in (*_LENGTHS, None):
        found = _together(
            tally
            for rounds, tally in tallies.items()
            if first <= int(rounds) and (last is None or int(rounds) <= last)
        )
        if found.games:
            name = f"{first}+" if last is None else f"{first}–{last}"
            shares.append(Share("", 0, found, rounds=name))
        first = (last or 0) + 1
    return tuple(shares)


def _together(tallies: Iterable[Tally]) -> Tally:
    return sum(tallies, Tally())


def _counted() -> tuple[list[tuple[Any, ...]], list[tuple[date, int, int]]]:
    """Sum the months. The number of rows grows with the months, not with the games."""
    rows = SiteTally.objects.values_list("dimension", "value")
    months = SiteTally.objects.filter(dimension=SiteTally.Dimension.ALL)
    return (
        list(rows.annotate(*(Sum(name) for name in _SUMS)).order_by()),
        list(months.values_list("month", "games", "won").order_by("month")),
    )
