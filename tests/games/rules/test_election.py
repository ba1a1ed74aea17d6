"""Nominations, votes, and the results of an election."""

import pytest

from games.rules.actions import Discard, Enact, Nominate, Vote
from games.rules.components import Ballot, Policy
from games.rules.powers import Peek
from games.rules.reasons import Reason

from .table import EDITIONS, Table

everywhere = pytest.mark.parametrize("edition", EDITIONS)


@everywhere
def test_a_nomination_puts_the_pair_to_the_vote(edition):
    table = Table(edition, first=3).nominate(1)
    assert table.events == [{"event": "nominated", "president": 3, "chancellor": 1}]
    assert table.showing("phase", "candidate", "nominee") == ("election", 3, 1)
    assert table.showing("president", "chancellor") == (None, None)
    assert table.showing("to_act", "eligible") == ([0, 1, 2, 3, 4], [])


@everywhere
def test_a_majority_of_the_living_elects(edition):
    table = Table(edition).nominate(2).vote("jjjnn")
    assert table.heard == ["ballots", "elected"]
    assert table.events == [
        {"event": "ballots", "ballots": ["ja", "ja", "ja", "nein", "nein"]},
        {"event": "elected", "president": 0, "chancellor": 2},
    ]
    assert table.showing("phase", "to_act") == ("president_discards", [0])
    assert table.showing("candidate", "nominee") == (None, None)
    assert table.showing("president", "chancellor") == (0, 2)
    assert table.showing("draw", "discard") == (14, 0)


@everywhere
def test_a_tie_rejects_the_government(edition):
    table = Table(edition, 6).nominate(2).vote("jjjnnn")
    assert table.events == [
        {"event": "ballots", "ballots": ["ja"] * 3 + ["nein"] * 3},
        {"event": "rejected", "president": 0, "chancellor": 2},
        {"event": "tracker", "value": 1},
        {"event": "candidate", "seat": 1},
    ]
    assert table.showing("phase", "candidate", "tracker", "draw") == ("nomination", 1, 1, 17)


@pytest.mark.parametrize("players", range(5, 11))
def test_half_of_the_table_is_never_enough(players):
    for ja in range(players + 1):
        table = Table(players=players).nominate(1).vote("j" * ja + "n" * (players - ja))
        assert ("elected" in table.heard) == (ja > players - ja)


def test_the_dead_are_no_part_of_the_majority():
    table = Table(players=7).play_to(fascist=4, victims=[2])
    assert 2 not in table.state.alive
    # Three of six living players are a tie, although four of seven would not be.
    table.nominate(table.harmless()).vote("jjjnnn")
    assert "rejected" in table.heard
    assert table.events[0]["ballots"][2] is None


def test_a_dead_player_neither_votes_nor_stands_nor_is_nominated():
    table = Table(players=7).play_to(fascist=4, victims=[2])
    president = table.candidate
    assert table.refuses(Nominate(president, 2)) is Reason.TARGET_DEAD
    table.nominate(table.harmless())
    assert 2 not in table.shown["to_act"]
    assert table.refuses(Vote(2, Ballot.JA)) is Reason.DEAD


def test_the_placard_skips_the_dead():
    table = Table(players=7, first=0).play_to(fascist=4, victims=[5])
    stood = []
    for _ in range(6):
        stood.append(table.candidate)
        if table.state.tracker == 2:
            table.govern("liberal")
        else:
            table.reject()
    assert sorted(stood) == [0, 1, 2, 3, 4, 6]


def test_a_ballot_that_is_not_the_last_tells_nothing():
    table = Table().nominate(1)
    table.do(Vote(3, Ballot.NEIN))
    assert table.events == []
    assert table.showing("to_act", "phase") == ([0, 1, 2, 4], "election")


def test_a_ballot_may_be_changed_until_the_last_one_is_in():
    table = Table().nominate(1)
    for seat in (0, 1, 2, 3):
        table.do(Vote(seat, Ballot.NEIN))
    for seat in (0, 1, 2, 3):
        assert table.do(Vote(seat, Ballot.JA)).events == []
        assert table.showing("to_act") == ([4],)
    table.do(Vote(4, Ballot.NEIN))
    assert table.events[0]["ballots"] == ["ja", "ja", "ja", "ja", "nein"]
    assert table.refuses(Vote(0, Ballot.NEIN)) is Reason.WRONG_PHASE


