"""The posterior: it adds up, keeps to what is certain, and knows no more than its viewer."""

import itertools
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.inference import Belief
from games.inference.assignments import assignments
from games.inference.course import Course, Nomination
from games.rules.claims import sights
from games.rules.components import Party, Policy, Role, roles_for
from games.rules.editions import EDITIONS, options_of
from games.rules.events import Elected, Nominated
from games.rules.knowledge import Drawn, PartySeen, Received
from games.rules.record import replay
from games.rules.state import draft_of, freeze
from games.rules.view import public_event, view_for
from games.simulation.games import both, play_game
from tests.examples import examples

NEAR = 1e-9


def positions_of(edition, players, number, kind="uniform"):
    game = play_game(options_of(edition), players, "inference", number, both(kind))
    return list(replay(game.record(edition)))


def told_by(positions):
    return [
        (before.state.round, after.entry.action.seat, tuple(map(public_event, after.events)))
        for before, after in itertools.pairwise(positions)
    ]


def some_claims(told, seed):
    random = Random(seed)
    return [random.choice(sight.claims) for sight in sights(told) if random.random() < 0.7]


def table_sizes():
    return [
        (edition, players)
        for edition in EDITIONS
        for players in range(options_of(edition).players[0], options_of(edition).players[1] + 1)
    ]


def assert_adds_up(belief):
    roles = roles_for(belief.players)
    seats = range(belief.players)
    fascists = sum(role.party is Party.FASCIST for role in roles)
    assert sum(belief.probabilities()) == pytest.approx(1, abs=NEAR)
    assert sum(belief.hitler(seat) for seat in seats) == pytest.approx(1, abs=NEAR)
    assert sum(belief.fascist(seat) for seat in seats) == pytest.approx(fascists, abs=NEAR)
    for seat in seats:
        assert -NEAR <= belief.hitler(seat) <= belief.fascist(seat) + NEAR <= 1 + 2 * NEAR


def same(one, other):
    return list(one.probabilities()) == pytest.approx(list(other.probabilities()), abs=1e-9)


