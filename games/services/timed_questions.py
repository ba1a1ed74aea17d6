"""Questions to a table that have a clock: the ready check, the seal's reveals, and a motion.

`Table.asked_until` is authoritative. The beat hands out tables that are due; every view of a table
settles its question too, so the outcome does not depend on Celery.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games.models import HERE_WITHIN, Table
from games.services import motions, outages, ready, sealing
from games.services.locked_tables import lock_gathering_table, save_changes
from games.state.rooms import Room
from games.wording.refusals import Refused

_PUSHED_BACK: Final = timedelta(minutes=1)
_DUE_AT_ONCE: Final = 200


def is_due(room: Room, now: datetime | None = None) -> bool:
    until = room.table.asked_until
    if until is None or room.table.is_frozen:
        return False
    return until <= (now or timezone.now())


def due_tables(now: datetime) -> list[int]:
    """Return the primary keys of the tables whose question has run out, longest due first."""
    due = Table.objects.filter(asked_until__lte=now, frozen_at__isnull=True)
    due = due.order_by("asked_until")
    return list(due.values_list("pk", flat=True)[:_DUE_AT_ONCE])


def settle(table_id: int, now: datetime | None = None) -> None:
    """End the table's question if its time is over. A second call does nothing.

    While users cannot answer because the site is down, nothing runs out.
    """
    now = now or timezone.now()
    if outages.is_away(now):
        return
    table = Table(pk=table_id)
    try:
        with transaction.atomic():
            if _settle_sealing(table, now):
                return
            locked, seats = lock_gathering_table(table)
            if locked.asked_until is not None and locked.asked_until <= now:
                ready.expire(locked, seats, now)
                save_changes(locked)
    except Refused:
        # The table no longer gathers, or is frozen.
        motions.expire(table, now)
    except Table.DoesNotExist:
        return


def _settle_sealing(table: Table, now: datetime) -> bool:
    """Return whether the table waits for reveals. If their time is over, go on without them."""
    locked = Table.objects.select_for_update().get(pk=table.pk)
    if locked.stage != Table.Stage.SEALING:
        return False
    if locked.asked_until is not None and locked.asked_until <= now:
        sealing.expire(locked, now)
        save_changes(locked)
    return True


def push_back(table_id: int, now: datetime) -> None:
    """Postpone a question that failed to settle, so that it does not block the others."""
    until = now + _PUSHED_BACK
    failed = Table.objects.filter(pk=table_id, asked_until__lte=now)
    # The check of a scheduled table ends HERE_WITHIN after `met_at`: keep it so.
    failed.filter(asked_until=F("met_at") + HERE_WITHIN).update(
        asked_until=until, met_at=until - HERE_WITHIN
    )
    failed.update(asked_until=until)
