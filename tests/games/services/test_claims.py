"""Claims: what players may claim, who may, and how claims are parsed and stored."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.claims import (
    About,
    ClaimError,
    Sight,
    agrees,
    claim_by_code,
    claim_code,
    claim_json,
    passed,
    read_claim,
    sight_of,
    sights,
)
from games.rules.components import Party, Policy
from games.rules.knowledge import Drawn, PartySeen, Received
from games.rules.view import public_event
from tests.examples import examples
from tests.secrecy.histories import History, random_history, replay

L, F = Policy.LIBERAL, Policy.FASCIST
# Seeds of random games.
GAMES = st.integers(0, 2**32)

SIGHTS = st.builds(
    Sight,
    st.sampled_from([About.DRAWN, About.RECEIVED, About.PEEKED]),
    st.integers(1, 99),
    st.integers(0, 9),
) | st.builds(Sight, st.just(About.PARTY), st.integers(1, 99), st.integers(0, 9), st.integers(0, 9))
CLAIMS = SIGHTS.flatmap(lambda sight: st.sampled_from(sight.claims))
# Every kind of JSON value, with the words that claims consist of.
WORDS = st.sampled_from(["about", "round", "seat", "target", "policies", "discarded", "party"])
VALUES = st.sampled_from(["drawn", "received", "peeked", "party", "liberal", "fascist"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 12) | st.floats(allow_nan=False) | VALUES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=6),
    max_leaves=12,
)


def told_of(history: History, until: int | None = None):
    """Return a game's public events, with their rounds and actors."""
    moves = history.world.until(len(history.states) if until is None else until)
    _, told = replay(history.options, history.world, moves)
    return [
        (history.states[number].round, move.action.seat, [public_event(event) for event in events])
        for number, (move, events) in enumerate(zip(moves, told, strict=True))
    ]


@given(CLAIMS)
def test_a_claim_is_read_back_as_it_was_made(claim):
    assert read_claim(claim_json(claim)) == claim
    assert claim_by_code(claim_code(claim), claim.seat) == claim


@given(SIGHTS)
def test_the_claims_of_a_sight_are_told_apart_by_their_codes(sight):
    assert len({claim_code(claim) for claim in sight.claims}) == len(sight.claims)
    assert {sight_of(claim) for claim in sight.claims} == {sight}


@pytest.mark.parametrize(
    ("about", "target", "count"),
    [
        # LLL, LLF and LFF with either card discarded, and FFF.
        (About.DRAWN, None, 6),
        (About.RECEIVED, None, 3),
        # All ordered triples.
        (About.PEEKED, None, 8),
        (About.PARTY, 2, 2),
    ],
)
def test_any_lie_that_fits_the_number_of_cards_may_be_told(about, target, count):
    assert len(Sight(about, 1, 0, target).claims) == count


@given(JSON)
def test_what_is_not_a_claim_is_refused_and_nothing_else_happens(data):
    try:
        claim = read_claim(data)
    except ClaimError:
        return
    assert claim_json(claim) == data


@pytest.mark.parametrize(
    "changes",
    [
        {"policies": ["liberal", "fascist"]},
        {"policies": ["liberal", "fascist", "fascist", "fascist"]},
        {"policies": ["fascist", "liberal", "fascist"]},
        {"policies": "liberal"},
        {"discarded": "communist"},
        {"round": "3"},
        {"round": True},
        {"seat": -1},
        {"target": 2},
        {"about": "dreamt"},
        {"more": 1},
    ],
)
def test_a_claim_with_one_thing_wrong_is_none(changes):
    good = claim_json(Drawn(3, 1, (L, F, F), F))
    assert read_claim(good) == Drawn(3, 1, (L, F, F), F)
    with pytest.raises(ClaimError):
        read_claim(good | changes)


@pytest.mark.parametrize(
    "code",
    [
        "",
        "drawn",
        "drawn-3",
        "drawn-3-lff",
        "drawn-3-lff-f-",
        "drawn-0-lff-f",
        "drawn-3-2-lff-f",
        "drawn-3-fll-f",
        "drawn-３-lff-f",
        "drawn-99999-lff-f",
        "received-3-lff",
        "peeked-3-lf",
        "party-3-l",
        "party-3-12-l",
        "party-3-2-lf",
        "drawn-3-lff-f\n",
    ],
)
def test_a_code_that_no_form_has_is_no_claim(code):
    with pytest.raises(ClaimError):
        claim_by_code(code, 1)


@settings(deadline=None, max_examples=examples(60))
@given(GAMES)
def test_the_truth_may_always_be_told_and_everyone_concerned_may_tell_it(seed: int):
    rng = Random(seed)
    history = random_history(rng)
    known = history.states[-1].knowledge
    seen = sights(told_of(history))
    assert set(seen) == {sight_of(item) for item in known}
    assert len(set(seen)) == len(seen)
    for item in known:
        assert any(agrees(claim, item) for claim in sight_of(item).claims)


@settings(deadline=None, max_examples=examples(60))
@given(GAMES)
def test_nothing_may_be_claimed_of_a_session_before_it_is_over(seed: int):
    rng = Random(seed)
    history = random_history(rng)
    tick = rng.randrange(len(history.states))
    state = history.states[tick]
    rounds = {sight.round for sight in sights(told_of(history, tick))}
    if state.phase in ("election", "president_discards", "chancellor_enacts", "veto_proposed"):
        assert state.round not in rounds
    assert {government.round for government in state.governments} <= rounds


def test_the_two_that_went_on_are_what_was_not_discarded():
    assert passed(Drawn(1, 0, (L, F, F), F)) == (L, F)
    assert passed(Drawn(1, 0, (L, F, F), L)) == (F, F)


def test_a_claim_agrees_with_the_truth_whatever_the_order_of_the_cards():
    assert agrees(Drawn(1, 0, (L, F, F), F), Drawn(1, 0, (F, L, F), F))
    assert not agrees(Drawn(1, 0, (L, F, F), L), Drawn(1, 0, (F, L, F), F))
    assert agrees(Received(1, 0, (L, F)), Received(1, 0, (F, L)))
    assert not agrees(PartySeen(1, 0, 2, Party.LIBERAL), PartySeen(1, 0, 2, Party.FASCIST))
