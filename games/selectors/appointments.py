"""Scheduled tables whose date is still to come: the public ones, and a user's own."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from django.db.models import Q, QuerySet

from accounts.models import User
from games.models import IS_AHEAD, Table, Visibility
from games.selectors.open_tables import SIZES, TableFilters, friends_of

# How many tables a page of the list has, and how many the lobby shows.
PAGE: Final = 20
IN_LOBBY: Final = 4
# More than a user's limit of tables, settings.RUNNING_GAMES.
_MOST_OWN: Final = 50
# Only this many of the next tables are searched for the lobby's filters.
_LOOKED_THROUGH: Final = 100
_LONGEST_KEY: Final = 40
EVERYTHING: Final = TableFilters()


@dataclass(frozen=True, slots=True)
class Appointment:
    """A table that gathers for a date, as lists show it."""

    table: Table
    # The people's names as used at the table, without the bots.
    people: tuple[str, ...]
    seated: int
    is_host: bool = False
    bots: int = 0

    @property
    def humans(self) -> int:
        return self.seated - self.bots

    @property
    def at(self) -> datetime:
        assert self.table.scheduled_at is not None
        return self.table.scheduled_at

    @property
    def has_room(self) -> bool:
        return self.seated < self.table.seats_wanted


@dataclass(frozen=True, slots=True)
class Upcoming:
    """A page of the list; `after` is the key of the next one, or "" if this is the last."""

    rows: tuple[Appointment, ...]
    after: str = ""


def own_appointments(user: User) -> tuple[Appointment, ...]:
    """Return the scheduled tables at which `user` has a seat, the next one first."""
    found = Table.objects.filter(IS_AHEAD, seats__user=user)
    return _appointments(_in_order(found)[:_MOST_OWN], user)


def upcoming(user: User | None, *, after: str = "") -> Upcoming:
    """Return a page of the public tables at which `user` has no seat, the next one first.

    `after` is the key of a page. Each has PAGE rows; two queries.
    """
    found = _public(user)
    begins = _read_key(after)
    if begins is not None:
        at, pk = begins
        found = found.filter(Q(scheduled_at__gt=at) | Q(scheduled_at=at, pk__gt=pk))
    rows = list(_in_order(found)[: PAGE + 1])
    last = rows[PAGE - 1] if len(rows) > PAGE else None
    return Upcoming(_appointments(rows[:PAGE], user), "" if last is None else _key(last))


def upcoming_in_lobby(user: User | None, filters: TableFilters = EVERYTHING) -> Upcoming:
    """Return the next public tables that match the lobby's filters; `after` says if more exist."""
    found = _public(user)
    if filters.edition:
        found = found.filter(edition=filters.edition)
    if filters.pace:
        found = found.filter(pace=filters.pace)
    if filters.size:
        least, most = SIZES[filters.size]
        found = found.filter(least_seats__lte=most, seats_wanted__gte=least)
    if not filters:
        rows = list(_in_order(found)[: IN_LOBBY + 1])
    else:
        friends = friends_of([user.pk])[user.pk] if filters.friends and user else frozenset()
        looked_through = _in_order(found)[:_LOOKED_THROUGH]
        rows = [table for table in looked_through if _fits(table, filters, friends)]
    shown = _appointments(rows[:IN_LOBBY], user)
    return Upcoming(shown, _key(rows[IN_LOBBY - 1]) if len(rows) > IN_LOBBY else "")


def _public(user: User | None) -> QuerySet[Table]:
    found = Table.objects.filter(IS_AHEAD, visibility=Visibility.PUBLIC)
    return found if user is None else found.exclude(seats__user=user)


def _in_order(tables: QuerySet[Table]) -> QuerySet[Table]:
    return tables.prefetch_related("seats").order_by("scheduled_at", "pk")


def _fits(table: Table, filters: TableFilters, friends: Collection[int]) -> bool:
    seats = list(table.seats.all())
    if filters.language and table.languages and filters.language not in table.languages:
        return False
    if filters.free and len(seats) >= table.seats_wanted:
        return False
    # Users must not learn that a friend is at a blind table.
    has_friends = not table.is_blind and any(seat.user_id in friends for seat in seats)
    return has_friends or not filters.friends


def _appointments(tables: Iterable[Table], user: User | None) -> tuple[Appointment, ...]:
    rows = []
    for table in tables:
        seats = list(table.seats.all())
        people = tuple(seat.name for seat in seats if not seat.is_bot)
        is_host = user is not None and table.host_id == user.pk
        bots = len(seats) - len(people)
        rows.append(Appointment(table, people, len(seats), is_host, bots))
    return tuple(rows)


def _key(table: Table) -> str:
    assert table.scheduled_at is not None
    at = table.scheduled_at
    return f"{int(at.timestamp())}.{at.microsecond:06}_{table.pk}"


def _read_key(given: str) -> tuple[datetime, int] | None:
    """Return the date and primary key after which a page begins; None for anything else."""
    at, _, pk = given.partition("_")
    seconds, _, fraction = at.partition(".")
    digits = (seconds, fraction, pk)
    if len(given) > _LONGEST_KEY or not all(part.isascii() and part.isdigit() for part in digits):
        return None
    try:
        moment = datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    if len(fraction) != 6 or len(pk) > 18:
        return None
    return moment.replace(microsecond=int(fraction)), int(pk)
