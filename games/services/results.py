"""What a game that has ended comes to, for each of its people."""

from collections.abc import Sequence

from games.models import Game, Result, Seat
from games.rules.state import GameState


def note_results(*, game: Game, seats: Sequence[Seat], state: GameState) -> None:
    """Writes the result of everybody who has a seat; one statement. None where nobody has won.

    Whoever is away by then, and whoever took the seat over, has the result that it came to.
    """
    if state.outcome is None or game.stopped:
        return
    roles = state.setup.roles
    people = sum(1 for seat in seats if not seat.is_bot)
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
            if seat.user_id is not None
        ),
        ignore_conflicts=True,
    )
