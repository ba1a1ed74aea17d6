"""The minutes of a simulated game."""

from games.rules.view import public_step
from games.state.game_log import GameLog, Round
from tests.secrecy.histories import History, replay


def rounds_of(history: History, world=None, until: int | None = None) -> tuple[Round, ...]:
    """Return the minutes of a simulated game."""
    world = world or history.world
    moves = world.until(len(history.states) if until is None else until)
    _, told = replay(history.options, world, moves)
    steps = tuple(
        public_step(number, 0, move.action, events, by=move.by, at=None)  # type: ignore[arg-type]
        for number, (move, events) in enumerate(zip(moves, told, strict=True))
    )
    return GameLog().after(steps, ()).rounds
