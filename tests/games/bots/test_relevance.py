"""Bots' remarks come in time, are about the living, and fit what the bot has said before."""

from random import Random

import pytest

from games.bots import Character, Heard, Spoken, choose, cues, rhythm
from games.bots.cues import Cue, Occasion
from games.bots.reasoning.mind import Odds
from games.bots.reasoning.talk import say
from games.rules.actions import Discard, Enact, Vote
from games.rules.components import Ballot, Party, Policy
from games.rules.knowledge import Drawn, PartySeen, Received
from games.rules.powers import Execute
from games.rules.view import view_for

from .scenes import Scene

JA, NEIN = Ballot.JA, Ballot.NEIN
L, F = Policy.LIBERAL, Policy.FASCIST
SPEAKERS = dict.fromkeys(range(7), Character(talkative=1.0))
EVEN = Odds((0.5,) * 7, (0.17,) * 7)


def odds(**fascist):
    """Return even odds but for some seats: `odds(s2=0.9)`."""
    given = {int(seat[1:]): odds for seat, odds in fascist.items()}
    return Odds(tuple(given.get(seat, 0.5) for seat in range(7)), (0.17,) * 7)


def below(n):
    return 0


def said(scene, cue, *phrases, claims=()):
    heard = Heard(scene.told, claims, phrases)
    return say(view_for(scene.state, cue.seat), heard, cue, below)


def planned(scene, **how):
    return cues.cues_after_action(Heard(scene.told), SPEAKERS, False, below, **how)


@pytest.fixture
def believing(monkeypatch):
    def believe(found):
        for where in ("play", "talk"):
            monkeypatch.setattr(f"games.bots.reasoning.{where}.odds_for", lambda view, heard: found)

    believe(EVEN)
    return believe


# In time ---------------------------------------------------------------------------------------


def test_a_ballot_is_explained_until_the_table_moves_on(believing):
    believing(odds(s1=0.1))
    cue = Cue(0, 2, Occasion.BALLOT)
    assert said(Scene(7).elect(1), cue) == ("ja_trust", (1,))
    assert said(Scene(7, "FFF").govern(1, "F", "F"), cue) is None
    scene = Scene(7).reject(1)
    assert said(scene, cue) is not None
    assert said(scene.nominate(3), cue) is None
    # Who would not govern owes a reason until the next vote.
    assert said(scene, Cue(0, 1, Occasion.BALLOT)) == ("nein_me", ())


def test_who_is_asked_why_may_still_explain_a_ballot_after_the_policy(believing):
    believing(odds(s1=0.1))
    cue = Cue(0, 2, Occasion.ANSWER, "why_this_vote", (6, 2))
    assert said(Scene(7, "FFF").govern(1, "F", "F"), cue) == ("ja_trust", (1,))


def test_a_lone_ballot_is_remarked_on_until_the_table_moves_on(believing):
    cue = Cue(0, 2, Occasion.STRANGE, seats=(3,))
    scene = Scene(7, "FFF").elect(1)
    assert said(scene, cue)[1] == (3,)
    assert said(Scene(7, "FFF").govern(1, "F", "F"), cue) is None


def test_a_government_is_spoken_about_until_the_next_vote(believing):
    believing(odds(s0=0.9))
    cue = Cue(0, 2, Occasion.POLICY)
    scene = Scene(7, "FFF").govern(1, "F", "F")
    assert said(scene, cue) == ("fascist", (0,))
    assert said(scene.nominate(3), cue) == ("fascist", (0,))
    assert said(scene.vote(), cue) is None


def test_advice_and_warnings_end_with_the_decision(believing):
    believing(odds(s4=0.1))
    advice = Cue(0, 2, Occasion.NOMINATION)
    assert said(Scene(7), advice) == ("nominate", (4,))
    assert said(Scene(7).nominate(1), advice) is None
    believing(Odds((0.5,) * 7, (0.1, 0.5, 0.1, 0.1, 0.1, 0.1, 0.1)))
    danger = Cue(0, 2, Occasion.DANGER, seats=(0, 1))
    assert said(Scene(7).nominate(1), danger) == ("hitler", (1,))
    assert said(Scene(7).elect(1), danger) is None
    # Nobody names a Hitler for whom they may have to vote.
    last = Scene(7).reject(2).reject(2).nominate(1)
    assert said(last, Cue(0, 3, Occasion.DANGER, seats=(2, 1))) == ("beware_hitler", ())


