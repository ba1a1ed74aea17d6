"""The ready check: at a public table, players who do not confirm in time lose their seats.

At other tables friends sit, who are called differently: the seats stay, and the host decides.

The host calls it; a table that starts automatically calls it when the last seat is taken.
`Table.asked_until` is its deadline, `Seat.is_ready` holds the answers. Bots are always ready, and
users who sit down during the check are ready by that.

The check with which a scheduled table begins also runs with too few players, takes players who are
at the table as ready, and frees the seats of the others at private tables too.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import HERE_WITHIN, Presence, Seat, Starts, Table
from games.services import site
from games.services.locked_tables import hand_over, lock_gathering_table, save_changes
from games.services.presence import STALE
from games.services.sealing import begin
from games.services.table_notices import announce_date, withdraw_dates
from games.wording.refusals import Refusal, Refused

# Only the host may call the check for this long. Afterwards anyone may, so that an absent host does
# not keep the others waiting.
HOSTS_OWN_TIME: Final = timedelta(minutes=2)


def call_ready(*, table: Table, user: User, now: datetime | None = None) -> None:
    """Start a ready check at a table that may begin. The caller counts as ready.

    Raises Refused: NOT_OPEN, NOT_SEATED, TOO_FEW, READY_IS_CALLED, MAINTENANCE, DATE_AHEAD, or
    HOST_HAS_TIME for anyone but the host while the table has been quiet for less than
    HOSTS_OWN_TIME.
    """
    now = now or timezone.now()
    with transaction.atomic():
        locked, seats = lock_gathering_table(table)
        own = next((seat for seat in seats if seat.user_id == user.pk), None)
        if own is None:
            raise Refused(Refusal.NOT_SEATED)
        if locked.asked_until is not None:
            raise Refused(Refusal.READY_IS_CALLED)
        if locked.is_ahead:
            raise Refused(Refusal.DATE_AHEAD)
        site.refuse_beginning()
        if len(seats) < locked.least:
            raise Refused(Refusal.TOO_FEW)
        if locked.host_id != user.pk and now - locked.quiet_since < HOSTS_OWN_TIME:
            raise Refused(Refusal.HOST_HAS_TIME)
        _call(locked, seats, ready=own, now=now)
        _go_on(locked, seats, now)
        save_changes(locked)


def begin_meeting(table: Table, seats: list[Seat], now: datetime) -> None:
    """Begin the check at a locked table whose date has come. The caller saves the table."""
    _call(table, seats, ready=None, now=now)
    table.met_at = table.quiet_since = now
    table.asked_until = now + HERE_WITHIN
    note_here(table, seats, now)
    missing = [seat.user_id for seat in seats if not _is_ready(seat)]
    announce_date(table=table, users=missing, what="now", now=now)


def note_here(table: Table, seats: list[Seat], now: datetime) -> bool:
    """Take players who are at a locked table that meets as ready. Return whether any have come.

    The caller saves the table.
    """
    seen = Presence.objects.filter(table=table, seen_at__gt=now - STALE)
    here = set(seen.values_list("user", flat=True))
    found = {seat.user_id: seat for seat in seats if seat.user_id in here and not seat.is_ready}
    for seat in found.values():
        seat.is_ready = True
    if found:
        Seat.objects.bulk_update(found.values(), ["is_ready"])
        withdraw_dates(table=table, users=here & found.keys())
        _go_on(table, seats, now)
    return bool(found)


def call_with(table: Table, present: Collection[int], now: datetime) -> None:
    """Start a ready check at a locked table at which these users have just sat down.

    They count as ready, also if a check runs already. The caller saves the table.
    """
    if table.stage != Table.Stage.OPEN or site.is_beginning_closed():
        return
    seats = list(table.seats.all())
    if table.asked_until is None:
        _call(table, seats, ready=None, now=now)
    for seat in seats:
        seat.is_ready = seat.is_ready or seat.user_id in present
    Seat.objects.bulk_update(seats, ["is_ready"])
    _go_on(table, seats, now)


def confirm_ready(*, table: Table, user: User) -> None:
    """Mark `user` as ready. The game begins when all are. Raises Refused."""
    with transaction.atomic():
        locked, seats = lock_gathering_table(table)
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
        if locked.is_meeting:
            withdraw_dates(table=locked, users=[user.pk])
        _go_on(locked, seats, timezone.now())
        save_changes(locked)


def note_seats(table: Table, *, sat: User | None = None) -> None:
    """Update the ready check after a change of seats at a locked table that gathers.

    Also notes whether anyone is there. A full table that starts automatically begins a check. A
    running check continues without players who left, and is called off if too few remain. `sat` is
    the user who has just sat down. The caller saves the table.
    """
    now = timezone.now()
    seats = list(table.seats.all())
    is_empty = not any(seat.is_there for seat in seats)
    table.empty_since = (table.empty_since or now) if is_empty else None
    newcomer = next((seat for seat in seats if sat is not None and seat.user_id == sat.pk), None)
    if newcomer is not None:
        table.quiet_since = now
        if table.asked_until is None:
            # The earlier check asked others.
            table.seats.update(is_ready=False)
            seats = list(table.seats.all())
    if table.stage != Table.Stage.OPEN or table.is_frozen or table.is_ahead:
        # The thaw handles what has changed meanwhile, and the date calls everyone.
        return
    if site.is_beginning_closed():
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
    """End the check at this locked table after its time has run out. The caller saves the table."""
    if site.is_beginning_closed():
        # No one loses a seat because of maintenance.
        _call_off(table, now)
        return
    if table.is_meeting and note_here(table, seats, now) and table.stage != Table.Stage.OPEN:
        # The last of them has just come.
        return
    ready = [seat for seat in seats if _is_ready(seat)]
    if table.is_private and not table.is_meeting:
        table.asked_until = None
        table.quiet_since = now
        # A host who did not answer cannot decide.
        if any(not seat.is_bot for seat in ready):
            hand_over(table, ready)
        return
    missing = [seat for seat in seats if seat not in ready]
    for seat in missing:
        seat.delete()
    was_meeting = table.is_meeting
    _end(table, now)
    hand_over(table, ready)
    if was_meeting:
        what = "missed" if table.stage == Table.Stage.OPEN else "failed"
        users = [seat.user_id for seat in missing]
        announce_date(table=table, users=users, what=what, now=now)
    if table.stage == Table.Stage.OPEN and len(ready) >= table.least:
        begin(table, ready)


def _call(table: Table, seats: list[Seat], *, ready: Seat | None, now: datetime) -> None:
    for seat in seats:
        seat.is_ready = ready is not None and seat.pk == ready.pk
    Seat.objects.bulk_update(seats, ["is_ready"])
    table.asked_until = now + timedelta(seconds=settings.READY_SECONDS)


def _go_on(table: Table, seats: list[Seat], now: datetime) -> None:
    if len(seats) < table.least:
        if not table.is_meeting:
            _call_off(table, now)
    elif all(_is_ready(seat) for seat in seats):
        begin(table, seats)


def _call_off(table: Table, now: datetime) -> None:
    if table.asked_until is not None:
        _end(table, now)
        table.seats.update(is_ready=False)


def _end(table: Table, now: datetime) -> None:
    table.asked_until = None
    table.quiet_since = now


def _is_ready(seat: Seat) -> bool:
    return seat.is_bot or seat.is_ready
