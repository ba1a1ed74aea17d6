"""Outages: how the time when the site was down is given back to running games.

The web processes are called the site's doors. Each of them records every few seconds that it is
running (`games/live/heartbeat.py`), independent of visitors, so the pulse reveals nothing about
visitors and they cannot disturb it. A silence of all of them is an outage. During an outage no
table moves on its own, and the first process that is back adds the lost time to the running
decisions.

If only the clock (Celery or its broker) was down, users could still act, and every table view
settled what was overdue: no time is given back. If only the web processes were down, the clock must
not decide for players who could not act: it waits, and the time is given back.

When the machine's clock is set back, all that is to happen at a time would come too late. A pulse
from the future that no process renews shows it, and all these times are then set back too.
"""

import logging
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import Final

from django.db import transaction
from django.db.models import F

from games.models import LIVE_STAGES, Game, Interruption, Pulse, Table
from games.services import deadlines
from games.services.announcements import announce_table

# How often a web process records its pulse.
PULSE: Final = timedelta(seconds=2)
# A shorter silence is an unnoticed restart.
OUTAGE: Final = timedelta(seconds=10)
# The clocks of two machines may differ by less than this.
_SKEW: Final = timedelta(minutes=1)

_ALARMS: Final = (
    "deadline", "bot_moves_at", "bot_talks_at", "bot_talk", "night_until", "wakes_at", "retry_at",
)  # fmt: skip
_TIMES_OF_A_TABLE: Final = ("asked_until", "met_at", "frozen_at", "paused_at")

logger = logging.getLogger(__name__)

# When the web processes were last known to run, as read or written by this process.
_open_at: datetime | None = None
# A pulse from the future, and since when this process knows it, on a clock that only goes forward.
_ahead: tuple[datetime, float] | None = None


def note_open(now: datetime) -> timedelta:
    """Record that the site serves users. The first call after an outage gives the lost time back.

    Returns the time given back, or zero if there was no outage or another process was first.
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
        is_set_back = _is_stale_and_ahead(pulse.at, now)
        if is_set_back:
            pulse.at = now
            pulse.save(update_fields=["at"])
            _set_back(lost)
        if lost >= OUTAGE or is_first or is_set_back:
            Pulse.objects.update_or_create(pk=Pulse.Of.OPENED, defaults={"at": now})
    _open_at = now
    return lost if lost >= OUTAGE else timedelta()


def is_away(now: datetime) -> bool:
    """Return whether the site is down for users, so that no table may move on its own.

    Runs a query only if this process has not known for a while. A site that was never up (in a test
    or a command) does not count as down.
    """
    global _open_at
    if _open_at is None or abs(now - _open_at) >= OUTAGE:
        _open_at = Pulse.objects.filter(pk=Pulse.Of.DOORS).values_list("at", flat=True).first()
    return _open_at is not None and now - _open_at >= OUTAGE


def opened_at(now: datetime) -> datetime:
    """Return when the last outage ended, or a time long ago if none is known."""
    opened = Pulse.objects.filter(pk=Pulse.Of.OPENED).values_list("at", flat=True).first()
    return opened or now - timedelta(days=365)


def forget() -> None:
    """Clear this process's memory, for tests."""
    global _open_at, _ahead
    _open_at = _ahead = None


def _is_stale_and_ahead(pulse: datetime, now: datetime) -> bool:
    """Return whether the pulse is from the future and no process has renewed it for a while."""
    global _ahead
    if pulse - now < _SKEW:
        _ahead = None
    elif _ahead is None or _ahead[0] != pulse:
        _ahead = pulse, monotonic()
    return _ahead is not None and monotonic() - _ahead[1] >= OUTAGE.total_seconds()


def _set_back(by: timedelta) -> None:
    """Move the times of all live tables by `by`, which is negative."""
    games = Game.objects.select_for_update().select_related("table")
    for game in games.filter(table__stage=Table.Stage.RUNNING).order_by("pk"):
        stands_still = game.wakes_at is None
        deadlines.thaw(game, by)
        if stands_still:
            deadlines.freeze(game)
        game.save(update_fields=_ALARMS)
    for table in Table.objects.select_for_update().filter(stage__in=LIVE_STAGES).order_by("pk"):
        for name in _TIMES_OF_A_TABLE:
            if (at := getattr(table, name)) is not None:
                setattr(table, name, at + by)
        table.version += 1
        table.save(update_fields=[*_TIMES_OF_A_TABLE, "version"])
        announce_table(table)
    _log_when_kept("the clock was set back by %s; the tables' times follow", -by)


def _give_back(lost: timedelta, now: datetime) -> None:
    # Lock game and table together, as every move does, and the games in a fixed order.
    games = list(
        Game.objects.select_for_update()
        .select_related("table")
        .filter(
            table__stage=Table.Stage.RUNNING,
            # A frozen or paused table loses no time.
            table__frozen_at__isnull=True,
            table__paused_at__isnull=True,
            deadline__isnull=False,
        )
        .order_by("pk")
    )
    running = Game.objects.filter(pk__in=[game.pk for game in games])
    running.update(
        deadline=F("deadline") + lost,
        bot_moves_at=F("bot_moves_at") + lost,
        bot_talks_at=F("bot_talks_at") + lost,
        night_until=F("night_until") + lost,
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
    # During the outage, no one could answer ready checks and motions either.
    asked = Table.objects.filter(asked_until__isnull=False, frozen_at__isnull=True)
    for table in asked.select_for_update():
        assert table.asked_until is not None
        table.asked_until += lost
        if table.met_at is not None:
            table.met_at += lost
        table.version += 1
        table.save(update_fields=["asked_until", "met_at", "version"])
        announce_table(table)
    _log_when_kept("the site was away for %s; given back to %s games", lost, len(games))


def _log_when_kept(line: str, *args: object) -> None:
    # A full disk undoes the work at its end, and again at each pulse.
    transaction.on_commit(partial(logger.warning, line, *args))
