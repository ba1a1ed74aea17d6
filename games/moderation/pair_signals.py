"""Signals that two accounts at a table are one person, or play together: for moderators.

Each signal alone may be innocent: families share addresses, friends play together. Only finished
games are counted, so nothing here changes with a running game.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any, Final

from django.db.models import Count, F, QuerySet

from accounts.models import Signal
from accounts.services.signals import shared_signals
from games.models import GameAction, Motion, Ruling, Sat, Seat, Table

# How many of the newest finished games with at least two of the accounts are compared.
_GAMES: Final = 50
# An account that sits down this soon after another follows it.
_SOON: Final = timedelta(minutes=1)
_MOST_SHOWN: Final = 15
# A signal stands out from these values on.
_LEAST_BALLOTS: Final = 20
_MORE_ALIKE: Final = 0.2
_LEAST_TOGETHER: Final = 5
_LEAST_FOLLOWED: Final = 3
_HALF: Final = 0.5

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PairSignals:
    """Two accounts, and the signals that connect them."""

    first: str
    second: str
    # Number of browsers and of networks in common.
    devices: int
    addresses: int
    # Equal ballots, out of those that both cast in the same elections of the newest games; and
    # the share that is usual for two people in these games.
    equal: int
    ballots: int
    usual: float
    # Finished games with both accounts, and of each account.
    together: int
    first_games: int
    second_games: int
    # How often each sat down within a minute after the other, and at how many tables.
    first_followed: int
    second_followed: int
    joined: int

    @property
    def share(self) -> float:
        return self.equal / self.ballots if self.ballots else 0.0

    @property
    def stands_out(self) -> bool:
        fewest = min(self.first_games, self.second_games)
        followed = max(self.first_followed, self.second_followed)
        return bool(
            self.devices
            or self.addresses
            or (self.ballots >= _LEAST_BALLOTS and self.share >= self.usual + _MORE_ALIKE)
            or (self.together >= _LEAST_TOGETHER and self.together >= _HALF * fewest)
            or (followed >= _LEAST_FOLLOWED and followed >= _HALF * self.joined)
        )


def signals_at(table: Table, others: Collection[tuple[int, str]] = ()) -> tuple[PairSignals, ...]:
    """Return the pairs that stand out among the accounts that have ever had a seat at `table`.

    `others`, the reporters of a case by primary key and name, are compared too. The strongest
    pairs come first. At most ten statements, however many accounts and games there are.
    """
    sat = Sat.objects.filter(table=table).values_list("user", "user__username")
    names = dict(others) | dict(sat)
    if len(names) < 2:
        return ()
    shared = shared_signals(names)
    games, together = _games(names), _together(names)
    newest = _newest(names)
    alike, usual = _alike(newest, names)
    followed, joined = _followed(newest, names)
    found = []
    for pair in combinations(sorted(names), 2):
        first, second = pair
        equal, ballots = alike[pair]
        signals = PairSignals(
            first=names[first],
            second=names[second],
            devices=shared.get(pair, Counter())[Signal.Kind.DEVICE],
            addresses=shared.get(pair, Counter())[Signal.Kind.ADDRESS],
            equal=equal,
            ballots=ballots,
            usual=usual,
            together=together[pair],
            first_games=games[first],
            second_games=games[second],
            first_followed=followed[first, second],
            second_followed=followed[second, first],
            joined=joined[pair],
        )
        if signals.stands_out:
            found.append(signals)
    found.sort(key=lambda each: (-each.devices, -each.addresses, -each.together, each.first))
    return tuple(found[:_MOST_SHOWN])


def _games(users: Collection[int]) -> Counter[int]:
    """Return the number of finished games of each account."""
    rows = Seat.objects.filter(user__in=users, table__stage=Table.Stage.OVER).order_by()
    return Counter(dict(rows.values_list("user").annotate(Count("pk"))))


def _together(users: Collection[int]) -> Counter[Pair]:
    """Return the number of finished games of each pair."""
    rows = Seat.objects.filter(
        user__in=users,
        table__stage=Table.Stage.OVER,
        table__seats__user__in=users,
        table__seats__user__gt=F("user"),
    ).order_by()
    counted = rows.values_list("user", "table__seats__user").annotate(Count("pk"))
    return Counter({(first, second): count for first, second, count in counted})


def _newest(users: Collection[int]) -> list[int]:
    """Return the newest tables that are over and at which at least two of these had a seat."""
    rows = Seat.objects.filter(user__in=users, table__stage=Table.Stage.OVER).order_by()
    counted = rows.values("table").annotate(count=Count("pk")).filter(count__gte=2)
    return list(counted.order_by("-table").values_list("table", flat=True)[:_GAMES])


def _alike(
    tables: Collection[int], users: Collection[int]
) -> tuple[defaultdict[Pair, tuple[int, int]], float]:
    """Return for each pair the equal and the comparable ballots; and the usual share of equals."""
    counts: defaultdict[Pair, tuple[int, int]] = defaultdict(lambda: (0, 0))
    of_all_equal = of_all = 0
    for ballots in _elections(tables):
        of_all += len(ballots) * (len(ballots) - 1) // 2
        for count in Counter(ballots.values()).values():
            of_all_equal += count * (count - 1) // 2
        for pair in combinations(sorted(ballots.keys() & set(users)), 2):
            equal, both = counts[pair]
            counts[pair] = equal + (ballots[pair[0]] == ballots[pair[1]]), both + 1
    return counts, of_all_equal / of_all if of_all else 0.0


def _elections(tables: Collection[int]) -> Iterator[dict[int, str]]:
    """Yield the ballots that people cast themselves, by account, election by election."""
    if not tables:
        return
    seats = Seat.objects.filter(table__in=tables, user__isnull=False)
    sits = {(table, number): user for table, number, user in _rows(seats, "number", "user")}
    # What a seat did before its present owner had it is not theirs.
    motions = Motion.objects.filter(
        table__in=tables, kind=Motion.Kind.REPLACE, outcome=Motion.Outcome.PASSED
    )
    rulings = Ruling.objects.filter(table__in=tables, kind=Ruling.Kind.REPLACE)
    since: defaultdict[tuple[int, int], int] = defaultdict(int)
    for rows in (motions, rulings):
        for table, seat, number in _rows(rows, "seat", "number"):
            since[table, seat] = max(since[table, seat], number or 0)
    actions = GameAction.objects.filter(
        game__table__in=tables, action__action__in=["nominate", "vote"]
    ).order_by("game__table", "number")
    election: dict[int, str] = {}
    for table, number, seat, by, action in actions.values_list(
        "game__table", "number", "seat", "by", "action"
    ):
        if action["action"] == "nominate":
            yield election
            election = {}
        elif by == GameAction.By.PLAYER and number >= since[table, seat]:
            user = sits.get((table, seat))
            if user is not None:
                election[user] = action["ballot"]
    yield election


def _rows(found: QuerySet[Any], *fields: str) -> list[Any]:
    return list(found.order_by().values_list("table", *fields))


def _followed(
    tables: Collection[int], users: Collection[int]
) -> tuple[Counter[Pair], Counter[Pair]]:
    """Return how often the first of two sat down soon after the second, and at how many tables.

    The tables are those where the site knows when both sat down; they are counted by the lower
    and the higher primary key. Tables that "play again" gathered do not count, since all players
    join them at once.
    """
    rows = Sat.objects.filter(
        table__in=tables, user__in=users, at__isnull=False, table__previous_table__isnull=True
    )
    moments: defaultdict[int, list[tuple[int, datetime]]] = defaultdict(list)
    for table, user, at in rows.values_list("table", "user", "at"):
        assert at is not None
        moments[table].append((user, at))
    followed: Counter[Pair] = Counter()
    joined: Counter[Pair] = Counter()
    for sat in moments.values():
        for (one, at), (other, later) in combinations(sorted(sat), 2):
            joined[one, other] += 1
            if abs(later - at) <= _SOON:
                followed[(other, one) if later > at else (one, other)] += 1
    return followed, joined
