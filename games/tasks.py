"""What Celery does: it reads clocks and calls services. Losing it delays, and loses nothing."""

import logging

from celery import shared_task
from django.utils import timezone
from structlog.contextvars import bound_contextvars

from games.metrics import SWEEPER_LAG, overdue_seconds
from games.services import deadlines, play, tables

logger = logging.getLogger(__name__)


@shared_task
def wake_due_games() -> None:
    """Every second: hands each game that is due to a worker."""
    now = timezone.now()
    deadlines.beat(now)
    SWEEPER_LAG.observe(overdue_seconds(now))
    for table_id in deadlines.claim_due_games(now):
        settle_game.delay(table_id)


@shared_task
def settle_game(table_id: int) -> None:
    """Makes the moves of one table that are due; one that fails is put off and logged."""
    with bound_contextvars(table_id=table_id):
        try:
            play.settle(table_id)
        except Exception:
            # Whatever broke this game must not hold up the others, nor fill the log every second.
            logger.exception("the game at table %s failed to move and is pushed back", table_id)
            deadlines.push_back(table_id, timezone.now())


@shared_task
def close_forgotten_tables() -> None:
    tables.close_forgotten_tables()
