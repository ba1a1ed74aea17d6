"""What is done about the time in which nobody could play, because the site was away.

The doors of the site are the processes that serve people. Each notes every few seconds
that it is there (`games/heartbeat.py`), whether anybody comes or not, so nobody's coming, staying
away or disturbing tells anything. A silence of all of them is an outage: while it lasts no table
moves by itself, and the first process that is back gives the running decisions the lost time.

Where only the clock (Celery, its broker) was away, people could decide all the while, and
whoever looked at a table settled it: nothing is given back then. Where only the doors were
shut, the clock must not decide for people who could not: it waits, and the time is given back.
"""

import logging
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F

from games.models import Game, Interruption, Pulse, Table
from games.services.live import announce_table

# How often a process that serves people notes it.
PULSE: Final = timedelta(seconds=2)
# A shorter silence is a restart that nobody noticed.
OUTAGE: Final = timedelta(seconds=10)

logger = logging.getLogger(__name__)

# When the doors were last known to be open, as this process has read or written it.
_open_at: datetime | None = None


def note_open(now: datetime) -> timedelta:
    """Notes that people are served. Who notes it first after an outage gives the lost time back.

    Returns the time given; zero where there was no outage, or another was first.
    """
    global _open_at
    with transaction.atomic():
        pulse, is_first = Pulse.objects.select_for_update().get_or_create(
            pk=Pulse.Of.DOORS, defaults={"at": now}
        )
        lost = timedelta() if is_first else now - pulse.at
        if lost > timedelta():
            pulse.at = now
            pulse.save(update_fields=["at"])
        if lost >= OUTAGE:
            _give_back(lost, now)
    _open_at = now
    return lost if lost >= OUTAGE else timedelta()


def is_away(now: datetime) -> bool:
    """Whether nobody can play: no table moves by itself then.

    Costs a query only where this process has not known for a while. A site that has never
    opened (a test, a command) is not away.
    """
    global _open_at
    if _open_at is None or now - _open_at >= OUTAGE:
        _open_at = Pulse.objects.filter(pk=Pulse.Of.DOORS).values_list("at", flat=True).first()
    return _open_at is not None and now - _open_at >= OUTAGE


def forget() -> None:
    """Empties this process's memory; tests need it."""
    global _open_at
    _open_at = None


def _give_back(lost: timedelta, now: datetime) -> None:
    # Game and table together, as every move locks them, and the games in one order.
    games = list(
        Game.objects.select_for_update()
        .select_related("table")
        .filter(
            table__stage=Table.Stage.RUNNING,
            # Where the clocks stand nothing is lost.
            table__frozen_at__isnull=True,
            deadline__isnull=False,
        )
        .order_by("pk")
    )
    running = Game.objects.filter(pk__in=[game.pk for game in games])
    running.update(
        deadline=F("deadline") + lost,
        bot_moves_at=F("bot_moves_at") + lost,
        wakes_at=F("wakes_at") + lost,
        retry_at=None,
    )
    Table.objects.filter(game__in=running).update(version=F("version") + 1)
    Interruption.objects.bulk_create(
        Interruption(table=game.table, number=game.length, at=now, lost=lost) for game in games
    )
    for game in games:
        game.table.version += 1
        announce_table(game.table)
    # Nobody could answer either.
    asked = Table.objects.filter(asked_until__isnull=False, frozen_at__isnull=True)
    for table in asked.select_for_update():
        assert table.asked_until is not None
        table.asked_until += lost
        table.version += 1
        table.save(update_fields=["asked_until", "version"])
        announce_table(table)
    logger.warning("the site was away for %s; given back to %s games", lost, len(games))