@pytest.mark.parametrize(("edition", "players"), table_sizes())
def test_every_edition_and_size_gives_probabilities_that_add_up(edition, players):
    positions = positions_of(edition, players, 1)
    told = told_by(positions)
    claims = some_claims(told, 1)
    for cut in (0, len(told) // 2, len(told)):
        state = positions[cut].state
        for viewer in (None, 0, players - 1):
            assert_adds_up(Belief.of(view_for(state, viewer), told[:cut], claims))


@pytest.mark.parametrize(("edition", "players"), table_sizes())
def test_the_eligible_seats_follow_from_public_events_alone(edition, players):
    positions = positions_of(edition, players, 2)
    course = Course(options_of(edition), players)
    for before, after in itertools.pairwise(positions):
        for event in after.events:
            evidence = course.advance(public_event(event))
            if isinstance(evidence, Nomination):
                assert evidence.eligible == before.state.eligible


@settings(max_examples=examples(25), deadline=None)
@given(number=st.integers(1, 200), viewer=st.integers(0, 6), cut=st.floats(0, 1))
def test_what_the_viewer_knows_for_certain_is_certain(number, viewer, cut):
    positions = positions_of("en", 7, number)
    told = told_by(positions)
    at = int(cut * (len(told) - 1))
    state = positions[at].state
    view = view_for(state, viewer)
    belief = Belief.of(view, told[:at], some_claims(told[:at], number))
    for seat in range(7):
        if view.roles[seat] is not None:
            assert belief.hitler(seat) == pytest.approx(float(view.roles[seat] is Role.HITLER))
        if view.parties[seat] is not None:
            assert belief.fascist(seat) == pytest.approx(float(view.parties[seat] is Party.FASCIST))
        if seat in view.cleared or seat not in view.alive:
            assert belief.hitler(seat) == 0


@settings(max_examples=examples(25), deadline=None)
@given(number=st.integers(1, 200), cut=st.floats(0, 1))
def test_a_belief_that_grew_equals_one_reckoned_at_once(number, cut):
    positions = positions_of("en", 7, number)
    told = told_by(positions)
    at = int(cut * (len(told) - 1))
    claims = some_claims(told[:at], number)
    view = view_for(positions[at].state, 3)
    grown = Belief(view.options, 7, 3, view.roles)
    for _, _, events in told[:at]:
        for event in events:
            grown.update(event)
            grown.hitler(0)
    for item in view.knowledge:
        grown.learn(item)
    for claim in reversed(claims):
        grown.update(claim)
    assert same(grown, Belief.of(view, told[:at], claims))


@settings(max_examples=examples(40), deadline=None)
@given(
    table=st.sampled_from(table_sizes()),
    number=st.integers(1, 200),
    cut=st.floats(0, 1),
    seed=st.integers(0, 99),
)
def test_positions_that_look_alike_to_a_liberal_give_the_same_belief(table, number, cut, seed):
    positions = positions_of(*table, number)
    told = told_by(positions)
    at = int(cut * (len(told) - 1))
    state = positions[at].state
    viewer = state.setup.roles.index(Role.LIBERAL)
    claims = some_claims(told[:at], seed)
    twin = twin_of(state, viewer, seed)
    for who in (None, viewer):
        view, other = view_for(state, who), view_for(twin, who)
        assert view == other
        assert same(Belief.of(view, told[:at], claims), Belief.of(other, told[:at], claims))


def twin_of(state, viewer, seed):
    """Return a position that differs in roles, pile and others' knowledge, and looks the same."""
    random = Random(seed)
    seen = {item.target for item in state.knowledge if isinstance(item, PartySeen)}
    # What all know for certain of a seat stays true: its role is not exchanged.
    known = {viewer, *seen, *view_for(state, None).cleared}
    free = [seat for seat in state.alive if seat not in known]
    roles = list(state.setup.roles)
    given = [roles[seat] for seat in free]
    random.shuffle(given)
    for seat, role in zip(free, given, strict=True):
        roles[seat] = role
    draw = list(state.draw)
    random.shuffle(draw)
    new = draft_of(state)
    new.setup = replace(state.setup, roles=tuple(roles))
    new.draw = tuple(draw)
    new.knowledge = tuple(item for item in state.knowledge if item.seat == viewer)
    return freeze(new)


def test_a_copy_lives_its_own_life():
    told = told_by(positions_of("en", 7, 3))
    events = [event for _, _, more in told for event in more]
    belief = Belief(options_of("en"), 7)
    for event in events[:8]:
        belief.update(event)
    before = list(belief.probabilities())
    copy = belief.copy()
    for event in events[8:]:
        copy.update(event)
    assert list(belief.probabilities()) == before
    for event in events[8:]:
        belief.update(event)
    assert same(belief, copy)


@pytest.mark.parametrize("number", range(1, 40))
def test_a_finished_game_is_known(number):
    positions = positions_of("en", 7, number)
    state = positions[-1].state
    belief = Belief.of(view_for(state, None), told_by(positions))
    ((roles, probability),) = belief.assignments()
    assert roles == state.setup.roles
    assert probability == pytest.approx(1)


def conflict():
    """Return a belief after a fascist policy, with claims that contradict each other."""
    told = told_by(positions_of("en", 7, 1))
    belief = Belief(options_of("en"), 7)
    for number, _, events in told:
        for event in events:
            belief.update(event)
            if isinstance(event, Elected):
                pair = event.president, event.chancellor
            if event.kind == "enacted" and event.by == "government" and event.policy == "fascist":
                return belief, number, *pair
    raise AssertionError("no fascist policy in this game")


def both_liberal(belief, one, other):
    return sum(
        p
        for roles, p in zip(assignments(7), belief.probabilities(), strict=True)
        if not roles[one] and not roles[other]
    )


def test_two_officers_who_contradict_each_other_are_suspect_together():
    belief, number, president, chancellor = conflict()
    calm = belief.copy()
    lff = (Policy.LIBERAL, Policy.FASCIST, Policy.FASCIST)
    belief.update(Drawn(number, president, lff, Policy.FASCIST))
    belief.update(Received(number, chancellor, (Policy.FASCIST, Policy.FASCIST)))
    assert (
        both_liberal(belief, president, chancellor) < both_liberal(calm, president, chancellor) / 2
    )
    assert belief.fascist(president) + belief.fascist(chancellor) > (
        calm.fascist(president) + calm.fascist(chancellor)
    )


def test_a_claim_about_what_the_seat_cannot_have_seen_changes_nothing():
    belief, number, president, chancellor = conflict()
    before = list(belief.probabilities())
    stranger = next(seat for seat in range(7) if seat not in (president, chancellor))
    fff = (Policy.FASCIST,) * 3
    belief.update(Drawn(number, stranger, fff, Policy.FASCIST))
    belief.update(Drawn(99, president, fff, Policy.FASCIST))
    belief.update(PartySeen(number, stranger, president, Party.FASCIST))
    assert list(belief.probabilities()) == before


def test_the_last_claim_about_the_same_cards_counts():
    belief, number, president, _ = conflict()
    once = belief.copy()
    lff = (Policy.LIBERAL, Policy.FASCIST, Policy.FASCIST)
    fff = (Policy.FASCIST,) * 3
    once.update(Drawn(number, president, lff, Policy.FASCIST))
    belief.update(Drawn(number, president, fff, Policy.FASCIST))
    assert not same(once, belief)
    belief.update(Drawn(number, president, lff, Policy.FASCIST))
    assert same(once, belief)


def test_nothing_is_known_before_anything_has_happened():
    belief = Belief(options_of("en"), 10)
    assert belief.hitler(4) == pytest.approx(0.1)
    assert belief.fascist(4) == pytest.approx(0.4)
    assert len(belief.assignments()) == 840
    belief.update(Nominated(0, 1))
    assert_adds_up(belief)
