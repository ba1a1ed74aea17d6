"""Scheduled tables: users take seats for a date, and play when it comes.

Before the date players need not be present. At the date everyone is asked whether they are there
(`ready.call_roll`). Players who do not answer lose their seats, and others may take them. From then
on it is a table like all others, except that it closes when too few players come.

The beat looks every few seconds; every view of a table settles its date too, so the outcome does
not depend on Celery.
"""

import logging
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import IS_AHEAD, AppointmentNotice, Seat, Table
from games.services import outages, ready, site
from games.services.appointment_notices import announce
from games.services.locked_tables import lock_gathering_table, save_changes
from games.state.rooms import Room
from games.wording.refusals import Refusal, Refused

# How far ahead a date may be.
SOONEST: Final = timedelta(minutes=10)
LATEST: Final = timedelta(days=60)
# How long a table waits for players after its ready check.
WAITS_FOR: Final = timedelta(minutes=45)
# If the site was down at the date and for longer than this, no one waits for the table any more.
_TOO_LATE: Final = timedelta(hours=2)
# After an outage players get at least this long to come back.
_AFTER_AN_OUTAGE: Final = timedelta(minutes=20)
_AT_ONCE: Final = 100

Kind = AppointmentNotice.Kind

logger = logging.getLogger(__name__)


def check_date(scheduled_at: datetime, now: datetime) -> None:
    """Check that a table may be scheduled for this date. Raises Refused: DATE_SOON, DATE_LATE."""
    if scheduled_at < now + SOONEST:
        raise Refused(Refusal.DATE_SOON)
    if scheduled_at > now + LATEST:
        raise Refused(Refusal.DATE_LATE)


def check_dates_few(host: User) -> None:
    """Check the limit of scheduled tables. The caller has locked the host's row.

    Raises Refused: DATES_ENOUGH.
    """
    most = settings.SCHEDULED_TABLES
    if most and host.hosted_tables.filter(IS_AHEAD).count() >= most:
        raise Refused(Refusal.DATES_ENOUGH)


def move_date(
    *, table: Table, user: User, scheduled_at: datetime, now: datetime | None = None
) -> None:
    """Set another date for the host's table, and tell everyone else who has a seat.

    Raises Refused: NOT_HOST, NOT_OPEN, FROZEN, DATE_PASSED if the table has met or has no date, or
    as `check_date`.
    """
    now = now or timezone.now()
    with transaction.atomic():
        locked, seats = lock_gathering_table(table, host=user)
        if not locked.is_ahead:
            raise Refused(Refusal.DATE_PASSED)
        check_date(scheduled_at, now)
        if locked.scheduled_at == scheduled_at:
            return
        locked.scheduled_at = scheduled_at
        locked.schedule_sequence += 1
        locked.schedule_changed_at = now
        save_changes(locked)
        announce(table=locked, users=_people(seats) - {user.pk}, kind=Kind.MOVED, now=now)


def cancel(*, table: Table, seats: list[Seat], by: User, now: datetime) -> None:
    """Tell everyone else that the host closes a locked table before its date."""
    announce(table=table, users=_people(seats) - {by.pk}, kind=Kind.CANCELLED, now=now)


# When the date comes ------------------------------------------------------------------------------


def is_due(room: Room, now: datetime | None = None) -> bool:
    """Return whether the date of this table has come and its players have yet to be asked."""
    at = room.table.scheduled_at
    if at is None or not room.table.is_ahead or room.table.is_frozen:
        return False
    return at <= (now or timezone.now())


def settle(table_id: int, now: datetime | None = None) -> bool:
    """Ask the players of a table whose date has come. Return whether this call did.

    A date that passed long ago, because the site was down, is cancelled instead. While users cannot
    answer, nothing happens.
    """
    now = now or timezone.now()
    if outages.is_away(now) or site.is_beginning_closed():
        return False
    try:
        with transaction.atomic():
            locked, seats = lock_gathering_table(Table(pk=table_id))
            if not locked.is_ahead or locked.scheduled_at is None or locked.scheduled_at > now:
                return False
            if now - locked.scheduled_at > _TOO_LATE:
                _close(locked, seats, now)
                return True
            ready.call_roll(locked, seats, now)
            save_changes(locked)
            announce(table=locked, users=_people(seats), kind=Kind.NOW, now=now)
            return True
    except (Refused, Table.DoesNotExist):
        return False


def settle_due(now: datetime | None = None) -> int:
    """Ask the players of all tables whose date has come, and close tables to which too few came.

    Return how many tables changed.
    """
    now = now or timezone.now()
    due = Table.objects.filter(IS_AHEAD, scheduled_at__lte=now, frozen_at__isnull=True)
    failed = Table.objects.filter(
        stage=Table.Stage.OPEN,
        roll_ended_at__lte=now - WAITS_FOR,
        asked_until__isnull=True,
        frozen_at__isnull=True,
    )
    changed = 0
    for tables, act in ((due, settle), (failed, _close_failed)):
        for pk in tables.order_by("scheduled_at").values_list("pk", flat=True)[:_AT_ONCE]:
            try:
                changed += act(pk, now)
            except Exception:
                # One table's error must not keep the others waiting.
                logger.exception("the scheduled table %s could not be settled", pk)
    return changed


def _close_failed(table_id: int, now: datetime) -> bool:
    """Close a table to which too few players have come. Return whether this call did."""
    if outages.is_away(now) or now - outages.opened_at(now) < _AFTER_AN_OUTAGE:
        return False
    try:
        with transaction.atomic():
            locked, seats = lock_gathering_table(Table(pk=table_id))
            ended = locked.roll_ended_at
            if ended is None or ended > now - WAITS_FOR or locked.asked_until is not None:
                return False
            _close(locked, seats, now)
            return True
    except (Refused, Table.DoesNotExist):
        return False


def _close(table: Table, seats: list[Seat], now: datetime) -> None:
    table.stage = Table.Stage.CLOSED
    save_changes(table)
    announce(table=table, users=_people(seats), kind=Kind.FAILED, now=now)


def _people(seats: list[Seat]) -> set[int]:
    return {seat.user_id for seat in seats if seat.user_id is not None}
