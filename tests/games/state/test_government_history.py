"""The history of governments: one term for each candidacy, nothing hidden, all contradictions."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.claims import agrees, claim_code, passed, sight_of, sights
from games.rules.components import Party, Policy
from games.rules.editions import EDITIONS
from games.rules.events import Elected, Enacted, Event, Nominated, Shuffled, Veto
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from games.rules.powers import Investigated, Peeked, Power
from games.rules.view import view_for
from games.state.game_log import Entry, Round
from games.state.government_history import (
    Clash,
    Conflict,
    Term,
    conflicts_of,
    government_history_of,
    open_sights,
    public_events_of,
)
from tests.builders.game_log import rounds_of
from tests.examples import examples
from tests.secrecy.histories import random_history
from tests.secrecy.pairs import moments
from tests.secrecy.twins import twin

L, F = Policy.LIBERAL, Policy.FASCIST
# Seeds of random games.
GAMES = st.integers(0, 2**32)


def lies(rounds: Sequence[Round], rng: Random) -> list[Knowledge]:
    """Return random claims about most of what players saw; some players change their claim."""
    said = []
    for sight in sights(public_events_of(rounds)):
        said += rng.sample(sight.claims, rng.choice([0, 1, 1, 1, 2]))
    return said


# Terms --------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=examples(50))
@given(GAMES)
def test_every_candidacy_has_one_term_and_its_right_outcome(seed: int):
    rng = Random(seed)
    history = random_history(rng)
    final = history.states[-1]
    terms = government_history_of(rounds_of(history), candidate=history.world.deal.first_candidate)

    assert [term.number for term in terms] == list(range(1, final.round + 1))
    governments = {government.round: government for government in final.governments}
    for term in terms:
        before = [s for s in history.states if s.round == term.number]
        assert term.candidate == before[0].candidate
        government = governments.get(term.number)
        if government is None:
            assert term.policy is None and not term.is_vetoed
        else:
            assert term.is_elected
            assert (term.candidate, term.nominee) == (government.president, government.chancellor)
            assert term.ballots == government.ballots
            assert term.policy == government.policy
            assert term.is_vetoed is (government.policy is None)
    enacted = [p for term in terms for p in (term.policy, term.chaos) if p is not None]
    assert (enacted.count(L), enacted.count(F)) == (final.liberal, final.fascist)
    assert [term.ending for term in terms if term.ending] == [str(final.outcome.ending)]
    executed = {term.target for term in terms if term.power is Power.EXECUTION}
    assert executed >= set(range(history.players)) - set(final.alive)
    used = [term.target for term in terms if term.power is Power.INVESTIGATION]
    assert used == list(final.investigated)


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_edition_has_a_term_for_each_candidacy(edition):
    rng, met = Random(f"history {edition}"), 0
    while met < 5:
        history = random_history(rng)
        if history.edition == edition:
            met += 1
            assert len(government_history_of(rounds_of(history))) == history.states[-1].round


@settings(deadline=None, max_examples=examples(50))
@given(GAMES)
def test_who_stands_is_told_at_once_and_the_votes_when_the_last_is_in(seed: int):
    rng = Random(seed)
    history = random_history(rng)
    tick = rng.randrange(len(history.states))
    view = view_for(history.states[tick], None)
    term = government_history_of(rounds_of(history, until=tick), candidate=view.candidate)[-1]

    assert term.number == view.round
    if view.phase == "nomination":
        assert (term.candidate, term.nominee) == (view.candidate, None)
    if view.phase in ("nomination", "election"):
        assert term.ballots is None and term.is_elected is None
    if view.phase == "president_discards":
        assert term.ballots == view.ballots and term.is_elected


def test_games_that_differ_in_what_is_hidden_have_the_same_history():
    rng, compared = Random("histories"), 0
    for _ in range(60):
        history = random_history(rng)
        for tick in moments(history, rng, 2):
            if history.states[tick].outcome is not None:
                continue
            viewer = rng.choice([None, *range(history.players)])
            other = twin(history, tick, viewer, rng)
            here, there = rounds_of(history, None, tick), rounds_of(history, other, tick)
            said = lies(here, rng)

            assert government_history_of(here, said) == government_history_of(there, said)
            assert conflicts_of(here, said) == conflicts_of(there, said)
            seats = range(history.players)
            assert [open_sights(here, s) for s in seats] == [open_sights(there, s) for s in seats]
            compared += 1
    assert compared > 50


# Claims -------------------------------------------------------------------------------------------


def story_of(rounds: Sequence[Round], said: Sequence[Knowledge], truth: Sequence[Knowledge] = ()):
    stories = [
        story for term in government_history_of(rounds, said, truth) for story in term.stories
    ]
    assert len(stories) == 1
    return stories[0]


def test_the_newest_claim_stands_and_the_older_ones_stay_in_sight():
    rounds = [session(1, 0, 1, L)]
    first, second = Received(1, 1, (L, F)), Received(1, 1, (L, L))
    story = story_of(rounds, [first, second])
    assert (story.claim, story.former) == (second, (first,))
    assert story.is_lie is None


def test_when_the_game_is_over_lies_are_marked_and_the_truth_is_not():
    rounds = [session(1, 0, 1, L)]
    truth = [Received(1, 1, (L, F))]
    assert story_of(rounds, [Received(1, 1, (L, F))], truth).is_lie is False
    assert story_of(rounds, [Received(1, 1, (L, L))], truth).is_lie is True


@settings(deadline=None, max_examples=examples(50))
@given(GAMES)
def test_the_history_marks_a_claim_as_a_lie_if_and_only_if_it_is_one(seed: int):
    rng = Random(seed)
    history = random_history(rng)
    rounds = rounds_of(history)
    so = {sight_of(item): item for item in history.states[-1].knowledge}
    terms = government_history_of(rounds, lies(rounds, rng), history.states[-1].knowledge)
    for story in (story for term in terms for story in term.stories):
        assert story.is_lie is not agrees(story.claim, so[story.sight])


def test_each_seat_may_claim_what_it_has_seen_the_newest_first():
    rounds = [session(1, 0, 1, F), session(2, 1, 0, F, then=[Peeked(None)])]
    assert [str(sight) for sight in open_sights(rounds, 0)] == ["received-2", "drawn-1"]
    assert [str(sight) for sight in open_sights(rounds, 1)] == ["peeked-2", "drawn-2", "received-1"]
    assert open_sights(rounds, 2) == ()


# Contradictions -----------------------------------------------------------------------------------


def session(
    number: int,
    president: int,
    chancellor: int,
    policy: Policy | None,
    *,
    before: Sequence[Event] = (),
    then: Sequence[Event] = (),
) -> Round:
    """Return a round that enacted `policy` or, if None, a veto; `then` is the President's part."""
    elected = [Nominated(president, chancellor), Elected(president, chancellor), *before]
    ending = Veto(True) if policy is None else Enacted(policy, "government")
    entries = [Entry(2, None, tuple(elected), ()), Entry(chancellor, None, (ending,), ())]
    if then:
        entries.append(Entry(president, None, tuple(then), ()))
    return Round(number, tuple(entries))


