"""Scheduled tables: users take seats for a date, and play when it comes.

Before the date players need not be present. When it comes, those who are at the table or say that
they are there keep their seats; after a few minutes (`HERE_WITHIN`) the other seats are free. From
then on it is a table like all others, except that it closes when too few players come.

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
from games.models import HERE_WITHIN, IS_AHEAD, Seat, Table
from games.services import outages, ready, site
from games.services.locked_tables import lock_gathering_table, save_changes
from games.services.table_notices import announce_date, next_reminder
from games.state.rooms import Room
from games.wording.refusals import Refusal, Refused

# How far ahead a date may be.
SOONEST: Final = timedelta(minutes=10)
LATEST: Final = timedelta(days=60)
# How long after its date a table waits for enough players.
WAITS_FOR: Final = timedelta(minutes=50)
# If the site was down at the date and for longer than this, no one waits for the table any more.
_TOO_LATE: Final = timedelta(hours=2)
# After an outage players get at least this long to come back.
_AFTER_AN_OUTAGE: Final = timedelta(minutes=20)
_AT_ONCE: Final = 100

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
        locked.reminds_at = next_reminder(scheduled_at, now)
        save_changes(locked)
        _announce(locked, seats, "moved", now, besides=user)


def cancel(*, table: Table, seats: list[Seat], by: User, now: datetime) -> None:
    """Tell everyone else that the host closes a locked table before its date."""
    _announce(table, seats, "cancelled", now, besides=by)


# When the date comes ------------------------------------------------------------------------------


def is_due(room: Room, now: datetime | None = None) -> bool:
    """Return whether the date of this table has come, and it has yet to meet."""
    at = room.table.scheduled_at
    if at is None or not room.table.is_ahead or room.table.is_frozen:
        return False
    return at <= (now or timezone.now())


def settle(table_id: int, now: datetime | None = None) -> bool:
    """Let a table whose date has come meet. Return whether this call did.

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
            ready.begin_meeting(locked, seats, now)
            save_changes(locked)
            return True
    except (Refused, Table.DoesNotExist):
        return False


def settle_due(now: datetime | None = None) -> int:
    """Let tables whose date has come meet, and close those to which too few came.

    Return how many tables changed.
    """
    now = now or timezone.now()
    dated = Table.objects.filter(
        stage=Table.Stage.OPEN, scheduled_at__lte=now, frozen_at__isnull=True
    )
    due = dated.filter(met_at__isnull=True)
    meeting = dated.filter(met_at__gt=now - HERE_WITHIN, asked_until__gt=now)
    failed = dated.filter(met_at__lte=now - WAITS_FOR, asked_until__isnull=True)
    changed = 0
    for tables, act in ((due, settle), (meeting, _note_here), (failed, _close_failed)):
        for pk in tables.order_by("scheduled_at").values_list("pk", flat=True)[:_AT_ONCE]:
            try:
                changed += act(pk, now)
            except Exception:
                # One table's error must not keep the others waiting.
                logger.exception("the scheduled table %s could not be settled", pk)
    return changed


def _note_here(table_id: int, now: datetime) -> bool:
    """Take players who have come to a table that meets as ready. Return whether this call did."""
    try:
        with transaction.atomic():
            locked, seats = lock_gathering_table(Table(pk=table_id))
            if not locked.is_meeting or site.is_beginning_closed():
                return False
            if not ready.note_here(locked, seats, now):
                return False
            save_changes(locked)
            return True
    except (Refused, Table.DoesNotExist):
        return False


def _close_failed(table_id: int, now: datetime) -> bool:
    """Close a table to which too few players have come. Return whether this call did."""
    if outages.is_away(now) or now - outages.opened_at(now) < _AFTER_AN_OUTAGE:
        return False
    try:
        with transaction.atomic():
            locked, seats = lock_gathering_table(Table(pk=table_id))
            met_at = locked.met_at
            if met_at is None or met_at > now - WAITS_FOR or locked.asked_until is not None:
                return False
            _close(locked, seats, now)
            return True
    except (Refused, Table.DoesNotExist):
        return False


def _close(table: Table, seats: list[Seat], now: datetime) -> None:
    table.stage = Table.Stage.CLOSED
    save_changes(table)
    _announce(table, seats, "failed", now)


def _announce(
    table: Table, seats: list[Seat], what: str, now: datetime, besides: User | None = None
) -> None:
    users = [seat.user_id for seat in seats if besides is None or seat.user_id != besides.pk]
    announce_date(table=table, users=users, what=what, now=now)
