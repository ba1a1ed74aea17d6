"""A game that one person plays with bots, and does not want to go on with."""

from accounts.models import User
from games.models import Game, Table
from games.refusals import Refusal, Refused
from games.services import play


def give_up_game(*, table: Table, user: User) -> None:
    """Ends a running game whose only person is `user`: nobody wins, and it counts for nothing.

    Raises Refused: NOT_STARTED, NOT_OPEN, GAME_OVER, FROZEN, NOT_SEATED, or NOT_ALONE.
    """
    with play.sitting_at(table) as sitting:
        people = {seat.user_id for seat in sitting.seats} - {None}
        if user.pk not in people:
            raise Refused(Refusal.NOT_SEATED)
        if len(people) > 1:
            raise Refused(Refusal.NOT_ALONE)
        sitting.stop(Game.Stopped.GIVEN_UP)
