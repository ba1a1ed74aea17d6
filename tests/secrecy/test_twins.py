"""The twins behind the pairs: really different games, of every kind, that look the same."""

from collections import Counter
from random import Random

from games.rules.view import view_for
from tests.secrecy.histories import random_history, replay
from tests.secrecy.pairs import moments
from tests.secrecy.twins import differences, twin


def test_a_twin_looks_the_same_to_its_viewer_and_is_another_game():
    rng, met, count = Random("twins"), Counter(), 400
    for _ in range(count // 4):
        history = random_history(rng)
        for tick in moments(history, rng, 4):
            viewer = rng.choice([None, *range(history.players)])

            other = twin(history, tick, viewer, rng)

            theirs, _ = replay(history.options, other, other.until(tick))
            assert view_for(theirs, viewer) == view_for(history.states[tick], viewer)
            assert view_for(theirs, None) == view_for(history.states[tick], None)
            met.update(differences(history, tick, other))
    # Most twins differ in what most viewers cannot see; the rest wherever they can differ.
    assert met["seed"] == count
    assert met["pile"] > count * 0.9
    assert met["roles"] > count * 0.4
    for what in ("hand", "discards", "knowledge", "running ballots", "recast ballots"):
        assert met[what] > count * 0.05, met


def test_someone_else_would_see_the_difference():
    """The twin looks different to viewers who may know more: its views do show facts."""
    rng, seen = Random("others"), 0
    for _ in range(50):
        history = random_history(rng)
        tick = moments(history, rng, 1)[0]
        other = twin(history, tick, None, rng)
        theirs, _ = replay(history.options, other, other.until(tick))
        seen += any(
            view_for(theirs, seat) != view_for(history.states[tick], seat)
            for seat in range(history.players)
        )
    assert seen > 40
