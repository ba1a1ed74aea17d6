"""The veto: when it may be proposed, and the effect of consent in each edition (decision 1)."""

import pytest

from games.rules.actions import AnswerVeto, Enact, ProposeVeto
from games.rules.components import Policy
from games.rules.legality import legal_actions
from games.rules.reasons import Reason

from .table import EARLY, EDITIONS, FINAL, Table

everywhere = pytest.mark.parametrize("edition", EDITIONS)


def unlocked(edition: str, players: int = 6, **more: object) -> Table:
    table = Table(edition, players, **more).play_to(fascist=5, victims=[1, 2])
    assert table.shown["veto_unlocked"] is True
    return table


def in_session(edition: str, **more: object) -> Table:
    table = unlocked(edition, **more)
    return table.elect(table.candidate, table.harmless()).pass_cards()


@everywhere
def test_there_is_no_veto_before_the_fifth_fascist_policy(edition):
    table = Table(edition, 6).play_to(fascist=4)
    table.elect(table.candidate, table.harmless()).pass_cards()
    assert table.shown["veto_unlocked"] is False
    assert table.refuses(ProposeVeto(table.state.chancellor)) is Reason.VETO_LOCKED
    table.enact("fascist")
    assert table.showing("fascist", "veto_unlocked", "phase") == (5, True, "execution")


@everywhere
def test_the_chancellor_proposes_and_the_president_answers(edition):
    table = in_session(edition)
    president, chancellor = table.state.president, table.state.chancellor
    assert table.refuses(ProposeVeto(president)) is Reason.NOT_YOUR_TURN
    table.propose_veto()
    assert table.events == []
    assert table.showing("phase", "to_act") == ("veto_proposed", [president])
    assert table.showing("president", "chancellor") == (president, chancellor)
    assert table.refuses(AnswerVeto(chancellor, True)) is Reason.NOT_YOUR_TURN
    assert table.refuses(Enact(chancellor, Policy.LIBERAL)) is Reason.WRONG_PHASE


@everywhere
def test_only_the_chancellor_and_only_with_two_cards_proposes(edition):
    table = unlocked(edition)
    table.elect(table.candidate, table.harmless())
    assert table.refuses(ProposeVeto(table.state.chancellor)) is Reason.WRONG_PHASE


@everywhere
def test_after_a_refusal_the_chancellor_must_enact(edition):
    table = in_session(edition)
    chancellor = table.state.chancellor
    piles = table.showing("draw", "discard")
    first = table.state.decision
    table.propose_veto().answer_veto(False)
    assert table.events == [{"event": "veto", "consent": False}]
    assert table.showing("phase", "to_act") == ("chancellor_enacts", [chancellor])
    assert table.showing("draw", "discard") == piles
    assert table.refuses(ProposeVeto(chancellor)) is Reason.VETO_REFUSED
    assert {action.kind for action in legal_actions(table.state, chancellor)} == {"enact"}
    assert table.state.decision != first
    table.enact("liberal")
    assert table.shown["liberal"] == 1


@everywhere
def test_in_the_next_session_it_may_be_proposed_again(edition):
    table = in_session(edition).propose_veto().answer_veto(False).enact("liberal")
    table.elect(table.candidate, table.harmless()).pass_cards().propose_veto()
    assert table.shown["phase"] == "veto_proposed"


@everywhere
def test_a_consent_discards_both_and_ends_the_round(edition):
    table = in_session(edition)
    discards = table.shown["discard"]
    president = table.state.president
    table.propose_veto().answer_veto(True)
    assert table.heard[0] == "veto"
    assert table.heard[-1] == "candidate"
    assert table.showing("liberal", "fascist", "discard") == (0, 5, discards + 2)
    assert table.candidate != president
    assert table.showing("president", "chancellor") == (None, None)
    assert table.state.hand == ()
    assert table.state.governments[-1].policy is None


@pytest.mark.parametrize("edition", [*FINAL, *EARLY])
def test_a_veto_advances_the_tracker(edition):
    table = in_session(edition).propose_veto().answer_veto(True)
    assert table.heard == ["veto", "tracker", "candidate"]
    assert table.shown["tracker"] == 1


def test_in_the_small_russian_rules_a_veto_adds_nothing():
    table = in_session("ru-5-6").propose_veto().answer_veto(True)
    assert table.heard == ["veto", "candidate"]
    assert table.shown["tracker"] == 0


# Decision 1: the tracker at two -----------------------------------------------------------------


@pytest.mark.parametrize("edition", FINAL)
def test_a_veto_with_the_tracker_at_two_is_chaos(edition):
    table = unlocked(edition).reject().reject().veto()
    assert table.heard == ["veto", "tracker", "enacted", "tracker", "candidate"]
    assert [event.get("value") for event in table.events] == [None, 3, None, 0, None]
    assert table.events[2]["by"] == "chaos"
    assert table.showing("tracker", "limited") == (0, [])


