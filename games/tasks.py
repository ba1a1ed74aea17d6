"""What Celery does: it reads clocks and calls services. Losing it delays, and loses nothing."""

import logging
from datetime import datetime, timedelta
from time import sleep
from typing import Final

from celery import shared_task
from django.db import InterfaceError, OperationalError
from django.utils import timezone
from structlog.contextvars import bound_contextvars

from accounts.services import notifications
from games.metrics import SWEEPER_LAG, overdue_seconds
from games.services import balance, deadlines, play, questions, tables

# An alarm that rings too early waits here for its moment, if it is not more than this: seconds.
_TOO_EARLY: Final = 0.2
# What a worker or a broker kept for longer is of no use any more.
_OF_USE: Final = timedelta(seconds=30)
_TICK: Final = timedelta(seconds=2)

logger = logging.getLogger(__name__)


@shared_task
def wake_due_games() -> None:
    """Every second: hands each game that comes due to a worker, with its moment.

    The moment is a hint. Where the broker or the worker loses it, the claim ends and the next
    tick hands the game out again; where it comes twice, the second finds nothing to do.
    """
    now = timezone.now()
    deadlines.beat(now)
    SWEEPER_LAG.observe(overdue_seconds(now))
    for alarm in deadlines.claim_due_games(now):
        settle_game.apply_async(
            (alarm.table_id, alarm.moment.isoformat()),
            eta=max(alarm.moment, now),
            expires=max(alarm.moment, now) + _OF_USE,
        )
    for table_id in questions.due_tables(now):
        # Whatever is not settled is handed out again at the next tick.
        settle_question.apply_async((table_id,), expires=now + _TICK)


@shared_task
def settle_game(table_id: int, moment: str = "") -> None:
    """Makes the moves of one table that are due; one that fails is put off and logged."""
    if moment:
        early = (datetime.fromisoformat(moment) - timezone.now()).total_seconds()
        if 0 < early < _TOO_EARLY:
            sleep(early)
    with bound_contextvars(table_id=table_id):
        try:
            play.settle(table_id)
        except (OperationalError, InterfaceError):
            # The database was away or busy, which says nothing about this game: when the
            # claim ends, it is handed out again.
            logger.warning(
                "the game at table %s did not reach the database", table_id, exc_info=True
            )
        except Exception:
            # Whatever broke this game must not hold up the others, nor fill the log every second.
            logger.exception("the game at table %s failed to move and is pushed back", table_id)
            deadlines.push_back(table_id, timezone.now())


@shared_task
def settle_question(table_id: int) -> None:
    """Ends a ready check or a motion whose time is over; one that fails is put off and logged."""
    with bound_contextvars(table_id=table_id):
        try:
            questions.settle(table_id)
        except (OperationalError, InterfaceError):
            logger.warning(
                "what table %s is asked did not reach the database", table_id, exc_info=True
            )
        except Exception:
            logger.exception("what table %s is asked could not be settled", table_id)
            questions.push_back(table_id, timezone.now())


@shared_task
def close_forgotten_tables() -> None:
    tables.close_forgotten_tables()


@shared_task
def count_balance(key: str) -> None:
    """Games between bots, some at a time: there are more urgent things to do."""
    if balance.count(key):
        balance.send_count(key)


@shared_task
def forget_old_notifications() -> None:
    notifications.forget_old(now=timezone.now())
