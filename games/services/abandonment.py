"""Games that no one goes on with: given up by their only person, or left without a clock."""

import logging
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from games.models import Game, GameAction, Pace, Ruling, Table
from games.services import outages, play
from games.wording.refusals import Refusal, Refused

# A game without a clock ends when no person has moved for this long.
WITH_BOTS: Final = timedelta(days=1)
AMONG_PEOPLE: Final = timedelta(days=30)
# After an outage players get at least this long to go on with an old game.
_AFTER_AN_OUTAGE: Final = timedelta(hours=1)
_AT_ONCE: Final = 500

logger = logging.getLogger(__name__)


def give_up_game(*, table: Table, user: User) -> None:
    """End a running game whose only person is `user`. It has no winner and does not count.

    Raises Refused: NOT_STARTED, NOT_OPEN, GAME_OVER, FROZEN, NOT_SEATED, or NOT_ALONE.
    """
    with play.locked_game_at(table) as locked_game:
        if user.pk not in locked_game.people:
            raise Refused(Refusal.NOT_SEATED)
        if len(locked_game.people) > 1:
            raise Refused(Refusal.NOT_ALONE)
        locked_game.stop(Game.Stopped.GIVEN_UP)


def end_abandoned_games(now: datetime | None = None) -> int:
    """End games without a clock in which no person has moved for too long. Return how many.

    Too long is a day, or 30 days if several people play. These games count for nothing. Frozen
    games are left alone, and so is each game for a day after a moderator's act.
    """
    now = now or timezone.now()
    if outages.is_away(now) or now - outages.opened_at(now) < _AFTER_AN_OUTAGE:
        return 0
    ended = 0
    # In random order: games that fail must not hold up the same others each time.
    for table in _abandoned(now).order_by("?")[:_AT_ONCE]:
        try:
            ended += _end_abandoned(table, now)
        except Refused:
            # The game is over or frozen by now.
            continue
        except Exception:
            # One table's error must not keep the games of all others without an end.
            logger.exception("the abandoned game at table %s could not be ended", table.pk)
    return ended


def _abandoned(now: datetime) -> QuerySet[Table]:
    def has_rested_for(rest: timedelta) -> Q:
        since = now - rest
        moves = GameAction.objects.filter(
            game__table=OuterRef("pk"), by=GameAction.By.PLAYER, at__gt=since
        )
        rulings = Ruling.objects.filter(table=OuterRef("pk"), at__gt=since)
        return Q(game__started_at__lte=since) & ~Exists(moves) & ~Exists(rulings)

    running = Table.objects.filter(
        stage=Table.Stage.RUNNING, pace=Pace.UNTIMED, frozen_at__isnull=True
    ).annotate(people=Count("seats__user"))
    return running.filter(
        has_rested_for(AMONG_PEOPLE) | (Q(people__lte=1) & has_rested_for(WITH_BOTS))
    )


def _end_abandoned(table: Table, now: datetime) -> bool:
    """End the game if it is still abandoned once it is locked."""
    with play.locked_game_at(table, now) as locked_game:
        people = {seat.user_id for seat in locked_game.seats} - {None}
        since = now - (WITH_BOTS if len(people) <= 1 else AMONG_PEOPLE)
        if any(
            step.by == GameAction.By.PLAYER and step.at > since
            for step in locked_game.position.steps
        ):
            return False
        locked_game.stop(Game.Stopped.GIVEN_UP)
        return True
