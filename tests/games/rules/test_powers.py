"""Presidential powers: who may use them on whom, and their effects."""

import pytest

from games.rules.powers import CallSpecialElection, Execute, Investigate, Peek
from games.rules.reasons import Reason
from games.rules.record import all_legal

from .table import EARLY, EDITIONS, FINAL, Table

everywhere = pytest.mark.parametrize("edition", EDITIONS)
BIG = [*FINAL, *EARLY]  # Editions for more than six players.
TRACKS = {
    5: [None, None, "peek", "execution", "execution"],
    7: [None, "investigation", "special_election", "execution", "execution"],
    9: ["investigation", "investigation", "special_election", "execution", "execution"],
}


@pytest.mark.parametrize(
    ("edition", "players"),
    [(e, n) for e in EDITIONS for n in range(5, 11) if n <= 6 or e != "ru-5-6"],
)
def test_each_fascist_policy_opens_the_power_of_its_space(edition, players):
    table = Table(edition, players)
    for power in TRACKS[players - (players + 1) % 2]:
        president = table.candidate
        table.govern("fascist")
        if power is None:
            assert table.events[-1]["event"] == "candidate"
        else:
            assert table.heard[0] == "enacted"
            assert "candidate" not in table.heard
            assert table.showing("phase", "to_act", "president") == (power, [president], president)
            assert table.shown["chancellor"] is not None
            assert table.showing("candidate", "nominee", "eligible") == (None, None, [])
            table.use_power()
            assert table.events[-1]["event"] == "candidate"
            assert table.showing("president", "chancellor") == (None, None)


def test_deaths_do_not_change_the_track():
    """The game began with seven, so with six alive the fifth space keeps the power for seven."""
    table = Table("en", 7).play_to(fascist=4)
    assert len(table.state.alive) == 6
    assert [str(power) for power in table.state.setup.powers[1:3]] == [
        "investigation",
        "special_election",
    ]


def test_a_liberal_policy_opens_no_power():
    table = Table("en", 9).play_to(fascist=3)
    table.govern("liberal")
    assert table.shown["phase"] == "nomination"


def test_a_power_is_not_offered_twice():
    table = Table("en", 7).play_to(fascist=2).govern("liberal")
    assert table.shown["phase"] == "nomination"


# Investigation ----------------------------------------------------------------------------


@pytest.mark.parametrize(("role", "party"), [("L", "liberal"), ("F", "fascist"), ("H", "fascist")])
@pytest.mark.parametrize("edition", BIG)
def test_an_investigation_shows_the_party_and_never_the_role(edition, role, party):
    table = Table(edition, 9).govern("fascist")
    target = table.seats(role)[-1]
    table.investigate(target)
    assert table.events == [
        {"event": "investigated", "target": target, "party": party},
        {"event": "candidate", "seat": 1},
    ]


@pytest.mark.parametrize("edition", BIG)
def test_no_one_is_investigated_twice_by_anyone(edition):
    table = Table(edition, 9).govern("fascist").investigate(4).govern("fascist")
    president = table.state.president
    assert table.refuses(Investigate(president, 4)) is Reason.INVESTIGATED_BEFORE
    assert table.refuses(Investigate(president, president)) is Reason.YOURSELF
    table.investigate(0)
    assert table.state.investigated == (4, 0)


def test_the_investigator_may_be_investigated():
    table = Table("en", 9).govern("fascist").investigate(4).govern("fascist").investigate(0)
    assert table.events[0]["target"] == 0


def test_an_investigation_works_without_party_cards():
    table = Table("pl", 7, party_cards=False).play_to(fascist=1).govern("fascist")
    hitler = table.seats("H")[0]
    table.investigate(hitler)
    assert table.events[0] == {"event": "investigated", "target": hitler, "party": "fascist"}


# Special election -------------------------------------------------------------------------


def at_special_election(edition: str, players: int = 7, first: int = 0) -> Table:
    table = Table(edition, players, first=first).play_to(fascist=2).govern("fascist")
    assert table.shown["phase"] == "special_election"
    return table


@pytest.mark.parametrize("edition", BIG)
@pytest.mark.parametrize("vote", ["ja", "nein"])
def test_after_a_special_election_the_placard_returns_behind_the_caller(edition, vote):
    table = at_special_election(edition)
    assert table.shown["president"] == 2
    table.call_special_election(6)
    assert table.events == [
        {"event": "special_election", "target": 6},
        {"event": "candidate", "seat": 6},
    ]
    assert table.candidate == 6
    if vote == "ja":
        table.govern("liberal")
    else:
        table.reject()
    assert table.candidate == 3
    assert table.reject().candidate == 4


@pytest.mark.parametrize("edition", BIG)
def test_the_chosen_neighbour_stands_twice_in_a_row(edition):
    table = at_special_election(edition).call_special_election(3)
    assert table.candidate == 3
    assert table.reject().candidate == 3
    assert table.reject().candidate == 4


