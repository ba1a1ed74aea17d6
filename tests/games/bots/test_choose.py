"""In every game, a bot's choice is legal and depends only on its own view."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bots import choose, names, pick
from games.rules.chance import SealedChance
from games.rules.components import Party
from games.rules.editions import EDITIONS, options_of
from games.rules.legality import legal_actions
from games.rules.state import draft_of, freeze
from games.rules.transition import apply, opening
from games.rules.view import view_for
from games.simulation.games import both, play_game
from tests.examples import examples

from .scenes import Scene


def first(n: int) -> int:
    return 0


@settings(max_examples=examples(40), deadline=None)
@given(
    edition=st.sampled_from(sorted(EDITIONS)),
    players=st.integers(5, 10),
    seed=st.binary(min_size=32, max_size=32),
    kinds=st.lists(st.sampled_from(names()), min_size=10, max_size=10),
)
def test_bots_only_ask_for_legal_actions_and_every_game_ends(
    edition: str, players: int, seed: bytes, kinds: list[str]
) -> None:
    players = min(players, EDITIONS[edition].players[1])
    chance = SealedChance(seed, ["00" * 16] * players)
    state = opening(options_of(edition), chance.deal(options_of(edition), players))
    random = Random(seed)
    for _ in range(5_000):
        if state.outcome is not None:
            break
        for seat in state.to_act:
            view = view_for(state, seat)
            action = choose(kinds[seat], view, random.randrange)
            assert action in view.legal
            state, _ = apply(state, action, chance)
    assert state.outcome is not None


@settings(max_examples=examples(12), deadline=None)
@given(number=st.integers(1, 10_000), players=st.integers(5, 10))
def test_bots_choose_the_same_when_only_hidden_things_differ(number: int, players: int) -> None:
    game = play_game(options_of("en"), players, "secrets", number, both("reasoner"))
    chance = game.chance.chance
    state = opening(options_of("en"), chance.deal(options_of("en"), players))
    for action in game.actions:
        if len(state.draw) > 1:
            other = draft_of(state)
            other.draw = tuple(reversed(state.draw))
            other.discards = tuple(reversed(state.discards))
            assert _choice(freeze(other), action.seat) == _choice(state, action.seat)
        state, _ = apply(state, action, chance)


def _choice(state, seat):
    return choose("reasoner", view_for(state, seat), Random(7).randrange)


def test_the_same_view_and_chance_give_the_same_choice() -> None:
    view = view_for(Scene(7).state, 0)
    choices = {choose("reasoner", view, Random(3).randrange) for _ in range(5)}
    assert len(choices) == 1


def test_a_uniform_bot_takes_each_legal_action_about_as_often() -> None:
    view = view_for(Scene(7).state, 0)
    random = Random(1)
    counts = dict.fromkeys(view.legal, 0)
    for _ in range(6_000):
        counts[choose("uniform", view, random.randrange)] += 1
    assert len(counts) == 6
    assert all(800 < count < 1_200 for count in counts.values())


def test_pick_takes_what_below_says() -> None:
    legal = legal_actions(Scene(5).state, 0)
    assert pick(legal, lambda n: n - 1) == legal[-1]


def test_a_bot_with_nothing_to_decide_says_so() -> None:
    with pytest.raises(ValueError, match="nothing to decide"):
        choose("reasoner", view_for(Scene(5).state, 3), first)


def test_a_spectator_has_nothing_to_decide() -> None:
    with pytest.raises(ValueError, match="nothing to decide"):
        choose("uniform", view_for(Scene(5).state, None), first)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="no such kind"):
        choose("brilliant", view_for(Scene(5).state, 0), first)


def test_the_uniform_game_is_the_same_with_and_without_views() -> None:
    options = options_of("en")
    fast = play_game(options, 7, "path", 1, both("uniform"))
    chance = fast.chance.chance
    state = opening(options, chance.deal(options, 7))
    fraction = Random("path:1").random
    for action in fast.actions:
        view = view_for(state, action.seat)
        assert choose("uniform", view, lambda n: int(fraction() * n)) == action
        state, _ = apply(state, action, chance)
    assert state == fast.state
    assert {role.party for role in state.setup.roles} == set(Party)
