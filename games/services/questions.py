"""What a table is asked has a clock: the ready check before the game, a motion during it.

The truth is `Table.asked_until`. The beat hands out what is due; whoever looks at a table settles
it too, so the outcome does not depend on Celery.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from games.models import Table
from games.refusals import Refused
from games.rooms import Room
from games.services import motions, outages, ready
from games.services.gathering import changed, gathering

_PUSHED_BACK: Final = timedelta(minutes=1)
_DUE_AT_ONCE: Final = 200


def is_due(room: Room, now: datetime | None = None) -> bool:
    until = room.table.asked_until
    if until is None or room.table.is_frozen:
        return False
    return until <= (now or timezone.now())


def due_tables(now: datetime) -> list[int]:
    """The tables whose question has run out, by primary key, the longest due first."""
    due = Table.objects.filter(asked_until__lte=now, frozen_at__isnull=True)
    due = due.order_by("asked_until")
    return list(due.values_list("pk", flat=True)[:_DUE_AT_ONCE])


def settle(table_id: int, now: datetime | None = None) -> None:
    """Ends what a table was asked, where its time is over; a second time does nothing.

    While nobody can answer, because the site is away, nothing runs out.
    """
    now = now or timezone.now()
    if outages.is_away(now):
        return
    table = Table(pk=table_id)
    try:
        with transaction.atomic():
            locked, seats = gathering(table)
            if locked.asked_until is not None and locked.asked_until <= now:
                ready.expire(locked, seats, now)
                changed(locked)
    except Refused:
        # It does not gather, or is frozen.
        motions.expire(table, now)
    except Table.DoesNotExist:
        return


def push_back(table_id: int, now: datetime) -> None:
    """A question that failed to be settled waits, so that it never holds up the others."""
    Table.objects.filter(pk=table_id, asked_until__lte=now).update(asked_until=now + _PUSHED_BACK)
