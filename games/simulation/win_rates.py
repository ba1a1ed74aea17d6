"""Who wins from which state of the tracks, counted in games between bots of one kind."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from games.analysis.win_rates import TrackState
from games.rules.components import Party
from games.rules.editions import EDITIONS
from games.rules.phases import Phase
from games.rules.record import replay
from games.simulation.games import both, play_game
from games.simulation.processes import in_processes

EDITION: Final = "en"
# Games that one process plays before it reports.
_BATCH: Final = 5

# Players, and of each state the number of games and of liberal wins.
Counted = tuple[int, Counter[TrackState], Counter[TrackState]]
_Batch = tuple[int, str, str, range]


def count_all(
    players: Sequence[int], kind: str, games: int, seed: str, jobs: int
) -> Iterator[Counted]:
    """Yield the counts of each batch of games, one after the other."""
    batches: list[_Batch] = [
        (number, kind, seed, range(first, min(first + _BATCH, games)))
        for first in range(0, games, _BATCH)
        for number in players
    ]
    return in_processes(_count, batches, jobs)


def _count(batch: _Batch) -> Counted:
    players, kind, seed, numbers = batch
    games: Counter[TrackState] = Counter()
    wins: Counter[TrackState] = Counter()
    for number in numbers:
        played = play_game(EDITIONS[EDITION], players, seed, number, both(kind))
        # A game counts once for each state in which one of its rounds began.
        states = {
            (position.state.liberal, position.state.fascist, position.state.tracker)
            for position in replay(played.record(EDITION))
            if position.state.phase is Phase.NOMINATION
        }
        games.update(states)
        outcome = played.state.outcome
        if outcome is not None and outcome.winner is Party.LIBERAL:
            wins.update(states)
    return players, games, wins