def test_a_reaction_to_an_argument_comes_within_six_seconds_or_not_at_all():
    word = Spoken(0, "fascist", (2,))
    for by_bot, occasion in ((False, Occasion.ARGUMENT), (True, Occasion.ASSENT)):
        found = [
            cue
            for seed in range(300)
            for cue in cues.cues_after_phrase(
                word, SPEAKERS, (None, None), by_bot, Random(seed).randrange
            )
            if cue.occasion in (Occasion.ARGUMENT, Occasion.ASSENT)
        ]
        assert found and {cue.occasion for cue in found} == {occasion}
        assert max(cue.after for cue in found) <= 4
        assert not rhythm.is_late(found[0], 1.9) and rhythm.is_late(found[0], 2.1)


def test_a_bot_tells_only_people_that_it_is_not_convinced(believing):
    scene = Scene(7)
    word = Spoken(6, "suspect", (3,), 0)
    seats = (6, 3)
    to_person = Cue(0, 5, Occasion.ARGUMENT, "suspect", seats)
    assert said(scene, to_person, word) == ("not_convinced", (6,))
    assert said(scene, Cue(0, 5, Occasion.ASSENT, "suspect", seats), word) is None


def test_a_silent_person_is_left_time_to_answer():
    asked = Spoken(1, "what_drawn", (0,))
    for seed in range(200):
        [cue] = cues.cues_after_phrase(
            asked, {1: Character()}, (0, 1), True, Random(seed).randrange, [0]
        )
        assert cue.occasion is Occasion.SILENCE and cue.after >= 20


@pytest.mark.parametrize("code", ["hello", "good_luck"])
def test_a_person_s_greeting_is_always_answered(code):
    quiet = {1: Character(talkative=0.1)}
    for seed in range(50):
        hello = Spoken(0, code, ())
        [cue] = cues.cues_after_phrase(hello, quiet, (None, None), False, Random(seed).randrange)
        assert said(Scene(7), cue, hello) == ("hello", (0,))


# To the point ----------------------------------------------------------------------------------


def fascist_policies(count):
    """Return a game of seven after so many fascist policies, with the last power still to use."""
    scene = Scene(7, "FFFFFFFFFFFL")
    for _ in range(count):
        scene.govern(next_chancellor(scene), "F", "F")
    return scene


def next_chancellor(scene):
    """Use the power that waits, if any, and return the first seat that may be nominated."""
    if scene.state.candidate is None:
        scene.do(scene.legal(scene.state.president)[0])
    return scene.legal(scene.state.candidate)[0].target


def test_nothing_is_said_of_the_dead_or_to_them(believing):
    scene = fascist_policies(4)
    killer, lone = scene.state.president, scene.state.governments[-1].chancellor
    scene.do(Execute(killer, lone))
    believing(odds(**{f"s{lone}": 0.1}))
    viewer = next(seat for seat in scene.state.alive if seat != killer)
    for cue in (
        Cue(0, viewer, Occasion.ANSWER, "why_this_vote", (killer, viewer)),
        Cue(0, viewer, Occasion.ANSWER, "whom_trust", (lone, viewer)),
        Cue(0, viewer, Occasion.ACCUSED, "suspect", (lone, viewer)),
    ):
        words = said(scene, cue)
        assert words is None or lone not in words[1]


def test_officers_do_not_explain_their_own_ja():
    seats = {cue.seat for cue in planned(Scene(7).elect(1)) if cue.occasion is Occasion.BALLOT}
    assert seats and not seats & {0, 1}


def test_of_a_government_that_fails_those_speak_who_refused_it():
    scene = Scene(7).nominate(1)
    scene.do(*(Vote(seat, NEIN if seat in (2, 3, 4, 5) else JA) for seat in range(7)))
    heard = Heard(scene.told)
    found = [
        [
            c.seat
            for c in cues.cues_after_action(heard, SPEAKERS, False, Random(seed).randrange)
            if c.occasion is Occasion.BALLOT
        ]
        for seed in range(100)
    ]
    assert {seat for seats in found for seat in seats} == {2, 3, 4, 5}
    assert sum(map(bool, found)) > 80


