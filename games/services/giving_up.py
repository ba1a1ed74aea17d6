"""A game that one person plays with bots, and does not want to go on with."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Game, Table
from games.refusals import Refusal, Refused
from games.services.live import announce_lobby, announce_table


def give_up_game(*, table: Table, user: User) -> None:
    """Closes a running game whose only person is `user`: nobody wins, and it counts for nothing.

    Raises Refused: NOT_STARTED, NOT_OPEN, GAME_OVER, NOT_SEATED, or NOT_ALONE.
    """
    with transaction.atomic():
        # Both rows in one statement: whoever waited for the lock gets both as they are now.
        game = Game.objects.select_for_update().select_related("table").filter(table=table).first()
        stage = Table.objects.get(pk=table.pk).stage if game is None else game.table.stage
        refusal = {
            Table.Stage.OPEN: Refusal.NOT_STARTED,
            Table.Stage.CLOSED: Refusal.NOT_OPEN,
            Table.Stage.OVER: Refusal.GAME_OVER,
        }.get(Table.Stage(stage))
        if game is None or refusal is not None:
            raise Refused(refusal or Refusal.NOT_STARTED)
        people = {seat.user_id for seat in game.table.seats.all()} - {None}
        if user.pk not in people:
            raise Refused(Refusal.NOT_SEATED)
        if len(people) > 1:
            raise Refused(Refusal.NOT_ALONE)
        game.ended_at = timezone.now()
        game.deadline = game.bot_moves_at = game.wakes_at = None
        game.save(update_fields=["ended_at", "deadline", "bot_moves_at", "wakes_at"])
        locked = game.table
        locked.stage = Table.Stage.CLOSED
        locked.version += 1
        locked.save(update_fields=["stage", "version"])
        announce_table(locked)
        announce_lobby()
