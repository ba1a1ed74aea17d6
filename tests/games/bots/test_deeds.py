"""Reasoning bots' deeds and words agree."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from games.bots import Heard, Level, Spoken, choose, cues
from games.bots.cues import Character, Cue, Occasion
from games.bots.opinions import opinions
from games.bots.reasoning import play
from games.bots.reasoning.claims import claim_about
from games.bots.reasoning.mind import Odds, own_belief
from games.bots.reasoning.talk import say
from games.rules.actions import Discard, Enact, Nominate, Vote
from games.rules.claims import is_confession, passed, sight_of
from games.rules.components import Ballot, Policy
from games.rules.knowledge import Drawn, Received
from games.rules.powers import CallSpecialElection, Investigate
from games.rules.view import view_for
from tests.lab.deeds import FIGURES, deeds_of

from .scenes import Scene

L, F = Policy.LIBERAL, Policy.FASCIST
SEEDS = range(40)
# The nominee is as good as known to be a fascist; and the other way round.
SUSPECT = Odds((0.5, 0.97, 0.5, 0.5, 0.5, 0.5, 0.5), (0.1, 0.5, 0.1, 0.1, 0.1, 0.1, 0.1))
TRUSTED = Odds((0.5, 0.03, 0.5, 0.5, 0.5, 0.5, 0.5), (0.1, 0.0, 0.1, 0.1, 0.1, 0.1, 0.1))


def drawing(seed):
    return Random(seed).randrange


def chosen(scene, seat, heard=None, level=Level.BEGINNER):
    """Return what a bot chooses with each seed."""
    view = view_for(scene.state, seat)
    heard = heard or Heard(scene.told)
    return [choose("reasoner", view, drawing(seed), heard, level) for seed in SEEDS]


def believing(monkeypatch, odds):
    for where in ("play", "talk"):
        monkeypatch.setattr(f"games.bots.reasoning.{where}.odds_for", lambda view, heard: odds)


def test_in_whole_games_deeds_and_words_agree():
    found = sum((deeds_of("held", players, n) for players in (5, 7) for n in (1, 2)), Counter())
    happened = {name: sum(found[name, level, True] for level in Level) for name in FIGURES}
    counted = {name: sum(found[name, level] for level in Level) for name in FIGURES}
    for name in ("own nominee", "confession", "against words", "against the ballot"):
        assert counted[name] > 5
    # A nominee may vote Nein, and a seat that all trust may confess in vain, but hardly ever.
    assert happened.pop("nein to oneself") <= 1
    assert happened.pop("unproven") < 0.1 * counted["unproven"]
    assert not any(happened.values()), happened


@pytest.mark.parametrize("president", [0, 4, 6])
def test_a_president_votes_for_the_own_nominee_whatever_the_role(monkeypatch, president):
    believing(monkeypatch, SUSPECT)
    scene = Scene(7, first=president).nominate(1)
    assert set(chosen(scene, president)) == {Vote(president, Ballot.JA)}


@pytest.mark.parametrize("nominee", [1, 4, 6])
def test_a_nominee_hardly_ever_votes_nein_and_says_why(monkeypatch, nominee):
    scene = Scene(7).nominate(nominee)
    assert chosen(scene, nominee).count(Vote(nominee, Ballot.NEIN)) <= 1
    for seat in range(7):
        scene.do(Vote(seat, Ballot.NEIN if seat == nominee else Ballot.JA))
    speakers = dict.fromkeys(range(7), Character(talkative=0.0))
    planned = cues.cues_after_action(Heard(scene.told), speakers, False, drawing(1))
    [cue] = [cue for cue in planned if cue.occasion is Occasion.BALLOT]
    said = say(view_for(scene.state, nominee), Heard(scene.told), cue, drawing(1))
    assert (cue.seat, said) == (nominee, ("nein_me", ()))


def test_a_liberal_never_withholds_a_liberal_policy():
    scene = Scene(7, "LFF").elect(1)
    view = view_for(scene.state, 0)
    assert {play.choose(view, Heard(), drawing(s), nerve=0.1) for s in SEEDS} == {Discard(0, F)}
    view = view_for(scene.do(Discard(0, F)).state, 1)
    assert {play.choose(view, Heard(), drawing(s), nerve=0.1) for s in SEEDS} == {Enact(1, L)}


def test_a_beginner_errs_where_the_choice_is_close_and_not_where_it_is_plain():
    def share(score):
        return sum(play._Chance(drawing(s), 0.3).happens(score) for s in range(400)) / 400

    assert share(1.0) < 0.67 and share(9.0) > 0.98


# Claims ----------------------------------------------------------------------------------------


def claims(scene, kind, seat, *heard):
    view = view_for(scene.state, seat)
    sight = next(sight_of(item) for item in view.knowledge if isinstance(item, kind))
    return {claim_about(view, Heard(scene.told, heard), sight, drawing(seed)) for seed in SEEDS}


@pytest.mark.parametrize(("draw", "discard"), [("LFF", "F"), ("FFF", "F"), ("LLF", "L")])
def test_a_fascist_chancellor_who_enacted_fascist_never_claims_to_have_held_a_liberal(
    draw, discard
):
    scene = Scene(7, draw).govern(4, discard, "F")
    for said in ((), (Drawn(1, 0, (L, F, F), F),), (Drawn(1, 0, (L, L, F), F),)):
        assert claims(scene, Received, 4, *said) == {Received(1, 4, (F, F))}


@pytest.mark.parametrize(
    ("draw", "discard"), [("FFF", "F"), ("LFF", "F"), ("LFF", "L"), ("LLF", "L")]
)
@pytest.mark.parametrize("president", [4, 6])
def test_a_fascist_president_neither_confesses_nor_says_what_cannot_be(draw, discard, president):
    scene = Scene(7, draw, first=president).govern(5, discard, "F")
    said = claims(scene, Drawn, president)
    assert all(F in passed(claim) and not is_confession(claim, F) for claim in said)


def test_after_a_liberal_policy_a_fascist_agrees_with_the_partner():
    passes = {"LLF": [L, L], "LFF": [L, F]}
    for discard, held in (("F", [L, L]), ("L", [L, F])):
        scene = Scene(7, "LLF", first=4).govern(1, discard, "L")
        # The Chancellor has claimed the truth, or will.
        for said in ((), (Received(1, 1, tuple(held)),)):
            found = claims(scene, Drawn, 4, *said)
            assert {tuple(sorted(passed(claim))) for claim in found} == {tuple(sorted(held))}
    scene = Scene(7, "LLF").govern(4, "F", "L")
    assert claims(scene, Received, 4) == {Received(1, 4, (L, L))}
    for cards, held in passes.items():
        drawn = Drawn(1, 0, tuple(L if card == "L" else F for card in cards), F)
        assert claims(scene, Received, 4, drawn) == {Received(1, 4, tuple(held))}


# Confessions -----------------------------------------------------------------------------------

CONFESSION = Received(1, 1, (L, F))
PASSED = Drawn(1, 0, (L, F, F), F)
DENIAL = Drawn(1, 0, (F, F, F), F)


def fascist_policy():
    return Scene(7, "FFF").govern(1, "F", "F")


@pytest.mark.parametrize("viewer", [None, 2])
@pytest.mark.parametrize("before", [(), (PASSED,), (DENIAL,)])
def test_a_confession_is_near_proof_to_bots_until_it_is_corrected(viewer, before):
    scene = fascist_policy()
    view, claims = view_for(scene.state, viewer), [*before]
    heard = Heard(scene.told, claims)
    assert own_belief(view, heard).fascist(1) < 0.7
    claims.append(CONFESSION)
    assert own_belief(view, heard).fascist(1) > 0.85
    claims.append(Received(1, 1, (F, F)))
    assert own_belief(view, heard).fascist(1) < 0.7


def test_which_claims_are_confessions():
    held, drew = Received(1, 1, (L, F)), Drawn(1, 0, (L, F, F), L)
    assert is_confession(held, F) and is_confession(Received(1, 1, (L, L)), F)
    assert is_confession(drew, F)
    # A veto throws both away, and a President may pass on one of two.
    assert not is_confession(held, None) and not is_confession(held, L)
    assert not is_confession(Received(1, 1, (F, F)), F)
    assert not is_confession(Drawn(1, 0, (L, L, F), L), F) and not is_confession(PASSED, F)


def test_a_confession_is_named_and_then_judged_at_once():
    scene = fascist_policy()
    heard = Heard(scene.told, (PASSED, CONFESSION))
    speakers = {seat: Character(talkative=1.0) for seat in range(1, 7)}
    planned = cues.cues_after_claim(heard, CONFESSION, speakers, drawing(1))
    first, second = [cue for cue in planned if cue.occasion is Occasion.CONFESSION]
    assert first.after < second.after <= 4 and 1 not in (first.seat, second.seat)
    lines = []
    for cue in (first, second):
        heard = Heard(scene.told, (PASSED, CONFESSION), lines)
        words = say(view_for(scene.state, cue.seat), heard, cue, drawing(1))
        lines.append(Spoken(cue.seat, *words, len(scene.told)))
    assert [(line.code, line.seats) for line in lines] == [("confessed", (1,)), ("fascist", (1,))]


# Words -----------------------------------------------------------------------------------------


def saying(scene, *words, seat=2):
    return Heard(scene.told, (), [Spoken(seat, code, seats, 0) for code, seats in words])


def test_a_ballot_keeps_to_what_the_bot_has_said(monkeypatch):
    scene = Scene(7).nominate(1)
    ja, nein = {Vote(2, Ballot.JA)}, {Vote(2, Ballot.NEIN)}
    believing(monkeypatch, TRUSTED)
    for words in (("suspect", (1,)), ("fascist", (0,)), ("not_nominate", (1,)), ("lying", (1,))):
        assert set(chosen(scene, 2, saying(scene, words))) == nein
    believing(monkeypatch, SUSPECT)
    for words in (("nominate", (1,)), ("nominate", (0, 1)), ("trust", (1,)), ("liberal", (1,))):
        assert set(chosen(scene, 2, saying(scene, words))) == ja
    # Of "either Ada or Ben is lying", neither is meant; and the last word counts.
    assert set(chosen(scene, 2, saying(scene, ("lying", (0, 1))))) != ja
    assert set(chosen(scene, 2, saying(scene, ("suspect", (1,)), ("trust", (1,))))) == ja


def test_no_one_nominates_whom_they_have_just_accused(monkeypatch):
    believing(monkeypatch, TRUSTED)
    scene = Scene(7, first=2)
    assert Nominate(2, 1) in chosen(scene, 2)
    assert Nominate(2, 1) not in chosen(scene, 2, saying(scene, ("suspect", (1,))))


def test_a_bot_is_free_again_after_news(monkeypatch):
    believing(monkeypatch, TRUSTED)
    scene = Scene(7, "FFF").govern(4, "F", "F").nominate(5)
    assert Vote(2, Ballot.JA) in chosen(scene, 2, saying(scene, ("suspect", (5,))))


def test_a_confession_frees_everyone_from_what_they_said_of_the_seat():
    scene = Scene(7, "FFF").govern(1, "F", "F")
    words = [Spoken(2, "trust", (1,), len(scene.told))]
    cue = Cue(0, 2, Occasion.CONFESSION, "confessed", (1,))
    view, heard = view_for(scene.state, 2), Heard(scene.told, (PASSED, CONFESSION), words)
    assert opinions(heard, 2) == {1: 1}
    assert say(view, heard, cue, drawing(1)) == ("confessed", (1,))
    words.append(Spoken(3, "confessed", (1,), len(scene.told)))
    assert opinions(heard, 2) == {}
    assert say(view, heard, cue, drawing(1)) == ("fascist", (1,))


@pytest.mark.parametrize("words", [("suspect", (1,)), ("not_nominate", (1,))])
def test_a_reason_does_not_contradict_what_the_bot_said_before_the_vote(monkeypatch, words):
    believing(monkeypatch, TRUSTED)
    scene = Scene(7).nominate(1).vote()
    view, cue = view_for(scene.state, 2), Cue(0, 2, Occasion.BALLOT)
    assert say(view, Heard(scene.told), cue, drawing(1)) == ("ja_trust", (1,))
    assert say(view, saying(scene, words), cue, drawing(1)) is None


def test_no_one_accuses_whom_they_have_just_nominated_or_voted_for(monkeypatch):
    believing(monkeypatch, SUSPECT)
    scene = Scene(7).nominate(1)

    def said(seat, *words):
        cue = Cue(0, seat, Occasion.CONFLICT, seats=(1, seat))
        heard = Heard(scene.told, (), words)
        return say(view_for(scene.state, seat), heard, cue, drawing(1))

    assert said(0) is None
    assert said(2) == said(3) == ("lying", (1,))
    # An announced ballot is as good as a cast one.
    assert said(2, Spoken(2, "me_vote_ja", (), len(scene.told))) is None
    scene.do(Vote(2, Ballot.JA), Vote(3, Ballot.NEIN))
    assert said(2) is None
    assert said(3) == ("lying", (1,))


# Elections that win ----------------------------------------------------------------------------


def armed():
    """A vote on Hitler, whom the fascists in the seats 4 and 5 know, after three policies."""
    scene = Scene(7, "F" * 9).govern(1, "F", "F").govern(2, "F", "F")
    scene.do(Investigate(1, 3)).govern(0, "F", "F").do(CallSpecialElection(2, 1))
    return scene.nominate(6)


def answers(scene, view, asked, *about):
    """Return what the viewer answers to a question of seat 0, with each seed."""
    seat = view.viewer
    seats = (seat, *about)
    heard = Heard(scene.told, phrases=(Spoken(0, asked, seats, len(scene.told)),))
    cue = Cue(0.0, seat, Occasion.ANSWER, asked, (0, *seats))
    return {say(view, heard, cue, drawing(seed)) for seed in SEEDS}


@pytest.mark.parametrize("asked", ["how_vote", "vote_ja", "vote_nein"])
def test_no_one_learns_before_a_vote_which_bots_know_that_the_nominee_is_hitler(asked):
    scene = armed()
    for seat in (4, 5):
        view = view_for(scene.state, seat)
        # What a liberal says who has seen the same.
        assert answers(scene, view, asked) == answers(scene, play._mask(view), asked)


@pytest.mark.parametrize(
    ("asked", "about"),
    [
        *(("how_vote", ()), ("vote_ja", ()), ("whom_suspect", ()), ("whom_trust", ())),
        *(("do_you_trust", (6,)), ("why", (6,))),
    ],
)
def test_words_tell_nothing_of_a_ballot_that_may_come_from_what_a_fascist_knows(asked, about):
    scene = armed()
    view = view_for(scene.state, 4)
    ja, nein = (answers(scene, replace(view, ballot=b), asked, *about) for b in Ballot)
    assert ja == nein
