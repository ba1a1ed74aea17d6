"""Counts who wins from each state of the tracks, between bots: `python -m tests.lab.win_rates`."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from games.analysis.win_rates import FORMAT, STANDARD, VERSION
from games.bots import SKILLED
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS, Party
from games.rules.editions import EDITIONS
from games.rules.phases import Phase
from games.rules.record import replay
from games.simulation.games import both, play_game

from .frame import arguments, counted, write_model

EDITION: Final = "en"


def main(argv: Sequence[str] | None = None) -> None:
    parser = arguments(__doc__, games=400, jobs=True, seed="1", out=STANDARD)
    parser.add_argument("--kind", default=SKILLED, help="which bots play")
    given = parser.parse_args(argv)
    play = partial(states_of, given.kind, given.seed)
    sizes = range(LEAST_PLAYERS, MOST_PLAYERS + 1)
    found = counted(play, sizes, range(given.games), given.jobs)
    rows = {
        str(size): [
            [*state, counts["games", state], counts["wins", state]]
            for what, state in sorted(counts)
            if what == "games"
        ]
        for size, counts in found.items()
    }
    data = {
        "format": FORMAT,
        "version": VERSION,
        "columns": ["liberal", "fascist", "tracker", "games", "liberal wins"],
        "players": rows,
    }
    command = f"python -m tests.lab.win_rates --games {given.games} --seed {given.seed}"
    source = {"games_of_each": given.games, "bots": given.kind, "edition": EDITION}
    write_model(given.out, data, command, source)


def states_of(kind: str, seed: str, players: int, number: int) -> Counter[Any]:
    """Play a game. It counts once for each state in which one of its rounds began."""
    played = play_game(EDITIONS[EDITION], players, seed, number, both(kind))
    states = {
        (position.state.liberal, position.state.fascist, position.state.tracker)
        for position in replay(played.record(EDITION))
        if position.state.phase is Phase.NOMINATION
    }
    counts = Counter(("games", state) for state in states)
    outcome = played.state.outcome
    if outcome is not None and outcome.winner is Party.LIBERAL:
        counts.update(("wins", state) for state in states)
    return counts


if __name__ == "__main__":
    main()
