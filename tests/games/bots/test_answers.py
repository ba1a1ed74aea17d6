"""What bots answer, what they ask people, and what they say to an argument."""

from random import Random

import pytest

from games.bots import Character, Heard, Spoken, choose, cues
from games.bots.cues import Cue, Occasion
from games.bots.reasoning.talk import say
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot, Policy
from games.rules.phases import Phase
from games.rules.view import view_for

from .scenes import Scene

L, F = Policy.LIBERAL, Policy.FASCIST
SPEAKERS = dict.fromkeys(range(1, 7), Character(talkative=1.0))
ME = 0
OPINIONS = {"suspect", "fascist", "trust", "liberal"}
REASONS = {
    *("ja_trust", "ja_chance", "ja_chaos", "me_liberal"),
    *("nein_distrust", "nein_hitler", "nein_other", "nein_me"),
}
VERDICTS = {"agree", "disagree", "perhaps"}
BALLOTS = {"me_vote_ja", "me_vote_nein"}
SIGHTS = {"me_truth", "claim", None}
# What a good player may answer to each question or request; None is silence.
ANSWERS = {
    **dict.fromkeys(("what_drawn", "what_handed", "what_seen", "say_what"), SIGHTS),
    "why": REASONS | OPINIONS | {"perhaps", None},
    "why_this_vote": REASONS | {None},
    "whom_trust": OPINIONS | {"no_idea"},
    "whom_nominate": OPINIONS | {"no_idea", "me_nominate"},
    "whom_suspect": OPINIONS | {"no_idea"},
    "whom_investigate": OPINIONS | {"no_idea"},
    "whom_execute": OPINIONS | {"no_idea"},
    "how_vote": BALLOTS | {"perhaps"},
    "are_you_liberal": {"me_liberal"},
    "do_you_trust": OPINIONS | {"perhaps", "me_liberal"},
    **dict.fromkeys(("vote_ja", "vote_nein"), BALLOTS | {"point", "not_convinced", "perhaps"}),
    **dict.fromkeys(("nominate", "nominate_me"), VERDICTS | {"me_nominate"}),
    **dict.fromkeys(("not_nominate", "investigate", "investigate_me"), VERDICTS),
    **dict.fromkeys(("execute", "spare", "propose_veto", "refuse_veto"), VERDICTS),
}


def below(n):
    return 0


def scenes():
    """Return a game's start, a nomination, a vote, and the same after two policies."""
    two = Scene(7, "FFFLLFFFF").govern(1, "F", "F").govern(2, "F", "L")
    again = Scene(7, "FFFLLFFFF").govern(1, "F", "F").govern(2, "F", "L").nominate(3)
    return [Scene(7), Scene(7).nominate(1), two, again]


@pytest.mark.parametrize("code", sorted(cues.QUESTIONS))
def test_a_bot_answers_as_a_good_player_would(code):
    needs_seat = code in ("do_you_trust", "nominate", "not_nominate", "investigate", "execute")
    for scene in scenes():
        for seat in range(1, 7):
            other = seat % 6 + 1
            seats = (seat, other) if needs_seat or code in ("why", "spare") else (seat,)
            asked = Spoken(ME, code, seats, len(scene.told))
            heard = Heard(scene.told, (), (asked,))
            cue = Cue(0, seat, Occasion.ANSWER, code, (ME, *seats))
            said = say(view_for(scene.state, seat), heard, cue, below)
            answer = said[0] if isinstance(said, tuple) else "claim" if said else None
            assert answer in ANSWERS[code]


def test_the_candidate_says_whom_it_will_nominate_and_the_voter_how_it_will_vote_and_keeps_to_it():
    found = set()
    for scene in scenes():
        seat = scene.state.candidate if scene.state.phase is Phase.NOMINATION else 5
        code = "whom_nominate" if scene.state.phase is Phase.NOMINATION else "how_vote"
        asked = Spoken(6, code, (seat,), len(scene.told))
        cue = Cue(0, seat, Occasion.ANSWER, code, (6, seat))
        view = view_for(scene.state, seat)
        announced, seats = say(view, Heard(scene.told, (), (asked,)), cue, below)
        found.add(announced)
        said = Spoken(seat, announced, seats, len(scene.told))
        for number in range(20):
            heard = Heard(scene.told, (), (asked, said))
            action = choose("reasoner", view, Random(number).randrange, heard)
            if announced == "me_nominate":
                assert action == Nominate(seat, *seats)
            elif announced in BALLOTS:
                assert action == Vote(seat, Ballot(announced.removeprefix("me_vote_")))
    assert found <= {"me_nominate", "perhaps", *BALLOTS} and found & BALLOTS
    assert "me_nominate" in found


# Arguments ---------------------------------------------------------------------------------------


def reaction(scene, word, *others, seat=5):
    heard = Heard(scene.told, (), (*others, word))
    cue = Cue(0, seat, Occasion.ARGUMENT, word.code, (word.seat, *word.seats))
    return say(view_for(scene.state, seat), heard, cue, below)


