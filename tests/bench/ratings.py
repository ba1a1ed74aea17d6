"""Whether ratings find out how good players are: simulated players of known strength.

    python -m tests.bench.ratings [--players 200] [--games 200] [--seed 1]

The chance of each game follows from the true strengths of both teams, with a bias to one side.
Prints the rank correlation of strength and rating, for each side.
"""

from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final

from games.rating import SIGMA, Side, Skill, rate

# Liberals and fascists of a table of seven.
_LIBERALS: Final = 4
_SEATS: Final = 7
# Strengths vary as the ratings suppose at first; one unit of them counts this much for a win.
_SLOPE: Final = 1 / (SIGMA * 0.7)
# How much the rules favour the fascists.
_BIAS: Final = -1.0


@dataclass(frozen=True, slots=True)
class Found:
    # By side.
    correlation: dict[Side, float]
    margin: int


def simulate(players: int, games: int, seed: int) -> Found:
    """Let the players play this many games each. Return how well the ratings order them."""
    chance = Random(seed)
    strength = {side: [chance.gauss(0, SIGMA) for _ in range(players)] for side in Side}
    skill = {side: [Skill() for _ in range(players)] for side in Side}
    for _ in range(games * players // (players // _SEATS * _SEATS)):
        order = chance.sample(range(players), players)
        for start in range(0, players - _SEATS + 1, _SEATS):
            table = order[start : start + _SEATS]
            teams = {Side.LIBERAL: table[:_LIBERALS], Side.FASCIST: table[_LIBERALS:]}
            total = {side: sum(strength[side][pk] for pk in teams[side]) for side in Side}
            edge = _SLOPE * (total[Side.LIBERAL] - total[Side.FASCIST]) + _BIAS
            has_won = chance.random() < 1 / (1 + exp(-edge))
            winner, loser = list(Side) if has_won else list(Side)[::-1]
            before = [[skill[side][pk] for pk in teams[side]] for side in (winner, loser)]
            after = iter(rate(*before, [1.0] * _SEATS))
            for side in (winner, loser):
                for pk in teams[side]:
                    skill[side][pk] = next(after)
    return Found(
        {
            side: rank_correlation(strength[side], [each.mu for each in skill[side]])
            for side in Side
        },
        skill[Side.LIBERAL][0].margin,
    )


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's coefficient.

    >>> rank_correlation([1, 2, 3], [10, 20, 30]), rank_correlation([1, 2, 3], [3, 2, 1])
    (1.0, -1.0)
    """
    count = len(one)
    distance = sum((a - b) ** 2 for a, b in zip(_ranks(one), _ranks(other), strict=True))
    return 1 - 6 * distance / (count * (count**2 - 1))


def _ranks(values: Sequence[float]) -> list[int]:
    ranks = [0] * len(values)
    for rank, number in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        ranks[number] = rank
    return ranks


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for games in sorted({10, 50, 100, given.games}):
        found = simulate(given.players, games, given.seed)
        told = ", ".join(f"{side} {value:.3f}" for side, value in found.correlation.items())
        print(f"{games:4} games each: rank correlation {told}; uncertainty ± {found.margin}")


if __name__ == "__main__":
    main()
