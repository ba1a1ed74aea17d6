"""How many games the liberals win between bots of one kind: what a balance is made of."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Final

from games.rules.components import Party
from games.rules.editions import Options
from games.simulation.games import both, play_game

# Games that one process plays before it reports.
_BATCH: Final = 10


@dataclass(frozen=True, slots=True)
class Measured:
    """What is measured: rules for a number of players, played by one kind of bot."""

    options: Options
    players: int
    kind: str


def liberal_wins(measured: Measured, seed: str, numbers: Iterable[int]) -> int:
    """Play these games of the series `seed`, and return how many the liberals won."""
    kinds = both(measured.kind)
    winners = (
        play_game(measured.options, measured.players, seed, number, kinds).state.outcome
        for number in numbers
    )
    return sum(1 for outcome in winners if outcome and outcome.winner is Party.LIBERAL)


def measure_all(
    wanted: Sequence[Measured], games: int, seed: str, jobs: int
) -> Iterator[tuple[Measured, int, int]]:
    """Yield each batch's number of games and of liberal wins when it is finished."""
    batches = [
        (measured, seed, range(first, min(first + _BATCH, games)))
        for first in range(0, games, _BATCH)
        for measured in wanted
    ]
    if jobs == 1:
        yield from map(_play_batch, batches)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(_play_batch, batches)


def _play_batch(batch: tuple[Measured, str, range]) -> tuple[Measured, int, int]:
    measured, seed, numbers = batch
    return measured, len(numbers), liberal_wins(measured, seed, numbers)
