"""Who is connected: what this process sees of people, and what all processes say of them.

A process that serves people notes their sockets (and polls) in its register. A thread
(games/presence.py) writes what has changed to the database about once a second; nothing is
written where nothing has changed, but that it still is so, now and then. From the rows of all
processes follows which seats are connected; a seat that changes bumps its table's version,
and the panels follow. A reload changes none: who comes back within a few seconds was never
gone. Redis has no part in it, and a move costs nothing more.

That somebody is here is told to friends. At a blind table no seat tells whether it is connected
until its game is over, so that its coming and going cannot be laid beside a name's.
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
from games.services.live import announce_table

# Seconds for which somebody may be gone who reloads a page.
GRACE: Final = 5.0
# Seconds for which a poll, or a page, counts: the next poll comes before.
GLIMPSE: Final = 12.0
# Tables whose seats are changed in one go: each takes the write lock, and moves wait for that.
TABLES_AT_ONCE: Final = 20
# What a process has not repeated for so long is not true any more.
STALE: Final = timedelta(seconds=45)

# A person, and the table at which they are; None for the lobby.
Place = tuple[int, int | None]


class Register:
    """Whom this process serves now; for all its threads."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._sockets: Counter[Place] = Counter()
        # Those without a socket, and until when they still count.
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
        """They asked for something, by another way than a socket."""
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
    """Writes down what has changed at a process, and whose seats have changed by it.

    Returns whether all seats are right now; `clean` mends the others.
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
    # An account or a table may be gone since.
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
    """Says that all that the process has written is still true. Returns how much that is."""
    return Presence.objects.filter(process=process).update(seen_at=now)


def forget(*, process: str) -> None:
    """Takes back whatever the process has written."""
    Presence.objects.filter(process=process).delete()


def clean(*, now: datetime) -> bool:
    """Forgets what processes said that have died, and mends seats that are shown wrongly.

    Returns whether all seats are right now.
    """
    Presence.objects.filter(seen_at__lte=now - STALE).delete()
    return mark_seats(now=now)


def mark_seats(*, now: datetime, of: set[Place] | None = None) -> bool:
    """Has the seats of these people, or of all, say who is connected; a lock only where one
    of them says otherwise. Returns False where more tables are wrong than may change at once."""
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
    # As every move locks them: game and table in one statement, or the table alone.
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
    table.save(update_fields=["version"])
    announce_table(table)


# What is told ------------------------------------------------------------------------------------


def people_here(now: datetime | None = None) -> int:
    """How many people are here, signed in, wherever on the site; one statement."""
    fresh = Presence.objects.filter(seen_at__gt=(now or timezone.now()) - STALE)
    return fresh.values("user").distinct().count()


def here_of(users: set[int], now: datetime | None = None) -> set[int]:
    """Which of these people are here, as their friends may know it; one statement."""
    fresh = Presence.objects.filter(
        user__in=users, seen_at__gt=(now or timezone.now()) - STALE
    ).values_list("user", flat=True)
    return set(fresh)
