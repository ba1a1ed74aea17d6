"""How many games the liberals win between bots of one kind: what a balance is made of."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from games.rules.components import Party
from games.rules.editions import Options
from games.simulation.games import both, play_game
from games.simulation.processes import in_processes

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
    """Return each batch's number of games and of liberal wins, one after the other."""
    batches = [
        (measured, seed, range(first, min(first + _BATCH, games)))
        for first in range(0, games, _BATCH)
        for measured in wanted
    ]
    return in_processes(_play_batch, batches, jobs)


def _play_batch(batch: tuple[Measured, str, range]) -> tuple[Measured, int, int]:
    measured, seed, numbers = batch
    return measured, len(numbers), liberal_wins(measured, seed, numbers)
