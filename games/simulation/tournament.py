"""Games between kinds of bots, side against side, in several processes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from games.rules.components import Party
from games.rules.editions import options_of
from games.rules.phases import Ending
from games.simulation.games import play_game
from games.simulation.processes import in_processes

# Games that one process plays before it reports.
_BATCH: Final = 10
# The quantile of the normal distribution for an interval of 95 %.
_Z: Final = 1.96


@dataclass(frozen=True, slots=True)
class Pairing:
    """The kinds of bots that play each side, by the rules of an edition."""

    edition: str
    players: int
    liberals: str
    fascists: str


@dataclass(slots=True)
class Score:
    """How the games of a pairing ended."""

    endings: Counter[Ending] = field(default_factory=Counter)
    liberal_wins: int = 0

    @property
    def games(self) -> int:
        return self.endings.total()

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the liberals' share of wins (Wilson)."""
        n, share = self.games, self.liberal_wins / self.games
        middle = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        half = _Z / (1 + _Z**2 / n) * sqrt(share * (1 - share) / n + _Z**2 / (4 * n * n))
        return middle - half, middle + half


def play(
    pairings: Sequence[Pairing], games: int, seed: str, jobs: int
) -> Iterator[tuple[Pairing, Score]]:
    """Return parts of each pairing's score, one after the other as batches are finished.

    The same arguments give the same games, in whatever order they are played.
    """
    batches = [
        (pairing, seed, first, min(first + _BATCH, games + 1))
        for first in range(1, games + 1, _BATCH)
        for pairing in pairings
    ]
    return in_processes(_play_batch, batches, jobs)


def _play_batch(batch: tuple[Pairing, str, int, int]) -> tuple[Pairing, Score]:
    pairing, seed, first, end = batch
    options = options_of(pairing.edition)
    bots = {Party.LIBERAL: pairing.liberals, Party.FASCIST: pairing.fascists}
    score = Score()
    for number in range(first, end):
        outcome = play_game(options, pairing.players, seed, number, bots).state.outcome
        assert outcome is not None
        score.endings[outcome.ending] += 1
        score.liberal_wins += outcome.winner is Party.LIBERAL
    return pairing, score