def chaos(number: int, policy: Policy) -> Round:
    return Round(number, (Entry(2, None, (Enacted(policy, "chaos"),), ()),))


def clashes(rounds: Sequence[Round], *said: Knowledge) -> list[Clash]:
    return [conflict.clash for conflict in conflicts_of(rounds, said)]


DREW = Drawn(1, 0, (L, F, F), F)


@pytest.mark.parametrize(
    ("received", "found"),
    [((L, F), []), ((F, F), [Clash.PASSED]), ((L, L), [Clash.PASSED])],
)
def test_what_went_over_and_what_came_must_be_the_same(received, found):
    # The government vetoed, so no policy became public.
    assert clashes([session(1, 0, 1, None)], DREW, Received(1, 1, received)) == found


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        (DREW, []),
        (Drawn(1, 0, (L, F, F), L), [Clash.ENACTED]),
        (Drawn(1, 0, (F, F, F), F), [Clash.ENACTED]),
        (Received(1, 1, (L, F)), []),
        (Received(1, 1, (F, F)), [Clash.ENACTED]),
    ],
)
def test_what_was_enacted_was_there(claim, found):
    assert clashes([session(1, 0, 1, L)], claim) == found


def test_a_president_who_calls_someone_a_fascist_stands_against_them():
    rounds = [session(1, 0, 1, F, then=[Investigated(3, None)])]
    assert clashes(rounds, PartySeen(1, 0, 3, Party.FASCIST)) == [Clash.PARTY]
    assert clashes(rounds, PartySeen(1, 0, 3, Party.LIBERAL)) == []


PEEKED = session(1, 0, 1, F, then=[Peeked(None)])
SAW = TopSeen(1, 0, (F, L, F))


