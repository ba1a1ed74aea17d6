"""The minutes of a simulated game."""

from games.state.game_log import GameLog, Round
from games.state.positions import Step
from tests.secrecy.histories import History, replay


def rounds_of(history: History, world=None, until: int | None = None) -> tuple[Round, ...]:
    """Return the minutes of a simulated game."""
    world = world or history.world
    moves = world.until(len(history.states) if until is None else until)
    _, told = replay(history.options, world, moves)
    steps = tuple(
        Step(number, 0, move.action, move.by, None, events)  # type: ignore[arg-type]
        for number, (move, events) in enumerate(zip(moves, told, strict=True))
    )
    return GameLog().after(steps, ()).rounds
