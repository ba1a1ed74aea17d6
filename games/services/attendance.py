"""Records who stayed to the end of a game and who abandoned it: see `games.state.reliability`."""

from collections.abc import Iterable, Sequence
from typing import Final

from games.models import Attendance, Game, Seat

# A player who abandons only bots harms no one.
_LEAST_PEOPLE: Final = 2


def record_attendance(*, game: Game, seats: Sequence[Seat]) -> None:
    """Record who stayed to the end of the game, and who was away. A voided game is forgotten."""
    if game.stopped == Game.Stopped.VOIDED:
        delete_attendance(game=game)
        return
    people = [seat for seat in seats if seat.is_person]
    if len(people) < _LEAST_PEOPLE:
        return
    _note(
        Attendance(game=game, user_id=seat.user_id, is_abandoned=seat.is_away)
        for seat in people
        if seat.user_id is not None
    )


def record_replaced(*, game: Game, user_pk: int) -> None:
    """Record that the table gave this user's seat to another. It stays, however the game ends."""
    _note([Attendance(game=game, user_id=user_pk, is_abandoned=True)])


def delete_attendance(*, game: Game) -> None:
    """Delete the records of this game, so that it counts for no one."""
    Attendance.objects.filter(game=game).delete()


def _note(showings: Iterable[Attendance]) -> None:
    Attendance.objects.bulk_create(showings, ignore_conflicts=True)