@pytest.mark.parametrize("edition", EARLY)
def test_a_veto_after_two_failed_votes_stands_at_one(edition):
    table = unlocked(edition, 8).reject().reject().veto()
    assert table.heard == ["veto", "tracker", "candidate"]
    assert table.shown["tracker"] == 1


def test_a_veto_after_two_failed_votes_stands_at_nought_in_the_small_russian_rules():
    table = unlocked("ru-5-6").reject().reject().veto()
    assert table.heard == ["veto", "candidate"]
    assert table.shown["tracker"] == 0


def test_in_a_mix_a_veto_may_leave_the_tracker_at_two():
    table = unlocked("en", veto_advances_tracker=False).reject().reject().veto()
    assert (table.heard, table.shown["tracker"]) == (["veto", "candidate"], 2)
    assert table.reject().heard[2:4] == ["tracker", "enacted"]


@pytest.mark.parametrize("edition", EARLY)
def test_early_vetoes_in_a_row_never_add_up(edition):
    table = unlocked(edition).veto()
    assert table.veto().shown["tracker"] == 1


@pytest.mark.parametrize("edition", FINAL)
def test_three_vetoes_in_a_row_are_chaos(edition):
    # Eight players, so that a harmless player is always available for election.
    table = unlocked(edition, 8).veto().veto()
    assert table.shown["tracker"] == 2
    assert "enacted" in table.veto().heard


@pytest.mark.parametrize("edition", FINAL)
def test_a_veto_that_empties_the_pile_shuffles_before_the_chaos(edition):
    table = unlocked(edition, 8).play_to(liberal=3)
    assert table.showing("draw", "discard") == (3, 6)
    table.reject().reject().veto()
    assert table.heard == ["veto", "tracker", "shuffled", "enacted", "tracker", "candidate"]
    assert {"event": "shuffled", "draw": 9} in table.events
    assert table.showing("draw", "discard") == (8, 0)


@pytest.mark.parametrize("edition", FINAL)
def test_a_chaos_after_a_veto_shuffles_what_it_leaves_short(edition):
    table = unlocked(edition, 8).play_to(liberal=2)
    assert table.showing("draw", "discard") == (6, 4)
    table.reject().reject().veto()
    assert table.heard == ["veto", "tracker", "enacted", "tracker", "shuffled", "candidate"]
    assert {"event": "shuffled", "draw": 9} in table.events


def test_where_only_sessions_shuffle_the_chaos_after_a_veto_does_not():
    table = unlocked("en", 8, reshuffle="session_end").play_to(liberal=2)
    table.reject().reject().veto()
    assert table.heard == ["veto", "tracker", "enacted", "tracker", "candidate"]
    assert table.showing("draw", "discard") == (2, 7)


def test_where_the_draw_shuffles_the_chaos_after_a_veto_finds_an_empty_pile():
    table = unlocked("en", 8, reshuffle="before_draw").play_to(liberal=3)
    # Two tiles were left after five sessions; the sixth drew from all twelve.
    assert table.showing("draw", "discard") == (3, 6)
    table.reject().reject().veto()
    assert table.heard == ["veto", "tracker", "shuffled", "enacted", "tracker", "candidate"]


@pytest.mark.parametrize("edition", [*FINAL, *EARLY])
def test_a_veto_ends_the_session_and_so_shuffles(edition):
    table = unlocked(edition, 8).play_to(liberal=3).veto()
    assert table.heard == ["veto", "tracker", "shuffled", "candidate"]
    assert table.showing("draw", "discard") == (9, 0)


def test_a_veto_that_adds_nothing_still_ends_the_session():
    table = unlocked("en", 8, veto_advances_tracker=False).play_to(liberal=3).veto()
    assert table.heard == ["veto", "shuffled", "candidate"]


def test_a_veto_leaves_the_pile_to_the_next_draw_in_the_small_russian_rules():
    table = unlocked("ru-5-6").play_to(liberal=2)
    while table.shown["draw"] > 3:
        table.veto()
    table.veto()
    assert table.heard == ["veto", "candidate"]
    assert table.shown["draw"] == 0
    table.elect(table.candidate, table.harmless())
    assert "shuffled" in table.heard


@pytest.mark.parametrize("edition", FINAL)
def test_the_chaos_after_a_veto_may_end_the_game(edition):
    table = unlocked(edition, 8, shuffles=["FFFF" + "LF" + "LLLLLF"])
    table.reject().reject().elect(table.candidate, table.harmless())
    table.discard("fascist").propose_veto().answer_veto(True)
    assert table.heard == ["veto", "tracker", "enacted", "over"]
    assert table.showing("winner", "ending", "tracker") == ("fascist", "fascist_policies", 3)