def test_a_bot_says_whether_an_argument_has_moved_it():
    scene = Scene(7, "FFF").govern(1, "F", "F")
    now = len(scene.told)
    # The record supports the first, is silent on the second, and contradicts the third.
    assert reaction(scene, Spoken(6, "suspect", (1,), now)) == ("point", (6,))
    assert reaction(scene, Spoken(6, "suspect", (3,), now)) == ("not_convinced", (6,))
    assert reaction(scene, Spoken(6, "trust", (1,), now)) == ("not_convinced", (6,))
    # A speaker who has twice promised one ballot and cast the other moves nobody.
    broken = [Spoken(6, "me_vote_nein", (), length) for length in (1, now + 1)]
    scene = Scene(7, "FFFFFF").govern(1, "F", "F").govern(2, "F", "F")
    word = Spoken(6, "suspect", (2,), len(scene.told))
    assert reaction(scene, word) == ("point", (6,))
    assert reaction(scene, word, *broken) == ("not_convinced", (6,))


def test_a_defence_is_judged_by_its_speaker_and_not_by_whom_it_is_told():
    scene = Scene(7, "LLL").govern(1, "L", "L").govern(2, "L", "L")
    told_to_a_friend = Spoken(6, "me_wronged", (1,), len(scene.told))
    assert reaction(scene, told_to_a_friend) != ("agree", (6,))


def test_one_bystander_at_most_reacts_to_an_argument_and_none_to_a_reaction():
    word = Spoken(ME, "fascist", (2,))
    always = cues.cues_after_phrase(word, SPEAKERS, (None, None), False, below)
    found = [cue for cue in always if cue.occasion is Occasion.ARGUMENT]
    assert len(found) == 1 and found[0].seat != 2
    assert [cue.seat for cue in always if cue.occasion is Occasion.ACCUSED] == [2]
    for code in ("point", "not_convinced"):
        reply = Spoken(1, code, (ME,))
        assert cues.cues_after_phrase(reply, SPEAKERS, (None, None), True, below, [ME]) == []
    count = sum(
        cue.occasion is Occasion.ARGUMENT
        for number in range(200)
        for cue in cues.cues_after_phrase(
            word, dict.fromkeys(range(1, 7), Character()), (1, 2), False, Random(number).randrange
        )
    )
    assert 80 < count < 160


# Questions to people ----------------------------------------------------------------------------


def planned(scene, occasion):
    found = cues.cues_after_action(Heard(scene.told), SPEAKERS, False, below, [ME])
    return [(cue.code, cue.seats) for cue in found if cue.occasion is occasion]


def test_a_person_is_asked_whom_they_will_nominate_why_they_voted_so_and_what_they_drew():
    scene = Scene(7, first=6).reject(1)
    assert planned(scene, Occasion.QUESTION) == [("whom_nominate", (ME,))]
    scene = Scene(7, first=1).nominate(2)
    scene.do(*(Vote(seat, Ballot.NEIN if seat == ME else Ballot.JA) for seat in range(7)))
    assert planned(scene, Occasion.QUESTION) == [("why_this_vote", (ME,))]
    assert planned(scene, Occasion.STRANGE) == []
    scene = Scene(7, "FFF").govern(1, "F", "F")
    assert planned(scene, Occasion.ASK) == [("", (ME,))]


def test_a_question_waits_for_its_answer_as_long_as_people_take_and_then_for_a_remark():
    question = Spoken(3, "what_drawn", (ME,), 9)
    waits = [
        cues.cues_after_phrase(
            question, SPEAKERS, (None, None), True, Random(number).randrange, [ME]
        )
        for number in range(100)
    ]
    assert {len(found) for found in waits} == {1}
    times = sorted(found[0].after for found in waits)
    assert 30 < times[50] < 50 and times[0] > 5 and times[-1] <= 80
    assert (waits[0][0].seat, waits[0][0].occasion) == (3, Occasion.SILENCE)
    # Bots answer, and nobody waits for people who are away.
    away = cues.cues_after_phrase(question, SPEAKERS, (None, None), True, below, [])
    assert away == []


def test_silence_is_remarked_on_once_and_not_if_the_person_spoke_or_has_nominated():
    scene = Scene(7)
    question = Spoken(3, "whom_nominate", (ME,))
    cue = Cue(0, 3, Occasion.SILENCE, "whom_nominate", (ME,))

    def remark(*words):
        heard = Heard(scene.told, (), (question, *words))
        return say(view_for(scene.state, 3), heard, cue, below)

    assert remark() == ("too_quiet", (ME,))
    assert remark(Spoken(ME, "no_idea")) is None
    assert remark(Spoken(4, "too_quiet", (ME,)), *[Spoken(5, "ha")] * 30) is None
    scene.nominate(1)
    assert remark() is None


def test_a_question_that_someone_has_just_asked_is_not_asked_again():
    scene = Scene(7)
    cue = Cue(0, 3, Occasion.QUESTION, "whom_nominate", (ME,))
    view = view_for(scene.state, 3)
    assert say(view, Heard(), cue, below) == ("whom_nominate", (ME,))
    asked = [Spoken(5, "whom_nominate", (ME,))]
    assert say(view, Heard((), (), asked), cue, below) is None
