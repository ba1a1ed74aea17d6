"""How a game ends, and that no action follows."""

import pytest

from games.rules.actions import Enact, Nominate, Vote
from games.rules.components import Ballot, Policy
from games.rules.powers import Peek
from games.rules.reasons import Reason
from games.rules.record import all_legal

from .table import EDITIONS, Table

everywhere = pytest.mark.parametrize("edition", EDITIONS)


@everywhere
def test_five_liberal_policies_win(edition):
    table = Table(edition, 6).play_to(liberal=4)
    limited = table.shown["limited"]
    table.reject().govern("liberal")
    assert table.events == [
        {"event": "enacted", "policy": "liberal", "by": "government"},
        {"event": "over", "winner": "liberal", "ending": "liberal_policies"},
    ]
    assert table.showing("winner", "ending", "liberal") == ("liberal", "liberal_policies", 5)
    assert limited != []


@everywhere
def test_six_fascist_policies_win(edition):
    table = Table(edition, 6).play_to(fascist=5)
    table.govern("fascist")
    assert table.heard == ["enacted", "over"]
    assert table.showing("winner", "ending", "fascist") == ("fascist", "fascist_policies", 6)


@pytest.mark.parametrize("edition", ["en", "pl", "ru"])
def test_the_winning_policy_does_not_move_the_tracker(edition):
    table = Table(edition, 6).play_to(liberal=4).reject().govern("liberal")
    assert table.heard == ["enacted", "over"]
    assert table.shown["tracker"] == 1


@everywhere
def test_limits_are_shown_unchanged_when_the_game_is_over(edition):
    table = Table(edition, 6).play_to(liberal=4)
    limited = table.shown["limited"]
    table.govern("liberal")
    assert table.showing("phase", "limited", "eligible") == ("over", limited, [])


@everywhere
def test_no_one_does_anything_after_the_end(edition):
    table = Table(edition, 6).play_to(liberal=5)
    assert all_legal(table.state) == ()
    for action in (
        Nominate(0, 1),
        Vote(0, Ballot.JA),
        Enact(0, Policy.LIBERAL),
        Peek(0),
        Nominate(-1, 99),
    ):
        assert table.refuses(action) is Reason.GAME_OVER


@everywhere
def test_four_and_five_do_not_end_the_game(edition):
    table = Table(edition, 6).play_to(liberal=4).play_to(fascist=5)
    assert table.showing("winner", "ending") == (None, None)


def test_hitler_dead_is_never_elected_and_never_checked():
    table = Table("en", 7).play_to(fascist=3).govern("fascist")
    table.execute(table.seats("H")[0])
    assert table.showing("winner", "ending") == ("liberal", "hitler_executed")
    assert all_legal(table.state) == ()
