"""Bots talk in turn: with pauses, without repeating a line, and with a last word at the end."""

from dataclasses import replace
from itertools import pairwise

import pytest

from games import bots
from games.bots import endings, rhythm
from games.bots.cues import Character, Cue, Occasion
from games.bots.rhythm import LINES, Line, line_for, wait_before
from games.rules.components import Party
from games.rules.events import Candidate, Nominated
from games.rules.phases import Ending, Outcome
from games.rules.view import view_for

GREETINGS = {"hello", "good_luck"}


@pytest.fixture(scope="module")
def games(ten):
    """Games of ten bots, with a line's round beside it."""
    played = []
    for talk in ten:
        said, at_round = [], 1
        for line in talk.lines:
            if isinstance(line.what, tuple):
                at_round += sum(isinstance(event, Candidate) for event in line.what[2])
            else:
                said.append((at_round, line))
        played.append((talk, said))
    return played


def key(line):
    if isinstance(line.what, bots.Spoken):
        return rhythm.key_of(line.what.code, line.what.seats)
    return rhythm.claim_key(line.what)


def test_no_more_than_three_lines_come_in_six_seconds_and_none_at_once(games):
    for _, said in games:
        times_ = [line.at for _, line in said]
        assert all(later - earlier > 1.499 for earlier, later in pairwise(times_))
        assert all(
            later - earlier > 5.998 for earlier, later in zip(times_, times_[3:], strict=False)
        )


def test_no_line_comes_twice_within_three_rounds(games):
    for talk, said in games:
        last = {}
        for at_round, line in said:
            words = talk.kinds[line.seat], key(line), line.number
            assert at_round - last.get(words, -3) >= 3, words
            last[words] = at_round


def test_bots_greet_in_the_first_round_alone(games):
    greeted = [
        at_round
        for _, said in games
        for at_round, line in said
        if isinstance(line.what, bots.Spoken) and line.what.code in GREETINGS
    ]
    assert set(greeted) == {1}


def test_an_officer_claims_before_speaking_of_the_government(games):
    for _, said in games:
        blamed = set()
        for at_round, line in said:
            if isinstance(line.what, bots.Spoken):
                if line.what.code in ("suspect", "fascist", "lying"):
                    blamed.add((line.seat, at_round))
            else:
                assert (line.seat, line.what.round + 1) not in blamed


def test_two_or_three_bots_react_to_the_end_as_their_role_and_words_bid(games):
    for talk, said in games:
        last = [
            line.what
            for _, line in said
            if isinstance(line.what, bots.Spoken) and line.what.code.startswith("end_")
        ]
        assert 2 <= len(last) <= 3
        assert len({one.seat for one in last}) == len(last)
        for one in last:
            role, winner = talk.state.setup.roles[one.seat], talk.state.outcome.winner
            if one.code in ("end_won", "end_hid"):
                assert role.party == winner
            if one.code == "end_hitler":
                assert role == "hitler"
            if one.code in ("end_knew", "end_fooled"):
                assert role == "liberal"
                assert talk.state.setup.roles[one.seats[0]].party is Party.FASCIST


@pytest.mark.parametrize("winner", list(Party))
def test_who_suspected_hitler_knew_it_and_a_loser_who_trusted_was_fooled(games, winner):
    view = replace(
        view_for(games[0][0].state, None),
        outcome=Outcome(winner, Ending.HITLER_EXECUTED),
        liberal=2,
    )
    hitler = view.roles.index("hitler")
    seat = view.roles.index("liberal")
    speakers = {seat: Character()}

    def last_words(*codes):
        phrases = [bots.Spoken(seat, code, (hitler,)) for code in codes]
        cues = endings.cues_at_the_end(view, bots.Heard((), (), phrases), speakers, lambda n: 0)
        return [(cue.code, cue.seats) for cue in cues]

    assert last_words("trust", "hitler") == [("end_knew", (hitler,))]
    has_won = winner is Party.LIBERAL
    fooled = ("end_won", ()) if has_won else ("end_fooled", (hitler,))
    assert last_words("hitler", "trust") == [fooled]
    assert last_words() == ([("end_won", ())] if has_won else [])


def test_who_made_hitler_chancellor_was_fooled_whatever_they_said(games):
    view = view_for(games[0][0].state, None)
    hitler, seat = view.roles.index("hitler"), view.roles.index("liberal")
    outcome = Outcome(Party.FASCIST, Ending.HITLER_ELECTED)
    told = [(1, seat, (Nominated(seat, hitler),))]
    view = replace(view, outcome=outcome)
    heard = bots.Heard(told, (), [bots.Spoken(seat, "suspect", (hitler,))])
    [cue] = endings.cues_at_the_end(view, heard, {seat: Character()}, lambda n: 0)
    assert (cue.code, cue.seats) == ("end_fooled", (hitler,))


def test_a_person_who_says_well_played_is_answered_once():
    speakers = {1: Character(), 2: Character()}
    said = bots.Spoken(0, "well_played", (2,))
    [cue] = endings.cues_after_farewell(said, bots.Heard(), speakers, lambda n: 0)
    assert (cue.seat, cue.code, cue.seats) == (2, "you_too", (0,))
    answered = bots.Heard((), (), (bots.Spoken(2, "you_too", (0,)),))
    assert endings.cues_after_farewell(said, answered, speakers, lambda n: 0) == []
    other = bots.Spoken(0, "suspect", (2,))
    assert endings.cues_after_farewell(other, bots.Heard(), speakers, lambda n: 0) == []


def test_a_character_without_a_fresh_line_is_silent_but_a_claim_comes():
    used = [Line(float(n), 2, "bold", "suspect_1", n) for n in range(LINES)]
    said = Line(100.0, 4, "bold", "suspect_1")
    assert line_for(used, said, lambda n: 0) is None
    claims = [replace(line, key="claim_saw") for line in used]
    assert line_for(claims, replace(said, key="claim_saw"), lambda n: 0) == 0
    later = Line(100.0, 5, "bold", "suspect_1")
    assert line_for(used, later, lambda n: n - 1) == LINES - 1


def test_a_line_that_the_table_has_not_heard_comes_first():
    used = [Line(float(n), 1, "bold", "suspect_1", n) for n in (0, 1, 3, 4)]
    assert line_for(used, Line(100.0, 9, "bold", "suspect_1"), lambda n: 0) == 2


def test_plain_words_do_not_come_twice_within_ten_seconds():
    used = [Line(0.0, 2, "", "suspect_1", seats=(3,))]
    assert line_for(used, Line(9.0, 2, "", "suspect_1", seats=(3,)), lambda n: 0) is None
    assert line_for(used, Line(9.0, 2, "", "suspect_1", seats=(4,)), lambda n: 0) == 0
    assert line_for(used, Line(11.0, 2, "", "suspect_1", seats=(3,)), lambda n: 0) == 0


def test_lines_of_a_clock_that_was_set_back_do_not_silence_the_bots():
    assert wait_before([Line(100.0, 1, "bold", "ha_0")], 50.0) == 0
    assert wait_before([Line(49.0, 1, "bold", "ha_0")], 50.0) == 0.5
    assert wait_before([Line(50.0, 1, "bold", "ha_0")], 50.0, scale=0) == 0


def test_what_is_said_about_a_government_waits_for_the_claim():
    assert rhythm.waits_for_claim(Cue(0, 1, Occasion.POLICY))
    assert not rhythm.waits_for_claim(Cue(0, 1, Occasion.BALLOT))
