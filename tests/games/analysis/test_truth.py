"""Finished games judged: choices, lies, votes, awards, and the evidence at each event."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from games import wording
from games.analysis.evidence import Said, evidence_of, reading_at
from games.analysis.verdicts import Award, Choice, Told, Truth, Turn, truth_of
from games.analysis.win_rates import WinRates, read_win_rates, standard_win_rates
from games.bots import SKILLED
from games.rules.components import Ballot, Party, Policy, Role
from games.rules.editions import EDITIONS
from games.rules.events import Ballots, Elected, Enacted, Event, Nominated, Over, Tracker
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received
from games.rules.phases import Ending, Government, Outcome
from games.rules.powers import Executed
from games.rules.record_claims import unsaid_discard
from games.rules.view import PublicStep, View, view_for
from games.simulation.games import both, play_game

L, F = Policy.LIBERAL, Policy.FASCIST
JA, NEIN = Ballot.JA, Ballot.NEIN
# Liberals sit at 0, 1 and 2, the fascist at 3 and Hitler at 4.
ROLES = (Role.LIBERAL, Role.LIBERAL, Role.LIBERAL, Role.FASCIST, Role.HITLER)


def step(number: int, kind: str, *events: Event, seat: int = 0, at_round: int = 1) -> PublicStep:
    return PublicStep(number, at_round, seat, kind, "player", datetime.now(UTC), events)


def elected(number: int, president: int, chancellor: int, at_round: int) -> list[PublicStep]:
    nominated = Nominated(president, chancellor)
    ballots = Ballots((JA, JA, NEIN, JA, JA))
    return [
        step(number, "nominate", nominated, seat=president, at_round=at_round),
        step(number + 1, "vote", ballots, Elected(president, chancellor), at_round=at_round),
    ]


def view_of(knowledge: tuple[Knowledge, ...], *governments: Government) -> View:
    played = play_game(EDITIONS["en"], 5, "1", 1, both(SKILLED))
    outcome = Outcome(Party.FASCIST, Ending.FASCIST_POLICIES)
    return replace(
        view_for(played.state, None),
        roles=ROLES,
        knowledge=knowledge,
        governments=governments,
        outcome=outcome,
    )


def government(policy: Policy | None, *, president: int = 3, chancellor: int = 0) -> Government:
    return Government(1, president, chancellor, (JA, JA, NEIN, JA, JA), policy)


def steps_of(policy: Policy) -> list[PublicStep]:
    enacts = step(3, "enact", Enacted(policy, "government"), seat=0)
    over = Over(Party.FASCIST, Ending.FASCIST_POLICIES)
    return [
        *elected(0, 3, 0, 1),
        step(2, "discard", seat=3),
        replace(enacts, events=(*enacts.events, over)),
    ]


@pytest.mark.parametrize(
    ("drawn", "discarded", "received", "policy", "choice"),
    [
        ((F, F, F), F, (F, F), F, Choice.NONE),
        ((L, F, F), L, (F, F), F, Choice.PRESIDENT_BURIED),
        ((L, L, F), F, (L, L), L, Choice.PRESIDENT_FORCED_LIBERAL),
        ((L, F, F), F, (L, F), F, Choice.CHANCELLOR_FASCIST),
        ((L, L, F), L, (L, F), L, Choice.CHANCELLOR_LIBERAL),
        ((L, L, F), L, (L, F), None, Choice.NOTHING_ENACTED),
    ],
)
def test_a_session_says_what_the_cards_left_to_whom(
    drawn: tuple[Policy, ...],
    discarded: Policy,
    received: tuple[Policy, ...],
    policy: Policy | None,
    choice: Choice,
) -> None:
    knowledge = (Drawn(1, 3, drawn, discarded), Received(1, 0, received))
    view = view_of(knowledge, government(policy))
    steps = steps_of(policy or F)
    truth = truth_of(view, steps, [], evidence_of(view.options, 5, steps, []))
    assert [session.choice for session in truth.sessions] == [choice]


def test_a_claim_that_differs_from_the_cards_is_a_lie_and_moves_suspicion() -> None:
    knowledge = (Drawn(1, 3, (L, F, F), L), Received(1, 0, (F, F)))
    view, steps = view_of(knowledge, government(F)), steps_of(F)[:-1]
    steps.append(step(3, "enact", Enacted(F, "government"), seat=0))
    steps.append(step(4, "nominate", Nominated(0, 1), at_round=2))
    lie, honest = Drawn(1, 3, (F, F, F), F), Received(1, 0, (F, F))
    clash = Received(1, 0, (L, F))
    readings = evidence_of(view.options, 5, steps, [Said(4, lie), Said(4, honest)])
    session = truth_of(view, steps, [lie, honest], readings).sessions[0]
    assert session.drawn.is_lie and session.drawn.claim == lie
    assert session.received is not None and not session.received.is_lie
    # A Chancellor who confesses clears the President.
    both_said = evidence_of(view.options, 5, steps, [Said(4, lie), Said(4, clash)])
    told = truth_of(view, steps, [lie, clash], both_said).sessions[0]
    assert told.received is not None and told.received.is_lie
    assert told.received.other_shift < session.received.other_shift


def test_a_seat_that_said_nothing_has_not_lied() -> None:
    view = view_of((PartySeen(1, 3, 0, Party.LIBERAL),), government(F))
    steps = steps_of(F)
    told = truth_of(view, steps, [], evidence_of(view.options, 5, steps, [])).powers[0]
    assert told.claim is None and not told.is_lie


def test_votes_tell_who_voted_for_fascists_unknowingly() -> None:
    view, steps = view_of((), government(F)), steps_of(F)
    (vote,) = truth_of(view, steps, [], evidence_of(view.options, 5, steps, [])).votes
    assert (vote.fascists, vote.unknowing, vote.wary) == ((3,), (0, 1), (2,))
    assert vote.is_elected and (vote.ja, vote.nein) == (4, 1)


def test_awards_go_to_those_who_earned_them() -> None:
    lies = [Drawn(number, 3, (F, F, F), F) for number in (1, 2)]
    knowledge = tuple(Drawn(number, 3, (L, F, F), L) for number in (1, 2))
    view = replace(view_of(knowledge, *[government(F)] * 3), outcome=None)
    steps = [*elected(0, 3, 0, 1), *elected(2, 3, 1, 2), *elected(4, 3, 0, 3)]
    readings = evidence_of(view.options, 5, steps, [])
    awards = {each.award: each for each in truth_of(view, steps, lies, readings).awards}
    assert (awards[Award.STRAIGHTEST_FACE].seat, awards[Award.STRAIGHTEST_FACE].count) == (3, 2)
    assert (awards[Award.BLOODHOUND].seat, awards[Award.BLOODHOUND].count) == (2, 3)
    assert awards[Award.FAVOURITE].count == 3
    assert Award.OPEN_BOOK not in awards


def test_there_is_a_reading_for_each_event_and_each_claim() -> None:
    view, steps = view_of(()), steps_of(F)
    claim = Drawn(1, 3, (F, F, F), F)
    readings = evidence_of(view.options, 5, steps, [Said(3, claim), Said(4, claim)])
    # The discard tells the public nothing, and the last claim comes after the end.
    assert [each.move for each in readings] == [0, 1, 2, 3, 4]
    assert [each.claim for each in readings] == [None, None, None, claim, None]
    assert reading_at(readings, 3).claim == claim
    assert readings[0].fascist == (0.4,) * 5 and readings[0].hitler == (0.2,) * 5
    assert readings[-1].liberal_wins == 0


def test_the_last_policy_is_what_decided_the_game() -> None:
    view, steps = view_of((), government(F)), steps_of(F)
    turns = truth_of(view, steps, [], evidence_of(view.options, 5, steps, [])).turns
    assert [turn.turn for turn in turns if turn.after == 0] == [Turn.DECIDED]


def test_a_failed_election_alone_is_no_turning_point() -> None:
    rates = WinRates({5: {(0, 0, 0): (1000, 900), (0, 0, 1): (1000, 100)}})
    view = replace(view_of(()), outcome=None)
    steps = [step(0, "vote", Tracker(1)), step(1, "vote", Tracker(0), at_round=2)]
    readings = evidence_of(view.options, 5, steps, [], rates=rates)
    assert readings[0].liberal_wins - readings[1].liberal_wins > 0.5
    assert truth_of(view, steps, [], readings).turns == ()


def enacted(policy: Policy) -> list[PublicStep]:
    """Return the steps of a failed election and of the government that makes it good."""
    enacts = step(3, "enact", Enacted(policy, "government"), at_round=2)
    return [step(0, "vote", Tracker(1)), *elected(1, 3, 0, 2), enacts]


def test_a_government_that_makes_failed_elections_good_is_no_turning_point() -> None:
    even = {(0, 0, 0): (1000, 500), (0, 0, 1): (1000, 200), (1, 0, 0): (1000, 520)}
    view = replace(view_of(()), outcome=None)
    steps = enacted(L)
    readings = evidence_of(view.options, 5, steps, [], rates=WinRates({5: even}))
    assert readings[-1].liberal_wins - readings[-2].liberal_wins > 0.25
    assert truth_of(view, steps, [], readings).turns == ()


@pytest.mark.parametrize(("after", "turns"), [(0.2, [Turn.CHANCES]), (0.8, [])])
def test_a_fascist_policy_is_told_as_a_loss_of_the_liberals_only(
    after: float, turns: list[Turn]
) -> None:
    # States that bots rarely reach are counted too seldom for the order to be sure.
    rates = WinRates({5: {(0, 0, 0): (1000, 500), (0, 1, 0): (1000, int(1000 * after))}})
    view = replace(view_of(()), outcome=None)
    steps = enacted(F)
    readings = evidence_of(view.options, 5, steps, [], rates=rates)
    assert [turn.turn for turn in truth_of(view, steps, [], readings).turns] == turns


def test_chaos_is_told_from_the_chances_after_the_elections_that_failed() -> None:
    chances = {(0, 0, 0): 600, (0, 0, 1): 550, (0, 0, 2): 500, (0, 1, 0): 250}
    rates = WinRates({5: {state: (100_000, 100 * wins) for state, wins in chances.items()}})
    view = replace(view_of(()), outcome=None)
    chaos = step(2, "vote", Tracker(3), Enacted(F, "chaos"), Tracker(0))
    steps = [step(0, "vote", Tracker(1)), step(1, "vote", Tracker(2)), chaos]
    readings = evidence_of(view.options, 5, steps, [], rates=rates)
    (turn,) = truth_of(view, steps, [], readings).turns
    assert (turn.before, turn.after) == (readings[-2].liberal_wins, readings[-1].liberal_wins)
    names = ["Ada", "Boris", "Chika", "Dario", "Ewa"]
    assert "50%, then 25%" in " ".join(wording.turn_of_the_game(turn, names, EDITIONS["en"]))


def test_a_claim_belongs_to_the_round_that_the_table_has_just_finished() -> None:
    view = view_of(())
    steps = [*elected(0, 3, 0, 1), step(2, "enact", Enacted(F, "government"), seat=0)]
    steps += elected(3, 0, 1, 2)
    claim = Drawn(1, 3, (F, F, F), F)
    readings = evidence_of(view.options, 5, steps, [Said(3, claim)])
    assert [each.round for each in readings if each.claim is not None] == [1]


def test_no_seat_takes_all_the_awards() -> None:
    knowledge = tuple(Drawn(number, 0, (L, F, F), F) for number in range(1, 5))
    view = view_of(knowledge, *[government(L, president=0, chancellor=1)] * 5)
    steps = steps_of(F)
    shot = step(9, "execute", Executed(3), seat=0, at_round=4)
    readings = evidence_of(view.options, 5, steps, [])
    suspected = replace(readings[1], fascist=(0.9, 0.1, 0.1, 0.6, 0.6))
    readings = (readings[0], suspected, *readings[2:])
    votes = [*elected(4, 3, 4, 2), *elected(6, 3, 4, 3)]
    wary = [replace(each, events=_with_nein(each.events)) for each in votes]

    awards = truth_of(view, [*steps, *wary, shot], knowledge, readings).awards

    of_ada = [each.award for each in awards if each.seat == 0]
    assert of_ada == [Award.SHARP_EYE, Award.BLOODHOUND, Award.WRONGLY_ACCUSED]
    # The other officer of the same governments gets what anyone may have.
    assert {each.award for each in awards if each.seat == 1} == {Award.FAVOURITE, Award.WORKHORSE}


def _with_nein(events: tuple[Event, ...]) -> tuple[Event, ...]:
    cast = Ballots((NEIN, JA, JA, JA, JA))
    return tuple(cast if isinstance(event, Ballots) else event for event in events)


def test_winning_chances_follow_the_tracks() -> None:
    rates = standard_win_rates()
    for players in range(5, 11):
        assert rates.liberal(players, (4, 1, 0)) > rates.liberal(players, (0, 0, 0))
        assert rates.liberal(players, (1, 5, 0)) < rates.liberal(players, (0, 0, 0))
        assert rates.games(players, (0, 0, 0)) == 400


@pytest.mark.parametrize("players", range(5, 11))
def test_a_state_that_bots_hardly_ever_reach_is_no_better_than_its_neighbours(players: int) -> None:
    rates = standard_win_rates()
    for liberal, fascist in ((0, 4), (0, 5), (1, 4)):
        share = rates.liberal(players, (liberal, fascist, 0))
        assert share <= rates.liberal(players, (liberal, fascist - 1, 0))
        assert share <= rates.liberal(players, (liberal + 1, fascist, 0))


def test_a_file_of_another_version_is_refused() -> None:
    with pytest.raises(ValueError, match="not a file of win rates"):
        read_win_rates({"format": "chancellery-win-rates", "version": 0, "players": {}})


def truth_with(*claims: Drawn) -> Truth:
    knowledge: tuple[Knowledge, ...] = (Drawn(1, 3, (L, F, F), L), Received(1, 0, (F, F)))
    view, steps = view_of(knowledge, government(F)), steps_of(F)
    readings = evidence_of(EDITIONS["en"], 5, steps, [Said(3, claim) for claim in claims])
    return truth_of(view, steps, claims, readings)


def told_of(*claims: Drawn) -> Told:
    return truth_with(*claims).sessions[0].drawn


def test_a_lie_that_was_taken_back_is_still_told_and_so_is_the_correction() -> None:
    lie, true = Drawn(1, 3, (F, F, F), F), Drawn(1, 3, (L, F, F), L)

    assert (told_of(lie).is_lie, told_of(lie).is_corrected) == (True, False)
    assert (told_of(lie, true).is_lie, told_of(lie, true).is_corrected) == (True, True)
    assert (told_of(true).is_lie, told_of(true).is_corrected) == (False, False)


def test_all_claims_about_a_hand_are_told_in_order() -> None:
    lie, true = Drawn(1, 3, (F, F, F), F), Drawn(1, 3, (L, F, F), L)

    def story(*claims: Drawn) -> list[tuple[Knowledge, bool]]:
        return [(each.claim, each.is_lie) for each in told_of(*claims).made]

    assert story(true, lie) == [(true, False), (lie, True)]
    assert story(lie, lie, true) == [(lie, True), (true, False)]
    assert story() == []
    first = told_of(true, lie)
    assert (first.was_true_first, first.is_corrected) == (True, False)
    assert (told_of(lie).was_true_first, told_of(lie, true).was_true_first) == (False, False)
    assert not told_of(true).was_true_first


def verdict_of(*claims: Drawn) -> str:
    """Return what is said of a session in which the last claim took suspicion away."""
    session = truth_with(*claims).sessions[0]
    session = replace(session, drawn=replace(session.drawn, own_shift=-0.16))
    return " ".join(wording.session_verdict(session, ["Ada", "Boris", "Chika", "Dario", "Ewa"]))


def test_a_seat_that_told_the_truth_and_lied_later_is_told_both() -> None:
    lie, true = Drawn(1, 3, (F, F, F), F), Drawn(1, 3, (L, F, F), L)
    told = verdict_of(true, lie)
    assert told.index("Dario</bdi> told the truth first.") < told.index("Dario</bdi> lied to")
    assert "told the truth first" not in verdict_of(lie)
    assert "told the truth first" not in verdict_of(lie, true)


def test_a_claim_that_the_enacted_policy_gives_away_has_no_effect_to_tell() -> None:
    impossible, credible = Drawn(1, 3, (L, L, L), L), Drawn(1, 3, (F, F, F), F)
    told = verdict_of(impossible)
    assert "The enacted policy gave it away at once." in told
    assert "Suspicion of" not in told and "hardly changed" not in told
    assert "gave it away" not in verdict_of(credible)
    assert "Dario</bdi>: \u221216 points." in verdict_of(credible)


@pytest.mark.parametrize(
    ("claimed", "received", "enacted", "discarded"),
    [
        # The whole truth: what was left unsaid is no lie.
        ((F, L, L), (L, F), L, L),
        # A lie about the draw that fits what the Chancellor received.
        ((F, F, L), (L, F), L, F),
        # Lies that do not: they fit at least what everyone saw enacted.
        ((F, L, L), (F, F), F, L),
        ((F, F, L), (L, L), L, F),
        ((F, F, F), (L, F), L, F),
        ((L, L, L), (F, F), F, L),
    ],
)
def test_a_claim_that_leaves_the_discard_open_contradicts_no_more_than_it_says(
    claimed: tuple[Policy, ...],
    received: tuple[Policy, ...],
    enacted: Policy,
    discarded: Policy,
) -> None:
    seen = Drawn(1, 3, (L, L, F), L)

    assert unsaid_discard(claimed, seen, Received(1, 0, received), enacted) is discarded
