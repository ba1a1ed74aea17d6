"""How fast the inference is: `.venv/bin/python -m tests.bench.inference_speed`.

Follows games of ten reasoning bots as a spectator and as seat 0. Every public event and every claim
is one update, with the probabilities asked for after it. Random claims come at the end of a round.
A late claim contradicts the first session at the end of the game, so that all of it is reckoned
again. Times are of this thread's processor, so that other programs on the machine do not count.
"""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from statistics import median, quantiles
from time import thread_time

from games.inference import Belief
from games.rules.claims import Told, sights
from games.rules.editions import options_of
from games.rules.events import Event
from games.rules.knowledge import Knowledge
from games.rules.record import replay
from games.rules.view import public_event, view_for
from games.simulation.games import both, play_game

GAMES = 12
PLAYERS = 10


def update_times() -> tuple[list[float], list[float]]:
    """Return the milliseconds of each update in its turn, and of each late claim."""
    options = options_of("en")
    in_turn, late = [], []
    for number in range(1, GAMES + 1):
        game = play_game(options, PLAYERS, "inference speed", number, both("reasoner"))
        positions = list(replay(game.record("en")))
        told: list[Told] = [
            (before.state.round, after.entry.action.seat, tuple(map(public_event, after.events)))
            for before, after in pairwise(positions)
            if after.entry is not None
        ]
        random = Random(number)
        claims = [random.choice(sight.claims) for sight in sights(told)]
        for viewer in (None, 0):
            roles = view_for(positions[0].state, viewer).roles
            belief = Belief(options, PLAYERS, viewer, roles)
            in_turn += [milliseconds(belief, item) for item in course(told, claims)]
            other = [claim for claim in sights(told)[0].claims if claim != claims[0]]
            late.append(milliseconds(belief, random.choice(other)))
    return in_turn, late


def course(told: list[Told], claims: list[Knowledge]) -> Iterator[Event | Knowledge]:
    """Yield the events, and after the last one of each round the claims about it."""
    for (number, _, events), after in zip(told, [*told[1:], None], strict=True):
        yield from events
        if after is None or after[0] != number:
            yield from (claim for claim in claims if claim.round == number)


def milliseconds(belief: Belief, item: Event | Knowledge) -> float:
    begun = thread_time()
    belief.update(item)
    belief.probabilities()
    return (thread_time() - begun) * 1000


def main() -> None:
    for name, times in zip(("in turn", "late claim"), update_times(), strict=True):
        print(
            f"{name:10}: {len(times):4} updates, ms: median {median(times):.2f}, "
            f"95 % {quantiles(times, n=20)[-1]:.2f}, most {max(times):.2f}"
        )


if __name__ == "__main__":
    main()
