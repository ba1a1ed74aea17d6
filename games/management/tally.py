"""Statistics of a series of simulated games."""

from collections import Counter
from dataclasses import dataclass, field
from statistics import mean, median

from games.rules.components import Party
from games.rules.phases import Ending
from games.simulation.games import SimulatedGame


@dataclass(frozen=True, slots=True)
class Lengths:
    """Statistics of the games' lengths, in one unit."""

    mean: float
    median: float
    least: int
    most: int


@dataclass(slots=True)
class Tally:
    """Counts finished games."""

    winners: Counter[Party] = field(default_factory=Counter)
    endings: Counter[Ending] = field(default_factory=Counter)
    actions: list[int] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    # Time spent playing the games, without any other work.
    seconds: float = 0.0

    def add(self, game: SimulatedGame, seconds: float) -> None:
        """Count a finished game that took `seconds` to play."""
        outcome = game.state.outcome
        assert outcome is not None
        self.winners[outcome.winner] += 1
        self.endings[outcome.ending] += 1
        self.actions.append(len(game.actions))
        self.rounds.append(game.state.round)
        self.seconds += seconds

    @property
    def games(self) -> int:
        return len(self.actions)

    @property
    def actions_per_second(self) -> float:
        return sum(self.actions) / self.seconds


def lengths_of(values: list[int]) -> Lengths:
    """Return the statistics of at least one length."""
    return Lengths(mean(values), median(values), min(values), max(values))


def tally_json(tally: Tally) -> dict[str, object]:
    """Return the tally of at least one game as a JSON object."""
    return {
        "games": tally.games,
        "winners": {str(party): tally.winners[party] for party in Party},
        "endings": {str(ending): tally.endings[ending] for ending in Ending},
        "actions": sum(tally.actions),
        "rounds": sum(tally.rounds),
        "seconds": round(tally.seconds, 6),
        "actions_per_second": round(tally.actions_per_second),
    }
