"""Who may see the replay of a finished game by its address alone.

At a table that only some may see, everyone who played must allow it.
"""

from games.models import Seat
from games.state.game_log import Replaced, interjections_of
from games.state.rooms import Room


def needs_consent(room: Room) -> bool:
    """Return whether the address alone does not open the finished game."""
    return room.table.needs_invitation or not room.table.spectators


def asked_for_consent(room: Room) -> tuple[Seat, ...]:
    """Return the seats of the people who must allow it. Empty if they cannot all be asked.

    A player who was replaced during the game has no seat any more, and so cannot be asked.
    """
    if any(isinstance(told.aside, Replaced) for told in interjections_of(room)):
        return ()
    return tuple(seat for seat in room.seats if seat.user_id is not None)


def is_open_to_all(room: Room) -> bool:
    """Return whether everyone who has its address may see the replay of this finished game."""
    if not room.is_over or room.game is None:
        return False
    if not needs_consent(room):
        return True
    asked = asked_for_consent(room)
    return bool(asked) and all(seat.shares_replay for seat in asked)
