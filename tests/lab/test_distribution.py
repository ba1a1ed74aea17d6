"""The exact distribution of a bot's choice agrees with what it draws."""

from collections import Counter
from random import Random

import pytest

from games.bots import choose
from games.rules.editions import options_of
from games.rules.record import replay
from games.rules.view import view_for
from games.simulation.games import both, play_game

from .distribution import distribution

FINE = 1 << 30


def picks(below):
    left = below(FINE) / FINE * 4.0
    if below(3) == 1:
        return "draw"
    for number, share in enumerate((1.0, 0.5, 1.5)):
        left -= share
        if left < 0:
            return number
    return 3


def test_draws_are_followed_along_every_branch():
    found = distribution(picks)
    assert sum(found.values()) == pytest.approx(1)
    assert found == pytest.approx({"draw": 1 / 3, 0: 1 / 6, 1: 1 / 12, 2: 1 / 4, 3: 1 / 6})


def test_a_draw_that_cannot_be_followed_is_an_error():
    with pytest.raises(TypeError):
        distribution(lambda below: int(below(FINE) / FINE * 3))


@pytest.mark.parametrize("kind", ["reasoner", "uniform"])
def test_a_bot_draws_as_its_distribution_says(kind):
    game = play_game(options_of("en"), 7, "distribution", 1, both(kind))
    random = Random(1)
    for position in list(replay(game.record("en")))[:30:6]:
        state = position.state
        view = view_for(state, state.to_act[0])
        shares = distribution(lambda below, view=view: choose(kind, view, below))
        assert sum(shares.values()) == pytest.approx(1)
        drawn = Counter(choose(kind, view, random.randrange) for _ in range(400))
        for action, share in shares.items():
            assert drawn[action] / 400 == pytest.approx(share, abs=0.1)
