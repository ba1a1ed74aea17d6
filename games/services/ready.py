"""The ready check: is everybody there? Who does not say so in time loses the seat.

The host calls it; a table that begins by itself calls it when the last seat is taken. Its clock is
`Table.asked_until`, the answers are `Seat.is_ready`. Bots are always ready, and whoever sits
down while it runs has just shown that they are there.
"""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Seat, Starts, Table
from games.refusals import Refusal, Refused
from games.services import site
from games.services.gathering import begin, changed, gathering, hand_over

# For so long the host alone may call it: a host who is gone must not keep the others waiting.
HOSTS_OWN_TIME: Final = timedelta(minutes=2)


def call_ready(*, table: Table, user: User, now: datetime | None = None) -> None:
    """Asks everybody at a table that may begin whether they are ready; the caller is.

    Raises Refused: NOT_OPEN, NOT_SEATED, TOO_FEW, READY_IS_CALLED, MAINTENANCE, or HOST_HAS_TIME
    for anybody but the host while the table is quiet for less than HOSTS_OWN_TIME.
    """
    now = now or timezone.now()
    with transaction.atomic():
        locked, seats = gathering(table)
        own = next((seat for seat in seats if seat.user_id == user.pk), None)
        if own is None:
            raise Refused(Refusal.NOT_SEATED)
        if locked.asked_until is not None:
            raise Refused(Refusal.READY_IS_CALLED)
        site.refuse_beginning()
        if len(seats) < locked.least:
            raise Refused(Refusal.TOO_FEW)
        if locked.host_id != user.pk and now - locked.quiet_since < HOSTS_OWN_TIME:
            raise Refused(Refusal.HOST_HAS_TIME)
        _call(locked, seats, ready=own, now=now)
        _go_on(locked, seats, now)
        changed(locked)


def say_ready(*, table: Table, user: User) -> None:
    """Somebody is ready; the game begins with the last one. Raises Refused."""
    with transaction.atomic():
        locked, seats = gathering(table)
        own = next((seat for seat in seats if seat.user_id == user.pk), None)
        if own is None:
            raise Refused(Refusal.NOT_SEATED)
        if locked.asked_until is None:
            raise Refused(Refusal.READY_IS_NOT_CALLED)
        site.refuse_beginning()
        if own.is_ready:
            return
        own.is_ready = True
        own.save(update_fields=["is_ready"])
        _go_on(locked, seats, timezone.now())
        changed(locked)


def note_seats(table: Table, *, sat: User | None = None) -> None:
    """For whoever has seated, removed or lost somebody at a locked table that gathers.

    A full table that begins by itself is asked whether all are ready, where one is being asked
    it goes on without those who left, and with too few it is called off. `sat` has just sat
    down. The caller saves the table.
    """
    now = timezone.now()
    seats = list(table.seats.all())
    newcomer = next((seat for seat in seats if sat is not None and seat.user_id == sat.pk), None)
    if newcomer is not None:
        table.quiet_since = now
    if table.stage != Table.Stage.OPEN or table.is_frozen:
        # What has come of it meanwhile is seen to at the thaw.
        return
    if site.begins_nothing():
        _call_off(table, now)
        return
    if table.asked_until is None:
        if table.starts != Starts.FULL or len(seats) < table.seats_wanted:
            return
        _call(table, seats, ready=newcomer, now=now)
    elif newcomer is not None:
        newcomer.is_ready = True
        newcomer.save(update_fields=["is_ready"])
    _go_on(table, seats, now)


def expire(table: Table, seats: list[Seat], now: datetime) -> None:
    """The clock of the check has run out at this locked table; the caller saves it."""
    if site.begins_nothing():
        # Nobody loses a seat by it.
        _call_off(table, now)
        return
    ready = [seat for seat in seats if _is_ready(seat)]
    for seat in seats:
        if seat not in ready:
            seat.delete()
    table.asked_until = None
    table.quiet_since = now
    hand_over(table, ready)
    if table.stage == Table.Stage.OPEN and len(ready) >= table.least:
        begin(table, ready)


def _call(table: Table, seats: list[Seat], *, ready: Seat | None, now: datetime) -> None:
    for seat in seats:
        seat.is_ready = ready is not None and seat.pk == ready.pk
    Seat.objects.bulk_update(seats, ["is_ready"])
    table.asked_until = now + timedelta(seconds=settings.READY_SECONDS)


def _go_on(table: Table, seats: list[Seat], now: datetime) -> None:
    if len(seats) < table.least:
        _call_off(table, now)
    elif all(_is_ready(seat) for seat in seats):
        begin(table, seats)


def _call_off(table: Table, now: datetime) -> None:
    if table.asked_until is not None:
        table.asked_until = None
        table.quiet_since = now


def _is_ready(seat: Seat) -> bool:
    return seat.is_bot or seat.is_ready