@pytest.mark.parametrize("edition", BIG)
def test_the_caller_may_not_call_themselves_but_may_call_the_limited(edition):
    table = at_special_election(edition)
    chancellor = table.state.chancellor
    assert table.refuses(CallSpecialElection(2, 2)) is Reason.YOURSELF
    table.call_special_election(chancellor)
    assert table.candidate == chancellor
    assert chancellor in table.shown["limited"]


def test_the_placard_behind_the_caller_skips_those_who_die_meanwhile():
    table = at_special_election("en").call_special_election(6)
    table.govern("fascist").execute(3)
    assert table.candidate == 4


def test_the_caller_may_die_and_the_placard_still_returns_behind_their_seat():
    table = at_special_election("en").call_special_election(6)
    table.govern("fascist").execute(2)
    assert table.candidate == 3


def test_a_seat_called_from_across_the_table_is_not_skipped_later():
    table = at_special_election("en").call_special_election(5)
    stood = [table.candidate]
    for _ in range(6):
        table = table.govern("liberal") if table.state.tracker == 2 else table.reject()
        stood.append(table.candidate)
    assert stood == [5, 3, 4, 5, 6, 0, 1]


def test_only_the_president_calls_and_only_someone_at_the_table():
    table = at_special_election("en", 10)
    assert table.refuses(CallSpecialElection(2, 10)) is Reason.NO_SUCH_SEAT
    assert table.refuses(CallSpecialElection(3, 4)) is Reason.NOT_YOUR_TURN


# Peek -------------------------------------------------------------------------------------


@everywhere
def test_a_peek_shows_the_top_three_and_leaves_them_as_they_are(edition):
    table = Table(edition, 5, deck="FFFFFFFFFLFLLL").play_to(fascist=2).govern("fascist")
    pile = table.deck
    assert pile.startswith("LFL")
    assert table.refuses(Peek(0)) is Reason.NOT_YOUR_TURN
    table.peek()
    assert table.events == [
        {"event": "peeked", "policies": ["liberal", "fascist", "liberal"]},
        {"event": "candidate", "seat": 3},
    ]
    assert table.deck == pile
    table.elect(3, table.harmless())
    assert [str(policy) for policy in table.state.hand] == ["liberal", "fascist", "liberal"]


def test_where_the_draw_shuffles_the_peek_shuffles_for_itself():
    table = Table("ru-5-6", 6).play_to(liberal=2, fascist=2).govern("fascist")
    assert table.showing("phase", "draw", "discard") == ("peek", 2, 10)
    table.peek()
    assert table.heard == ["shuffled", "peeked", "candidate"]
    assert table.events[0] == {"event": "shuffled", "draw": 12}
    assert len(table.events[1]["policies"]) == 3
    assert table.showing("draw", "discard") == (12, 0)


@pytest.mark.parametrize("edition", BIG)
def test_elsewhere_the_session_has_shuffled_before_the_peek(edition):
    table = Table(edition, 6).play_to(liberal=2, fascist=2).govern("fascist")
    assert table.heard == ["enacted", "shuffled"]
    assert table.showing("phase", "draw") == ("peek", 12)
    assert table.peek().heard == ["peeked", "candidate"]


# Execution --------------------------------------------------------------------------------


@everywhere
def test_the_executed_are_out(edition):
    table = Table(edition, 6).play_to(fascist=3).govern("fascist")
    president = table.state.president
    assert table.refuses(Execute(president, president)) is Reason.YOURSELF
    victim = next(seat for seat in table.seats("L") if seat != president)
    table.execute(victim)
    assert table.events[0] == {"event": "executed", "target": victim}
    assert table.heard == ["executed", "candidate"]
    assert victim not in table.shown["alive"]
    assert victim not in table.shown["eligible"]


@everywhere
def test_the_dead_are_not_executed_again(edition):
    table = Table(edition, 6).play_to(fascist=4, victims=[2]).govern("fascist")
    assert table.refuses(Execute(table.state.president, 2)) is Reason.TARGET_DEAD


@everywhere
def test_executing_hitler_wins_for_the_liberals(edition):
    table = Table(edition, 6).play_to(fascist=3).reject().govern("fascist")
    tracker, limited = table.showing("tracker", "limited")
    hitler = table.seats("H")[0]
    assert table.state.president != hitler
    table.execute(hitler)
    assert table.events == [
        {"event": "executed", "target": hitler},
        {"event": "over", "winner": "liberal", "ending": "hitler_executed"},
    ]
    assert table.showing("phase", "to_act", "tracker") == ("over", [], tracker)
    assert table.shown["limited"] == limited
    assert table.showing("candidate", "nominee", "president", "chancellor") == (None,) * 4
    assert hitler not in table.shown["alive"]


@everywhere
def test_a_power_must_be_used_before_the_next_round(edition):
    table = Table(edition, 6).play_to(fascist=2).govern("fascist")
    assert all_legal(table.state) == (Peek(table.state.president),)
