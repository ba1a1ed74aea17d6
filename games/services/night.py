"""The first night: players confirm that they have read their roles before the first nomination.

`Game.night_until` says how long the nomination waits at most, `Seat.has_read_role` who has
confirmed. Neither is an action of the game, so records do not know of them. Bots never have to
confirm, and the night does not wait for players who are away.
"""

from accounts.models import User
from games.models import Table
from games.services import play
from games.wording.refusals import Refusal, Refused


def confirm_role(*, table: Table, user: User) -> None:
    """Note that `user` has read their role. Does nothing after the night. Raises Refused."""
    with play.locked_game_at(table) as locked_game:
        seat = next((seat for seat in locked_game.seats if seat.user_id == user.pk), None)
        if seat is None:
            raise Refused(Refusal.NOT_SEATED)
        if locked_game.game.night_until is not None and not seat.has_read_role:
            locked_game.note_present(seat)
            locked_game.note_role_read(seat)
