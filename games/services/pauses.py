"""Pause, go on, and next: for a player whose only company are bots.

While a game is paused, no clock runs and no bot moves or speaks. A move of the player ends the
pause. What bots will do and when is not changed, so it tells nothing.
"""

from accounts.models import User
from games.models import Table
from games.services import play
from games.wording.refusals import Refusal, Refused


def pause_game(*, table: Table, user: User) -> None:
    """Stop all clocks of a game until its only person goes on. Raises what `_alone` raises."""
    with play.locked_game_at(table) as locked_game:
        _alone(locked_game, user)
        if not locked_game.table.is_paused:
            locked_game.pause()


def resume_game(*, table: Table, user: User) -> None:
    """Let a paused game go on. Raises what `_alone` raises."""
    with play.locked_game_at(table) as locked_game:
        _alone(locked_game, user)
        locked_game.resume()


def next_move(*, table: Table, user: User) -> None:
    """Let the next bot move at once, after what bots say before it. A paused game stays paused.

    Raises what `_alone` raises.
    """
    with play.locked_game_at(table) as locked_game:
        _alone(locked_game, user)
        locked_game.hurry()


def _alone(locked_game: play.LockedGame, user: User) -> None:
    """Raise Refused unless `user` sits here, alone with bots: NOT_SEATED or NOT_ALONE.

    `locked_game_at` has raised NOT_STARTED, NOT_OPEN, GAME_OVER or FROZEN already.
    """
    if user.pk not in locked_game.people:
        raise Refused(Refusal.NOT_SEATED)
    if len(locked_game.people) > 1:
        raise Refused(Refusal.NOT_ALONE)
