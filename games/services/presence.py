"""Who is connected: what this process sees, and what all processes together report.

Each web process keeps a register of its users' sockets and polls. About once a second a thread
(games/live/presence.py) writes the changes to the database. If nothing has changed, it only
confirms its rows from time to time. The rows of all processes together say which seats are
connected. When a seat changes, its table's version increases and the panels follow. A reload
changes nothing: users who return within a few seconds count as connected all the time. Redis is
not involved, and a move costs nothing more.

Friends see who is online. At a blind table no seat shows whether it is connected until its game is
over. Otherwise players could match the times at which a seat and a named user come and go.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import islice
from threading import Lock
from time import monotonic
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from games.models import LIVE_STAGES, Game, Presence, Seat, Table
from games.services.announcements import announce_lobby, announce_table

# Seconds for which a user who reloads a page may be disconnected.
GRACE: Final = 5.0
# Seconds for which a poll or a page counts; the next poll comes earlier.
GLIMPSE: Final = 12.0
# Tables changed in one run: each takes the write lock, for which moves wait.
TABLES_AT_ONCE: Final = 20
# A row that its process has not confirmed for this long is out of date.
STALE: Final = timedelta(seconds=45)

# A person, and the table at which they are; None for the lobby.
Place = tuple[int, int | None]


class Register:
    """The users that this process serves now, shared by all its threads."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._sockets: Counter[Place] = Counter()
        # Users without a socket, and when they stop counting as connected.
        self._until: dict[Place, float] = {}

    def came(self, user_pk: int, table_pk: int | None) -> None:
        with self._lock:
            self._sockets[user_pk, table_pk] += 1

    def went(self, user_pk: int, table_pk: int | None) -> None:
        place = (user_pk, table_pk)
        with self._lock:
            self._sockets[place] -= 1
            if self._sockets[place] <= 0:
                del self._sockets[place]
                self._until[place] = max(self._until.get(place, 0.0), self._clock() + GRACE)

    def glimpsed(self, user_pk: int, table_pk: int | None) -> None:
        """Note that the user sent a request that did not use a socket."""
        with self._lock:
            self._until[user_pk, table_pk] = self._clock() + GLIMPSE

    def here(self) -> set[Place]:
        with self._lock:
            now = self._clock()
            self._until = {place: until for place, until in self._until.items() if until > now}
            return {*self._sockets, *self._until}

    def forget_all(self) -> None:
        with self._lock:
            self._sockets.clear()
            self._until.clear()


register: Final = Register()


def report(*, process: str, came: set[Place], went: set[Place], now: datetime) -> bool:
    """Write the changes of a process, and update the seats of the users concerned.

    Return whether all these seats are correct now; `clean` corrects the others.
    """
    with transaction.atomic():
        if came:
            _write(process, came, now)
        for table in {table for _, table in went}:
            users = [user for user, at in went if at == table]
            rows = Presence.objects.filter(process=process, user__in=users)
            (rows.filter(table=table) if table else rows.filter(table__isnull=True)).delete()
    return mark_seats(now=now, of=came | went)


def _write(process: str, came: set[Place], now: datetime) -> None:
    # An account or a table may have been deleted meanwhile.
    users = set(User.objects.filter(pk__in={user for user, _ in came}).values_list("pk", flat=True))
    tables = set(
        Table.objects.filter(pk__in={at for _, at in came if at}).values_list("pk", flat=True)
    )
    Presence.objects.bulk_create(
        Presence(process=process, user_id=user, table_id=table, seen_at=now)
        for user, table in came
        if user in users and (table is None or table in tables)
    )


def repeat(*, process: str, now: datetime) -> int:
    """Confirm all rows of the process, and return how many there are."""
    return Presence.objects.filter(process=process).update(seen_at=now)


def forget(*, process: str) -> None:
    """Delete all rows of the process."""
    Presence.objects.filter(process=process).delete()


def clean(*, now: datetime) -> bool:
    """Delete the rows of dead processes, and correct seats that are shown wrongly.

    Return whether all seats are correct now.
    """
    Presence.objects.filter(seen_at__lte=now - STALE).delete()
    return mark_seats(now=now)


def mark_seats(*, now: datetime, of: set[Place] | None = None) -> bool:
    """Update `is_connected` of the seats of these users, or of all users.

    Only tables with a wrong seat are locked. Return False if there are more than TABLES_AT_ONCE.
    """
    wrong = _wrong_seats(now)
    if of is not None:
        wrong = wrong.filter(
            table__in={table for _, table in of if table is not None},
            user__in={user for user, _ in of},
        )
    users: defaultdict[int, set[int]] = defaultdict(set)
    for table, user in wrong.order_by("table").values_list("table", "user"):
        assert user is not None
        users[table].add(user)
    for table, theirs in islice(users.items(), TABLES_AT_ONCE):
        with transaction.atomic():
            _mark(table, theirs, now)
    return len(users) <= TABLES_AT_ONCE


def _wrong_seats(now: datetime) -> QuerySet[Seat]:
    there = Presence.objects.filter(
        table=OuterRef("table"), user=OuterRef("user"), seen_at__gt=now - STALE
    )
    return Seat.objects.filter(user__isnull=False, table__stage__in=LIVE_STAGES).filter(
        Q(is_connected=True) & ~Exists(there) | Q(is_connected=False) & Exists(there)
    )


def _mark(table_pk: int, users: set[int], now: datetime) -> None:
    # Lock in the same way as a move: game and table in one statement, or only the table.
    game = Game.objects.select_for_update().select_related("table").filter(table=table_pk).first()
    table = game.table if game is not None else None
    if table is None:
        table = Table.objects.select_for_update().filter(pk=table_pk).first()
    if table is None or table.stage not in LIVE_STAGES:
        return
    changed = list(_wrong_seats(now).filter(table=table, user__in=users))
    if not changed:
        return
    for seat in changed:
        seat.is_connected = not seat.is_connected
    Seat.objects.bulk_update(changed, ["is_connected"])
    table.version += 1
    was_empty = table.empty_since is not None
    is_empty = not any(seat.is_there for seat in table.seats.all())
    if was_empty != is_empty:
        table.empty_since = now if is_empty else None
        if table.stage == Table.Stage.OPEN:
            announce_lobby()
    table.save(update_fields=["version", "empty_since"])
    announce_table(table)


# Queries -----------------------------------------------------------------------------------------


def people_here(now: datetime | None = None) -> int:
    """Return how many signed-in users are anywhere on the site; one statement."""
    fresh = Presence.objects.filter(seen_at__gt=(now or timezone.now()) - STALE)
    return fresh.values("user").distinct().count()


def here_of(users: set[int], now: datetime | None = None) -> set[int]:
    """Return which of these users are online, for their friends; one statement."""
    fresh = Presence.objects.filter(
        user__in=users, seen_at__gt=(now or timezone.now()) - STALE
    ).values_list("user", flat=True)
    return set(fresh)
