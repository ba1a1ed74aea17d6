"""Games of cautious bots are balanced: neither side wins nearly always, and skill pays.

The games are seeded, so the shares are the same in every run.
"""

import pytest

from games.rules.components import Party
from games.rules.editions import options_of
from games.simulation.games import Bots, play_game

pytestmark = pytest.mark.nightly

CAUTIOUS: Bots = dict.fromkeys(Party, "cautious")
UNIFORM: Bots = dict.fromkeys(Party, "uniform")
COUNTS = range(5, 11)


def liberal_share(players: int, bots: Bots, games: int) -> float:
    options = options_of("en")
    outcomes = (
        play_game(options, players, "balance", number, bots).state.outcome
        for number in range(1, games + 1)
    )
    return sum(outcome.winner is Party.LIBERAL for outcome in outcomes) / games


@pytest.mark.parametrize("players", COUNTS)
def test_among_cautious_bots_either_side_may_win(players: int) -> None:
    assert 0.3 <= liberal_share(players, CAUTIOUS, 150) <= 0.7


@pytest.mark.parametrize("players", COUNTS)
def test_cautious_liberals_do_far_better_than_uniform_ones(players: int) -> None:
    cautious = UNIFORM | {Party.LIBERAL: "cautious"}
    assert liberal_share(players, cautious, 100) > 0.5
    assert liberal_share(players, UNIFORM, 100) < 0.4


@pytest.mark.parametrize("players", COUNTS)
def test_cautious_fascists_beat_uniform_liberals(players: int) -> None:
    cautious = UNIFORM | {Party.FASCIST: "cautious"}
    assert liberal_share(players, cautious, 100) < 0.25
