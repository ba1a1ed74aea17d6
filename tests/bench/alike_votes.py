"""Whether the sign "alike votes" finds two accounts that vote as one, and spares all others.

    python -m tests.bench.alike_votes [--pairs 1000] [--games 60] [--seed 1]

Simulated players have habits: some say Ja more often than others, at every table. Each election has
a mood that all share; fascists like governments with one of their own. A pair is flagged if it
stands out after any of its games, each time over the last thirty games together.
"""

from argparse import ArgumentParser
from collections import deque
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final

from games.rating import RECENT, Side
from games.rating.alike import JA, NEIN, SILENT, Votes, percent_alike

_SEATS: Final = 7
_FASCISTS: Final = 3
_ELECTIONS: Final = 14
# How far the habits of players and the moods of elections differ, in logits of a Ja.
_HABITS: Final = 1.0
_MOODS: Final = 1.2
_OWN_SIDE: Final = 0.8
# How often accounts of one person, or partners, cast the same ballot on purpose.
COPIES: Final = (0.0, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True, slots=True)
class Pair:
    # After how many games together the sign came; None if it never did.
    after: int | None


def simulate(pairs: int, games: int, copies: float, seed: int) -> list[Pair]:
    """Return how pairs fared whose second player copies this share of the first one's ballots."""
    chance = Random(seed)
    return [_pair(chance, games, copies) for _ in range(pairs)]


def _pair(chance: Random, games: int, copies: float) -> Pair:
    habits = [chance.gauss(0, _HABITS) for _ in range(2)]
    recent: deque[Votes | None] = deque(maxlen=RECENT)
    for number in range(1, games + 1):
        is_opposed, votes = _game(chance, habits, copies)
        recent.append(votes if is_opposed else None)
        opposed = [votes for votes in recent if votes is not None]
        if percent_alike(0, 1, opposed) is not None:
            return Pair(number)
    return Pair(None)


def _game(chance: Random, habits: list[float], copies: float) -> tuple[bool, Votes]:
    """Return whether the pair is on opposite sides, and the ballots of a game.

    The two players of the pair sit at places 0 and 1.
    """
    roles = [Side.FASCIST] * _FASCISTS + [Side.LIBERAL] * (_SEATS - _FASCISTS)
    chance.shuffle(roles)
    likes = [*habits, *(chance.gauss(0, _HABITS) for _ in range(_SEATS - 2))]
    elections = []
    for _ in range(_ELECTIONS):
        mood = chance.gauss(0, _MOODS)
        officers = chance.sample(range(_SEATS), 2)
        has_fascist = any(roles[seat] is Side.FASCIST for seat in officers)
        ballots = []
        for seat, like in enumerate(likes):
            own = _OWN_SIDE if (roles[seat] is Side.FASCIST) is has_fascist else -_OWN_SIDE
            ja = chance.random() < 1 / (1 + exp(-(mood + like + own)))
            ballots.append(JA if ja else NEIN)
        if chance.random() < copies:
            ballots[1] = ballots[0]
        for seat in officers:
            ballots[seat] = SILENT
        elections.append("".join(ballots))
    return roles[0] is not roles[1], Votes(tuple(range(_SEATS)), " ".join(elections))


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for copies in COPIES:
        found = simulate(given.pairs, given.games, copies, given.seed)
        after = sorted(pair.after for pair in found if pair.after is not None)
        told = f"; half of them within {after[len(after) // 2]} games together" if after else ""
        print(f"{copies:4.0%} of ballots copied: {len(after) / len(found):6.1%} flagged{told}")


if __name__ == "__main__":
    main()
