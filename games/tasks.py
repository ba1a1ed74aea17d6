"""Celery tasks: they read clocks and call services.

A lost task causes a delay, but no data loss.
"""

import logging
from datetime import date, datetime, timedelta
from time import sleep
from typing import Final

from celery import shared_task
from celery.signals import after_task_publish
from django.db import Error, InterfaceError, OperationalError, connection
from django.utils import timezone
from structlog.contextvars import bound_contextvars

from accounts.services import notifications, outbox
from config.observability.metrics import SWEEPER_LAG
from games.models import Pulse, RatedTempo
from games.selectors.metrics import overdue_seconds
from games.services import (
    abandonment,
    appointments,
    archive,
    balance,
    calls,
    deadlines,
    dumps,
    game_requests,
    play,
    puzzles,
    ratings,
    seating,
    table_notices,
    tables,
    timed_questions,
)

# In seconds. A task that is early by at most this waits for its moment.
_TOO_EARLY: Final = 0.2
# A task that a worker or the broker has held for longer than this is discarded.
_OF_USE: Final = timedelta(seconds=30)
_TICK: Final = timedelta(seconds=2)
# How long bots may play each night for the balance of house rules.
_NIGHT: Final = timedelta(hours=2)

logger = logging.getLogger(__name__)


@shared_task
def wake_due_games() -> None:
    """Every second: send each game that comes due to a worker, with its time.

    The time is a hint. If the broker or the worker loses it, the claim expires and the next tick
    sends the game again; if it arrives twice, the second task finds nothing to do. So no thread
    waits for a broker that is away.
    """
    now = timezone.now()
    deadlines.record_pulse(Pulse.Of.CLOCK, now)
    SWEEPER_LAG.observe(overdue_seconds(now))
    for alarm in deadlines.claim_due_games(now):
        settle_game.apply_async(
            (alarm.table_id, alarm.moment.isoformat()),
            eta=max(alarm.moment, now),
            expires=max(alarm.moment, now) + _OF_USE,
            retry=False,
        )
    for table_id in timed_questions.due_tables(now):
        # Tables that are not settled are sent again at the next tick.
        settle_question.apply_async((table_id,), expires=now + _TICK, retry=False)


@after_task_publish.connect(sender="games.tasks.wake_due_games")
def note_beat(**kwargs: object) -> None:
    """Record that beat sends its ticks. Only beat sends this task."""
    try:
        deadlines.record_pulse(Pulse.Of.BEAT, timezone.now())
    except Error:
        # Without the database no tick does anything, and the workers say so.
        pass
    finally:
        connection.close()


@shared_task
def note_worker() -> None:
    """Every five seconds: record that the worker for tasks that can wait is alive."""
    deadlines.record_pulse(Pulse.Of.WORKER, timezone.now())


@shared_task
def settle_game(table_id: int, moment: str = "") -> None:
    """Make the due moves at one table. A game that fails is postponed and logged."""
    if moment:
        early = (datetime.fromisoformat(moment) - timezone.now()).total_seconds()
        if 0 < early < _TOO_EARLY:
            sleep(early)
    with bound_contextvars(table_id=table_id):
        try:
            play.settle(table_id)
        except (OperationalError, InterfaceError):
            # The database was down or busy, which is not this game's fault: when the claim expires,
            # the game is sent again.
            logger.warning(
                "the game at table %s did not reach the database", table_id, exc_info=True
            )
        except Exception:
            # A broken game must not block the others, nor fill the log every second.
            logger.exception("the game at table %s failed to move and is pushed back", table_id)
            deadlines.push_back(table_id, timezone.now())


@shared_task
def settle_question(table_id: int) -> None:
    """End an expired ready check or motion. A table that fails is postponed and logged."""
    with bound_contextvars(table_id=table_id):
        try:
            timed_questions.settle(table_id)
        except (OperationalError, InterfaceError):
            logger.warning(
                "what table %s is asked did not reach the database", table_id, exc_info=True
            )
        except Exception:
            logger.exception("what table %s is asked could not be settled", table_id)
            timed_questions.push_back(table_id, timezone.now())


@shared_task
def close_forgotten_tables() -> None:
    tables.close_forgotten_tables()


@shared_task
def end_abandoned_games() -> None:
    abandonment.end_abandoned_games()


@shared_task
def measure_balances(until: str = "") -> None:
    """Every night: let bots play by house rules that users have asked about.

    A run plays a few games and sends the next one, so that more urgent tasks get their turn. It
    stops at `until`, or when nothing is left to measure.
    """
    now = timezone.now()
    end = datetime.fromisoformat(until) if until else now + _NIGHT
    if now < end and balance.measure_next():
        measure_balances.apply_async((end.isoformat(),), expires=end)


@shared_task
def write_dump(month: str = "") -> None:
    """On the first of each month: write the dump of the month before."""
    before = timezone.now().date().replace(day=1) - timedelta(days=1)
    dumps.write_dump(month=date.fromisoformat(month) if month else before.replace(day=1))


@shared_task
def forget_old_notifications() -> None:
    notifications.delete_old_notifications(now=timezone.now())


@shared_task
def settle_scheduled_tables() -> None:
    """Every few seconds: let tables meet whose date has come; close those to which too few came."""
    appointments.settle_due(timezone.now())


@shared_task
def send_notices() -> None:
    """Every ten seconds: remind players of dates, and send the mails and pushes that are due."""
    now = timezone.now()
    table_notices.remind_due(now)
    outbox.send_due(now)


@shared_task
def count_ratings() -> None:
    """Every few seconds: rate the games that have ended, and take voided ones back."""
    for tempo in RatedTempo.values:
        ratings.settle(tempo)


@shared_task
def archive_games() -> None:
    """Every few seconds: take the games that have ended into the archive."""
    archive.take_in()


@shared_task
def archive_seasons() -> None:
    """Every day: keep the standings of a season that has ended."""
    ratings.archive_seasons()


@shared_task
def serve_game_requests() -> None:
    """Every three seconds: seat or call the users who look for a game."""
    now = timezone.now()
    game_requests.forget_old(now)
    seating.settle(now)
    calls.call_waiting(now)


@shared_task
def make_next_puzzle() -> None:
    """Every night: make the puzzle of the next day."""
    puzzles.make_puzzle(puzzles.today() + timedelta(days=1))