@pytest.mark.parametrize(
    ("following", "claim", "found"),
    [
        ([session(2, 2, 3, F)], Drawn(2, 2, (L, F, F), F), []),
        ([session(2, 2, 3, F)], Drawn(2, 2, (F, F, F), F), [Clash.PEEKED]),
        ([session(2, 2, 3, F)], Received(2, 3, (F, F)), []),
        ([session(2, 2, 3, None)], Received(2, 3, (L, L)), [Clash.PEEKED]),
        # Other cards: the pile was shuffled, or another government drew the three cards.
        ([session(2, 2, 3, F, before=[Shuffled(9)])], Drawn(2, 2, (F, F, F), F), []),
        ([session(2, 2, 3, F), session(3, 3, 4, F)], Drawn(3, 3, (F, F, F), F), []),
        # Chaos took the first of the three cards; two of them are left among the next three.
        ([chaos(2, F), session(3, 3, 4, F)], Drawn(3, 3, (L, L, F), L), []),
        ([chaos(2, F), session(3, 3, 4, F)], Drawn(3, 3, (F, F, F), F), [Clash.PEEKED]),
        ([chaos(2, F), session(3, 3, 4, F)], Received(3, 4, (F, F)), []),
        ([chaos(2, F), session(3, 3, 4, None)], Received(3, 4, (L, L)), []),
        # All three cards are gone.
        (
            [chaos(2, F), chaos(3, L), chaos(4, F), session(5, 3, 4, F)],
            Drawn(5, 3, (L, L, F), L),
            [],
        ),
    ],
)
def test_what_was_peeked_at_is_what_comes_next(following, claim, found):
    assert clashes([PEEKED, *following], SAW, claim) == found


@pytest.mark.parametrize(
    ("following", "found"),
    [
        ([chaos(2, F)], []),
        ([chaos(2, L)], [Clash.TOP]),
        ([chaos(2, F), chaos(3, F)], [Clash.TOP]),
        ([session(2, 2, 3, L)], []),
        ([session(2, 2, 3, None)], []),
    ],
)
def test_what_all_saw_of_the_top_cards_was_among_them(following, found):
    assert clashes([PEEKED, *following], SAW) == found
    assert clashes([PEEKED, session(2, 2, 3, L)], TopSeen(1, 0, (F, F, F))) == [Clash.TOP]


def test_a_claim_that_was_replaced_contradicts_no_one_any_more():
    rounds = [session(1, 0, 1, L)]
    assert clashes(rounds, DREW, Received(1, 1, (L, L)), Received(1, 1, (L, F))) == []


@settings(deadline=None, max_examples=examples(50))
@given(GAMES)
def test_those_who_tell_the_truth_never_contradict_but_for_naming_fascists(seed: int):
    rng = Random(seed)
    history = random_history(rng)
    rounds, so = rounds_of(history), history.states[-1].knowledge
    truth = [claim for item in so for claim in sight_of(item).claims if agrees(claim, item)]
    assert len(truth) == len(so)
    found = conflicts_of(rounds, truth)
    assert {conflict.clash for conflict in found} <= {Clash.PARTY}
    accused = {conflict.claim for conflict in found}
    assert accused == {c for c in truth if isinstance(c, PartySeen) and c.party is Party.FASCIST}


@settings(deadline=None, max_examples=examples(50))
@given(GAMES)
def test_a_contradiction_is_between_claims_that_cannot_all_be_true(seed: int):
    """Replacing the claims in a conflict by the truth resolves the conflict."""
    rng = Random(seed)
    history = random_history(rng)
    rounds, so = rounds_of(history), history.states[-1].knowledge
    true = {sight_of(item): item for item in so}
    said = {sight_of(claim): claim for claim in lies(rounds, rng)}
    for conflict in conflicts_of(rounds, said.values()):
        if conflict.clash is Clash.PARTY:
            continue
        concerned = [c for c in (conflict.claim, conflict.other) if c is not None]
        assert not all(agrees(claim, true[sight_of(claim)]) for claim in concerned), conflict


@settings(deadline=None, max_examples=examples(50))
@given(GAMES)
def test_conflicts_have_keys_of_their_own_that_last(seed: int):
    rng = Random(seed)
    history = random_history(rng)
    rounds = rounds_of(history)
    said = lies(rounds, rng)
    keys = [conflict.key for conflict in conflicts_of(rounds, said)]
    assert len(set(keys)) == len(keys)


def test_every_session_that_two_tell_differently_is_found():
    rounds = [session(number, 0, 1, None) for number in range(1, 4)]
    said = [
        claim
        for number in range(1, 4)
        for claim in (Drawn(number, 0, (L, L, L), L), Received(number, 1, (L, F)))
    ]
    found = conflicts_of(rounds, said)
    assert found == tuple(
        Conflict(Clash.PASSED, said[2 * index], said[2 * index + 1]) for index in range(3)
    )


def test_a_term_is_about_whoever_stood_and_whomever_a_power_was_used_on():
    term = Term(4, candidate=2, nominee=0, power=Power.EXECUTION, target=4)
    assert term.concerned == (2, 0, 4)
    assert replace(term, target=None).concerned == (2, 0)


def test_the_cards_that_went_on_are_what_the_codes_say():
    assert claim_code(DREW) == "drawn-1-lff-f" and passed(DREW) == (L, F)
