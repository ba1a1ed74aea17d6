"""Records who stayed to the end of a game and who abandoned it: see `games.reliability`."""

from collections.abc import Iterable, Sequence
from typing import Final

from games.models import Game, Seat, Showing

# A player who abandons only bots harms no one.
_LEAST_PEOPLE: Final = 2


def note_end(*, game: Game, seats: Sequence[Seat]) -> None:
    """Record who stayed to the end of the game, and who was away. A voided game is forgotten."""
    if game.stopped == Game.Stopped.VOIDED:
        forget_game(game=game)
        return
    people = [seat for seat in seats if not seat.is_bot]
    if len(people) < _LEAST_PEOPLE:
        return
    _note(
        Showing(game=game, user_id=seat.user_id, is_abandoned=seat.is_away)
        for seat in people
        if seat.user_id is not None
    )


def note_replaced(*, game: Game, user_pk: int) -> None:
    """Record that the table gave this user's seat to another. It stays, however the game ends."""
    _note([Showing(game=game, user_id=user_pk, is_abandoned=True)])


def forget_game(*, game: Game) -> None:
    """Delete the records of this game, so that it counts for no one."""
    Showing.objects.filter(game=game).delete()


def _note(showings: Iterable[Showing]) -> None:
    Showing.objects.bulk_create(showings, ignore_conflicts=True)