def test_a_reason_knows_whether_hitler_could_win_by_that_vote(believing):
    scene = fascist_policies(2)
    chancellor = next_chancellor(scene)
    president = scene.nominate(chancellor).state.candidate
    voter = next(seat for seat in range(7) if seat not in (president, chancellor))
    believing(Odds((0.5,) * 7, tuple(0.5 if seat == chancellor else 0.1 for seat in range(7))))
    cue = Cue(0, voter, Occasion.ANSWER, "why_this_vote", (6, voter))
    scene.do(*(Vote(seat, NEIN if seat == voter else JA) for seat in range(7)))
    scene.do(Discard(president, F), Enact(chancellor, F))
    # The third fascist policy came by this vote, and not before it.
    assert view_for(scene.state, None).armed
    assert said(scene, cue) == ("nein_other", ())
    chancellor = next_chancellor(scene)
    believing(Odds((0.5,) * 7, tuple(0.5 if seat == chancellor else 0.1 for seat in range(7))))
    voter = next(s for s in range(7) if s not in (scene.state.candidate, chancellor))
    cue = Cue(0, voter, Occasion.ANSWER, "why_this_vote", (6, voter))
    assert said(scene.reject(chancellor), cue) == ("nein_hitler", (chancellor,))


def test_nobody_agrees_with_whom_they_have_just_accused(believing):
    believing(odds(s6=0.8, s3=0.9))
    scene = Scene(7)
    cue = Cue(0, 5, Occasion.ARGUMENT, "suspect", (6, 3))
    word, own = Spoken(6, "suspect", (3,), 0), Spoken(5, "suspect", (6,), 0)
    assert said(scene, cue, word) in (("agree", (6,)), ("point", (6,)))
    assert said(scene, cue, own, word) is None
    assert said(scene, cue, Spoken(5, "lying", (6, 3), 0), word) is None


def test_no_one_says_the_same_again_in_other_words(believing):
    believing(odds(s3=0.1))
    scene = Scene(7).elect(3)
    cue = Cue(0, 5, Occasion.BALLOT)
    assert said(scene, cue) == ("ja_trust", (3,))
    assert said(scene, cue, Spoken(5, "trust", (3,), 0)) == ("ja_chance", ())
    pair = Spoken(4, "lying", (1, 0), 0)
    conflict = Cue(0, 5, Occasion.CONFLICT, seats=(0, 1))
    assert said(scene, conflict) == ("lying", (0, 1))
    assert said(scene, conflict, pair) is None
    # Nor defends itself twice at once.
    accused = Cue(0, 5, Occasion.ACCUSED, "suspect", (2, 5))
    assert said(scene, accused) == ("me_wronged", (2,))
    assert said(scene, accused, Spoken(5, "me_wronged", (1,), 0)) is None


def test_who_has_taken_a_side_does_not_leave_it_open_who_lies():
    cue = Cue(0, 5, Occasion.CONFLICT, seats=(0, 1))
    scene = Scene(7).elect(1)
    assert said(scene, cue) == ("lying", (0, 1))
    assert said(scene, cue, Spoken(5, "fascist", (1,), 0)) is None


@pytest.mark.parametrize(("drawn", "words"), [((L, F, F), None), ((F, F, F), "me_no_choice")])
def test_only_who_claims_to_have_had_no_liberal_says_that_there_was_no_choice(
    believing, drawn, words
):
    scene = Scene(7, "FFF").govern(1, "F", "F")
    claim = Drawn(1, 0, drawn, F)
    found = said(scene, Cue(0, 0, Occasion.POLICY), claims=[claim])
    assert found == (words and (words, ()))


def test_an_investigation_that_finds_a_fascist_is_spoken_about(believing):
    scene = Scene(7)
    claim = PartySeen(1, 0, 3, Party.FASCIST)
    found = cues.cues_after_claim(Heard(scene.told, (claim,)), claim, SPEAKERS, below)
    assert {cue.seat for cue in found if cue.occasion is Occasion.ACCUSED} == {3}
    [cue] = [cue for cue in found if cue.occasion is Occasion.CONFLICT]
    for believed, words in (
        ({}, ("lying", (0, 3))),
        ({"s3": 0.95}, ("fascist", (3,))),
        ({"s0": 0.95}, ("lying", (0,))),
    ):
        believing(odds(**believed))
        assert said(scene, cue, claims=[claim]) == words


def test_who_has_advised_a_chancellor_votes_for_them_even_at_the_last_chance(believing):
    believing(odds(s2=0.99, s1=0.9))
    scene = Scene(7).reject(3).reject(3).nominate(1)
    heard = Heard(scene.told, (), [Spoken(5, "nominate", (1,), len(scene.told))])
    view = view_for(scene.state, 5)
    votes = {choose("reasoner", view, Random(seed).randrange, heard) for seed in range(20)}
    assert votes == {Vote(5, JA)}


