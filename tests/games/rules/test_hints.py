"""Hints for beginners: what they follow from, and that they fit the moment."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.actions import Nominate
from games.rules.components import Policy, Role
from games.rules.hints import Hint, hint_of
from games.rules.phases import Phase
from games.rules.powers import UsePowerOn
from games.rules.reasons import Reason
from games.rules.view import View, barred, view_for
from tests.examples import examples
from tests.games.rules.random_game import Game


def views(seed: int, players: int = 7) -> list[View]:
    """Return what every seat sees at every position of a random game."""
    game = Game("en", {}, players, seed).finish()
    return [view_for(one.state, seat) for one in game.positions for seat in range(players)]


@given(seed=st.integers(0, 2**32), players=st.integers(5, 10))
@settings(deadline=None, max_examples=examples(40))
def test_everyone_who_decides_gets_a_hint_until_it_only_repeats_how_to_vote(seed, players):
    for view in views(seed, players):
        hint = hint_of(view)
        if view.outcome is not None or view.viewer not in view.alive:
            assert hint is None
        elif view.legal and not (view.phase is Phase.ELECTION and view.round > 2):
            assert hint is not None


@given(seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=examples(40))
def test_no_liberal_is_advised_like_a_fascist(seed):
    of_fascists = {
        Hint.NOMINATE_FASCIST,
        Hint.NOMINATE_HITLER_NOW,
        Hint.NOMINATE_AS_HITLER,
        Hint.VOTE_FASCIST,
        Hint.VOTE_HITLER_IN,
        Hint.VOTE_ME_IN,
        Hint.DISCARD_FASCIST,
        Hint.DISCARD_LIBERAL,
        Hint.ENACT_FASCIST,
        Hint.EXECUTION_FASCIST,
        Hint.WAIT_NOMINATION_FASCIST,
    }
    for view in views(seed):
        if view.role is Role.LIBERAL:
            assert hint_of(view) not in of_fascists


@given(seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=examples(40))
def test_a_fascist_president_is_advised_to_pass_on_only_what_the_hand_holds(seed):
    for view in views(seed):
        fascist = (view.hand or ()).count(Policy.FASCIST)
        if hint_of(view) is Hint.DISCARD_FASCIST:
            assert fascist == 2
        elif hint_of(view) is Hint.DISCARD_LIBERAL:
            assert fascist == 1


@given(seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=examples(20))
def test_what_is_the_same_in_each_round_is_said_in_the_first_ones(seed):
    of_waiting = {Hint.WAIT_NOMINATION, Hint.WAIT_NOMINATION_FASCIST, Hint.WAIT_SESSION}
    hints = {(view.round, hint_of(view)) for view in views(seed)}
    assert {number for number, hint in hints if hint in of_waiting} == {1}
    assert {number for number, hint in hints if hint in {Hint.VOTE, Hint.VOTE_FASCIST}} <= {1, 2}


@pytest.mark.parametrize(
    ("hand", "hint"),
    [
        ((Policy.FASCIST,) * 2, Hint.ENACT_BOTH_FASCIST),
        ((Policy.LIBERAL,) * 2, Hint.ENACT_BOTH_LIBERAL),
    ],
)
def test_a_chancellor_without_a_choice_hears_so(hand, hint):
    found = {
        hint_of(view)
        for seed in range(30)
        for view in views(seed)
        if view.phase is Phase.CHANCELLOR_ENACTS and view.legal and view.hand == hand
    }
    assert found == {hint}


@given(seed=st.integers(0, 2**32), players=st.integers(5, 10))
@settings(deadline=None, max_examples=examples(40))
def test_every_other_seat_can_be_chosen_or_has_a_reason(seed, players):
    for view in views(seed, players):
        targets = {a.target for a in view.legal if isinstance(a, Nominate | UsePowerOn)}
        reasons = dict(barred(view))
        if not targets:
            assert not reasons
            continue
        assert targets.isdisjoint(reasons)
        assert targets | reasons.keys() | {view.viewer} == set(range(players))
        for seat, reason in reasons.items():
            if reason is Reason.TERM_LIMITED:
                assert seat in view.limited and view.phase is Phase.NOMINATION
            elif reason is Reason.INVESTIGATED_BEFORE:
                assert seat in view.investigated
            else:
                assert reason is Reason.TARGET_DEAD and seat not in view.alive
