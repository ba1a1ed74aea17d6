"""The results of a finished game for each of its players."""

from collections.abc import Sequence

from games.models import Game, Result, Seat
from games.rules.state import GameState


def record_results(*, game: Game, seats: Sequence[Seat], state: GameState) -> None:
    """Save a result for every person who stayed, in one query.

    Players who took over a seat get that seat's result; for players who are away at the end a
    bot has played on. Does nothing if the game has no winner.
    """
    if state.outcome is None or game.stopped:
        return
    roles = state.setup.roles
    people = sum(seat.has_stayed for seat in seats)
    Result.objects.bulk_create(
        (
            Result(
                game=game,
                user_id=seat.user_id,
                role=roles[seat.number],
                has_won=roles[seat.number].party is state.outcome.winner,
                people=people,
            )
            for seat in seats
            if seat.has_stayed and seat.user_id is not None
        ),
        ignore_conflicts=True,
    )