def test_an_accused_bot_contradicts_and_does_not_answer_a_question_that_nobody_asked(believing):
    for code in ("suspect", "fascist", "together"):
        cue = Cue(0, 5, Occasion.ACCUSED, code, (2, 5))
        assert {
            say(view_for(Scene(7).state, 5), Heard((), ()), cue, Random(seed).randrange)[0]
            for seed in range(5)
        } == {"me_wronged"}
    assert said(Scene(7), Cue(0, 5, Occasion.ACCUSED, "too_quiet", (2, 5))) == ("no_idea", (2,))


# By its own deeds -------------------------------------------------------------------------------


def test_advice_keeps_to_the_ballots_that_the_bot_has_just_cast(believing):
    scene = Scene(7).reject(4)
    cue = Cue(0, 2, Occasion.NOMINATION)
    believing(odds(s4=0.1))
    assert said(scene, cue) is None
    believing(odds(s4=0.1, s5=0.2))
    assert said(scene, cue) == ("nominate", (5,))
    # Who has just voted Ja doesn't advise against the same Chancellor either.
    scene = Scene(7).nominate(4)
    scene.do(*(Vote(seat, JA if seat in (0, 2, 4) else NEIN) for seat in range(7)))
    believing(odds(s4=0.9))
    assert said(scene, cue) is None
    assert said(scene, Cue(0, 3, Occasion.NOMINATION)) == ("not_nominate", (4,))


def test_no_one_distrusts_or_fears_the_chancellor_that_they_have_just_voted_for(believing):
    believing(odds(s4=0.9))
    scene = Scene(7).nominate(4)
    scene.do(*(Vote(seat, JA if seat in (0, 2, 4) else NEIN) for seat in range(7)))
    scene.reject(4)
    assert said(scene, Cue(0, 3, Occasion.BALLOT)) == ("nein_distrust", (4,))
    assert said(scene, Cue(0, 2, Occasion.BALLOT)) == ("nein_other", ())
    believing(Odds((0.5,) * 7, (0.1, 0.1, 0.1, 0.1, 0.5, 0.1, 0.1)))
    scene.nominate(4)
    assert said(scene, Cue(0, 3, Occasion.DANGER, seats=(2, 4))) == ("beware_hitler", ())
    assert said(scene, Cue(0, 2, Occasion.DANGER, seats=(2, 4))) is None


def test_a_pair_is_not_praised_beside_the_next_one_nor_by_who_chooses_it(believing):
    believing(odds(s0=0.1, s1=0.1))
    cue = Cue(0, 2, Occasion.POLICY)
    scene = Scene(7, "LLL").govern(1, "L", "L")
    assert said(scene, cue) == ("good_pair", (0, 1))
    assert said(scene, Cue(0, 1, Occasion.POLICY))[0] != "good_pair"
    assert said(scene.nominate(3), cue)[0] == "liberal"


def test_an_excuse_comes_before_anything_else_that_the_bot_says(believing):
    scene = Scene(7, "FFF").govern(1, "F", "F")
    cue, claims = Cue(0, 0, Occasion.POLICY), [Drawn(1, 0, (F, F, F), F)]
    assert said(scene, cue, claims=claims) == ("me_no_choice", ())
    other = Spoken(0, "suspect", (3,), len(scene.told))
    assert said(scene, cue, other, claims=claims) is None


def test_no_one_speaks_for_whom_their_own_claim_gives_the_lie(believing):
    believing(odds(s0=0.1))
    cue = Cue(0, 1, Occasion.NOMINATION)
    scene = Scene(7, "LFFFFF").govern(1, "F", "L").govern(2, "F", "F")
    scene.reject(3)
    claims = [Drawn(1, 0, (L, F, F), L), Received(1, 1, (L, F))]
    assert said(scene, cue) == ("nominate", (0,))
    assert said(scene, cue, claims=claims) is None
    assert said(scene, cue, claims=[PartySeen(2, 0, 1, Party.FASCIST)]) is None
    # A third player may still believe either.
    assert said(scene, Cue(0, 4, Occasion.NOMINATION), claims=claims) == ("nominate", (0,))


def test_who_has_named_a_confession_does_not_ask_later_who_of_the_two_lies():
    scene = Scene(7, "FFFLFF").govern(1, "F", "F")
    named = Spoken(2, "confessed", (1,), len(scene.told))
    scene.govern(2, "F", "L")
    conflict = Cue(0, 2, Occasion.CONFLICT, seats=(0, 1))
    assert said(scene, conflict) == ("lying", (0, 1))
    assert said(scene, conflict, named) is None