def test_only_the_candidate_nominates():
    table = Table(first=2)
    assert table.refuses(Nominate(0, 1)) is Reason.NOT_YOUR_TURN
    assert table.refuses(Nominate(2, 2)) is Reason.YOURSELF
    assert table.refuses(Nominate(2, 5)) is Reason.NO_SUCH_SEAT
    assert table.refuses(Nominate(2, -1)) is Reason.NO_SUCH_SEAT
    assert table.refuses(Nominate(7, 1)) is Reason.NO_SUCH_SEAT
    assert table.refuses(Peek(2)) is Reason.WRONG_PHASE


def test_the_candidacy_passes_round_the_table():
    table = Table(players=6, first=4)
    stood = [table.candidate]
    for _ in range(5):
        stood.append(table.reject().candidate)
    assert stood == [4, 5, 0, 1, 2, 3]


def test_the_president_draws_three_from_the_top_and_the_chancellor_gets_two():
    table = Table(deck="LFFLFL").elect(0, 1)
    assert table.deck.startswith("LFL")
    assert table.refuses(Enact(1, Policy.LIBERAL)) is Reason.WRONG_PHASE
    assert table.refuses(Discard(1, Policy.LIBERAL)) is Reason.NOT_YOUR_TURN
    table.discard("fascist")
    assert table.events == []
    assert table.showing("phase", "to_act") == ("chancellor_enacts", [1])
    assert table.showing("draw", "discard") == (14, 1)
    assert table.refuses(Enact(0, Policy.LIBERAL)) is Reason.NOT_YOUR_TURN
    table.enact("liberal")
    assert table.events == [
        {"event": "enacted", "policy": "liberal", "by": "government"},
        {"event": "candidate", "seat": 1},
    ]
    assert table.showing("draw", "discard", "liberal", "fascist") == (14, 2, 1, 0)
    assert table.showing("president", "chancellor") == (None, None)


def test_no_one_plays_a_policy_that_is_not_in_the_hand():
    table = Table(deck="FFFLLL").elect(0, 1)
    assert table.refuses(Discard(0, Policy.LIBERAL)) is Reason.NOT_IN_HAND
    table.discard("fascist")
    assert table.refuses(Enact(1, Policy.LIBERAL)) is Reason.NOT_IN_HAND
    table.enact("fascist")
    assert table.shown["fascist"] == 1


@everywhere
def test_the_hitler_check_waits_for_three_fascist_policies(edition):
    table = Table(edition, 6, deck="FFFFFF")
    table.govern("fascist").govern("fascist")
    hitler = table.seats("H")[0]
    table.elect(table.candidate, hitler)
    assert "elected" in table.heard
    assert "not_hitler" not in table.heard
    assert table.shown["winner"] is None


@everywhere
def test_every_chancellor_after_three_fascist_policies_is_told_not_to_be_hitler(edition):
    table = Table(edition, 6).play_to(fascist=3)
    for _ in range(2):
        chancellor = table.harmless()
        table.elect(table.candidate, chancellor)
        assert {"event": "not_hitler", "seat": chancellor} in table.events
        table.pass_cards().enact("liberal")


@everywhere
def test_the_same_chancellor_is_told_again(edition):
    table = Table(edition, 6).play_to(fascist=3)
    told = []
    for _ in range(3):
        stands = table.candidate
        chancellor = 3 if 3 in table.state.eligible and stands != 3 else table.harmless()
        table.elect(stands, chancellor)
        told += [event["seat"] for event in table.events if event["event"] == "not_hitler"]
        table.pass_cards().enact("liberal")
    assert len(told) == 3


@everywhere
def test_hitler_as_chancellor_after_three_wins_at_once(edition):
    table = Table(edition, 6).play_to(fascist=3).reject()
    draw = table.shown["draw"]
    president, hitler = table.candidate, table.seats("H")[0]
    if president == hitler:
        president = table.reject().candidate
    table.elect(president, hitler)
    assert table.heard == ["ballots", "elected", "over"]
    assert table.events[-1] == {"event": "over", "winner": "fascist", "ending": "hitler_elected"}
    assert table.showing("phase", "to_act", "draw") == ("over", [], draw)
    # Nothing moves the tracker after the action that ends the game.
    assert table.shown["tracker"] > 0
    assert table.showing("candidate", "nominee", "president", "chancellor") == (None,) * 4


@everywhere
def test_hitler_may_be_president(edition):
    table = Table(edition, 6).play_to(fascist=3)
    while table.candidate != table.seats("H")[0]:
        table.govern("liberal")
    table.govern("liberal")
    assert table.shown["winner"] is None


@everywhere
def test_a_failed_vote_never_checks(edition):
    table = Table(edition, 6).play_to(fascist=3)
    table.reject(table.seats("H")[0])
    assert table.heard == ["ballots", "rejected", "tracker", "candidate"]
