"""The statistics of one user that come from the archive: how they play, how long, and with whom."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date
from typing import Any, Final

from django.db.models import Count, DateField, F, Q, QuerySet, Sum
from django.db.models.functions import TruncMonth

from accounts.models import Friendship, User
from games.models import ArchivedSeat, Pace
from games.panels.tallies import Conduct, Length, MonthChart, Tally, months_of
from games.rules.components import Role
from games.selectors.audiences import shows_games

# Partners on a page.
MOST_PARTNERS: Final = 5
# The newest games in which partners are sought, and the partners whose pages are asked.
_GAMES_WITH_PARTNERS: Final = 1000
_CANDIDATES: Final = 50
_CONDUCT: Final = ("claims", "lies", "lies_caught", "ballots", "right_ballots")


@dataclass(frozen=True, slots=True)
class Partner:
    """Another user, and the games that the owner of the page won with and against them."""

    key: str
    name: str
    on_one_side: Tally
    on_two_sides: Tally

    @property
    def games(self) -> int:
        return self.on_one_side.games + self.on_two_sides.games


@dataclass(frozen=True, slots=True)
class PlayStatistics:
    """Counted over archived games with other people."""

    # The first one is all roles together.
    conduct: tuple[Conduct, ...]
    # By number of the seat, from 1.
    by_seat: tuple[tuple[int, Tally], ...]
    by_players: tuple[tuple[int, Tally], ...]
    lengths: tuple[Length, ...]
    months: MonthChart
    # None if the viewer may not know in which games the owner played.
    partners: tuple[Partner, ...] | None


def play_statistics_of(
    owner: User, viewer: User | None, *, is_own: bool, sees_games: bool
) -> PlayStatistics | None:
    """Return how a user plays, as `viewer` may know it; None without games.

    `is_own` says that the viewer sees the page as its owner. `sees_games` says that the page shows
    its games to the viewer. Two queries for the numbers, and three for the partners.
    """
    seats = ArchivedSeat.objects.filter(user=owner, people__gt=1)
    sums = ("archived__rounds", "archived__seconds", *_CONDUCT)
    grouped = seats.values_list(
        "role", "number", "has_won", "archived__players", "archived__pace"
    ).annotate(Count("pk"), *(Sum(name) for name in sums))
    groups = [_Group(*row) for row in grouped.order_by()]
    months = _months(seats)
    if not groups or months is None:
        return None
    return PlayStatistics(
        conduct=tuple(
            _conduct(role, [group for group in groups if role in ("", group.role)])
            for role in ("", *Role)
            if not role or any(group.role == role for group in groups)
        ),
        by_seat=_tallies(groups, lambda group: group.number + 1),
        by_players=_tallies(groups, lambda group: group.players),
        lengths=tuple(
            _length(pace, [group for group in groups if pace in ("", group.pace)])
            for pace in ("", *Pace.values)
            if not pace or any(group.pace == pace for group in groups)
        ),
        months=months,
        partners=_partners(seats, owner, viewer, is_own=is_own) if sees_games else None,
    )


@dataclass(frozen=True, slots=True)
class _Group:
    """Sums over seats that have these values in common. The order is that of the query."""

    role: str
    number: int
    has_won: bool
    players: int
    pace: str
    games: int
    rounds: int
    seconds: int
    claims: int
    lies: int
    lies_caught: int
    ballots: int
    right_ballots: int

    @property
    def tally(self) -> Tally:
        return Tally(self.games, self.games if self.has_won else 0)


def _conduct(role: str, groups: Iterable[_Group]) -> Conduct:
    rows = list(groups)
    names = ("games", *_CONDUCT)
    return Conduct(role, **{name: sum(getattr(row, name) for row in rows) for name in names})


def _length(pace: str, groups: Iterable[_Group]) -> Length:
    rows = list(groups)
    return Length(
        pace,
        sum((row.tally for row in rows), Tally()),
        sum(row.rounds for row in rows),
        sum(row.seconds for row in rows),
    )


def _tallies(
    groups: Iterable[_Group], key: Callable[[_Group], int]
) -> tuple[tuple[int, Tally], ...]:
    found: defaultdict[int, Tally] = defaultdict(Tally)
    for group in groups:
        found[key(group)] += group.tally
    return tuple(sorted(found.items()))


class _Month(TruncMonth):
    """The first day of a moment's month, in UTC."""

    def __init__(self, moment: str) -> None:
        super().__init__(moment, output_field=DateField(), tzinfo=UTC)

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, Any]:
        # SQLite keeps a moment as text in UTC, year first. Django's own function for a month runs
        # in Python there, which takes ten times as long.
        sql, params = compiler.compile(self.lhs)
        return f"SUBSTR({sql}, 1, 7) || '-01'", params


def _months(seats: "QuerySet[ArchivedSeat]") -> MonthChart | None:
    grouped = seats.annotate(month=_Month("ended_at")).values_list("month", "has_won")
    found: defaultdict[date, Tally] = defaultdict(Tally)
    for month, has_won, games in grouped.annotate(Count("pk")).order_by():
        found[month] += Tally(games, games if has_won else 0)
    return months_of(found)


def _partners(
    seats: "QuerySet[ArchivedSeat]", owner: User, viewer: User | None, *, is_own: bool
) -> tuple[Partner, ...]:
    """Return the users with most games together whose own pages show their games to the viewer.

    For other viewers than the owner, only games that everyone may see count.
    """
    if not is_own:
        # Not `=True`: Django writes that without a comparison, and SQLite then reads no index.
        seats = seats.filter(archived__is_public__in=(True,))
    newest = seats.order_by("-ended_at", "-archived")[:_GAMES_WITH_PARTNERS]
    together = Q(has_won=F("archived__seats__has_won"))
    rows = (
        ArchivedSeat.objects.filter(pk__in=newest.values("pk"), archived__seats__user__isnull=False)
        .values_list("archived__seats__user")
        .annotate(
            games=Count("pk"),
            with_them=Count("pk", filter=together),
            won_with=Count("pk", filter=together & Q(has_won=True)),
            won=Count("pk", filter=Q(has_won=True)),
        )
        .order_by("-games", "archived__seats__user")
    )
    # One of the rows is the owner's own.
    found = [row for row in rows[: _CANDIDATES + 1] if row[0] != owner.pk]
    users = User.objects.in_bulk([row[0] for row in found])
    friends = Friendship.objects.friends_of(viewer.pk) if viewer is not None else set()
    partners = [
        Partner(
            key=users[pk].person_key,
            name=users[pk].username,
            on_one_side=Tally(with_them, won_with),
            on_two_sides=Tally(games - with_them, won - won_with),
        )
        for pk, games, with_them, won_with, won in found
        if pk in users and shows_games(users[pk], viewer, friends)
    ]
    return tuple(partners[:MOST_PARTNERS])
