"""The election tracker, chaos, and when discards are shuffled back: decisions 1, 6 and 7."""

import pytest

from .table import EARLY, EDITIONS, FINAL, Table

everywhere = pytest.mark.parametrize("edition", EDITIONS)
RESET_BY_ELECTION = ["ru-5-6", *EARLY]
SESSION_END = [*FINAL, *EARLY]


def values(table: Table) -> list[object]:
    return [event["value"] for event in table.events if event["event"] == "tracker"]


@everywhere
def test_a_failed_vote_advances_the_tracker(edition):
    table = Table(edition).reject()
    assert table.heard == ["ballots", "rejected", "tracker", "candidate"]
    assert (values(table), table.shown["tracker"]) == ([1], 1)
    table.reject()
    assert (values(table), table.shown["tracker"]) == ([2], 2)


@pytest.mark.parametrize("edition", FINAL)
def test_the_tracker_stands_until_a_policy_is_enacted(edition):
    table = Table(edition).reject()
    table.elect(1, 2)
    assert table.heard == ["ballots", "elected"]
    assert table.shown["tracker"] == 1
    table.discard("fascist").enact("liberal")
    assert table.heard == ["enacted", "tracker", "candidate"]
    assert table.shown["tracker"] == 0


@pytest.mark.parametrize("edition", RESET_BY_ELECTION)
def test_an_election_returns_the_tracker_to_nought(edition):
    table = Table(edition).reject()
    table.elect(1, 2)
    assert table.heard == ["ballots", "elected", "tracker"]
    assert (values(table), table.shown["tracker"]) == ([0], 0)
    table.discard("fascist").enact("liberal")
    assert table.heard == ["enacted", "candidate"]


@everywhere
def test_a_tracker_that_does_not_move_is_not_told(edition):
    table = Table(edition).government(0, 1, "liberal")
    assert table.heard == ["enacted", "candidate"]


@everywhere
def test_three_failed_votes_in_a_row_bring_chaos(edition):
    table = Table(edition, deck="FLL").reject().reject().reject()
    assert table.events[1:] == [
        {"event": "rejected", "president": 2, "chancellor": 0},
        {"event": "tracker", "value": 3},
        {"event": "enacted", "policy": "fascist", "by": "chaos"},
        {"event": "tracker", "value": 0},
        {"event": "candidate", "seat": 3},
    ]
    assert table.showing("fascist", "draw", "discard", "tracker") == (1, 16, 0, 0)
    assert table.deck.startswith("LL")


@everywhere
def test_chaos_loses_the_power_of_what_it_enacts(edition):
    """The fourth fascist policy grants an execution. Enacted by chaos, it never does."""
    table = Table(edition, 6, deck="LFFLFFLFFF").play_to(fascist=3)
    table.chaos()
    assert table.events[-1]["event"] == "candidate"
    assert table.showing("fascist", "phase", "alive") == (4, "nomination", [0, 1, 2, 3, 4, 5])
    table.govern("fascist")
    assert table.showing("fascist", "phase") == (5, "execution")
    table.use_power()
    assert len(table.state.alive) == 5
    assert table.shown["phase"] == "nomination"


@everywhere
def test_chaos_leaves_the_placard_where_it_would_go(edition):
    table = Table(edition, first=3)
    assert table.chaos().candidate == 1


@everywhere
def test_the_fifth_liberal_policy_by_chaos_ends_the_game(edition):
    table = Table(edition, deck="LFFLFFLFFLFFL").play_to(liberal=4)
    limited = None
    while table.shown["winner"] is None:
        limited = table.shown["limited"]
        table.reject()
    assert table.heard == ["ballots", "rejected", "tracker", "enacted", "over"]
    assert table.events[-2:] == [
        {"event": "enacted", "policy": "liberal", "by": "chaos"},
        {"event": "over", "winner": "liberal", "ending": "liberal_policies"},
    ]
    assert table.showing("phase", "tracker", "limited", "to_act") == ("over", 3, limited, [])
    assert table.showing("draw", "discard") == (4, 8)


@everywhere
def test_the_sixth_fascist_policy_by_chaos_ends_the_game(edition):
    pool = "F" + "LFF" * 2 + "LLLLF"  # The rest of the deck after five fascist policies.
    table = Table(edition, 6, shuffles=[pool]).play_to(fascist=5)
    if edition == "ru-5-6":  # Two tiles are left: a first chaos enacts the liberal one.
        assert table.deck == "LF"
        table.chaos()
    table.chaos()
    assert table.heard == ["ballots", "rejected", "tracker", "enacted", "over"]
    assert table.showing("winner", "ending", "tracker") == ("fascist", "fascist_policies", 3)


@everywhere
def test_the_third_fascist_policy_by_chaos_arms_the_hitler_check(edition):
    table = Table(edition, 6, first=1, deck="LFFLFFF").play_to(fascist=2).chaos()
    assert table.showing("fascist", "phase") == (3, "nomination")
    table.elect(table.candidate, table.seats("H")[0])
    assert table.heard == ["ballots", "elected", "over"]


@everywhere
def test_the_fifth_fascist_policy_by_chaos_unlocks_the_veto(edition):
    table = Table(edition, 6, deck="LFF" * 4 + "F").play_to(fascist=4)
    assert table.shown["veto_unlocked"] is False
    table.chaos()
    assert table.showing("fascist", "veto_unlocked", "phase") == (5, True, "nomination")
    table.elect(table.candidate, table.harmless()).pass_cards().propose_veto()
    assert table.shown["phase"] == "veto_proposed"


# Shuffling the discards -----------------------------------------------------------------------


@pytest.mark.parametrize("edition", SESSION_END)
def test_the_session_that_leaves_two_cards_ends_with_a_shuffle(edition):
    table = Table(edition, 6).play_to(liberal=4)
    assert table.showing("draw", "discard") == (5, 8)
    table.elect(table.candidate, table.harmless())
    assert table.heard == ["ballots", "elected"]
    assert table.showing("draw", "discard") == (2, 8)
    table.pass_cards().enact("fascist")
    assert table.heard == ["enacted", "shuffled", "candidate"]
    assert {"event": "shuffled", "draw": 12} in table.events
    assert table.showing("draw", "discard") == (12, 0)


def test_where_the_draw_shuffles_two_cards_lie_until_then():
    table = Table("ru-5-6", 6).play_to(liberal=4).govern("fascist")
    assert table.heard == ["enacted", "candidate"]
    assert table.showing("draw", "discard") == (2, 10)
    table.nominate(table.harmless())
    assert table.showing("draw", "discard") == (2, 10)
    table.all_vote("ja")
    assert table.heard == ["ballots", "elected", "shuffled"]
    assert {"event": "shuffled", "draw": 12} in table.events
    assert table.showing("draw", "discard") == (9, 0)


def test_the_tracker_moves_before_a_session_end_shuffle():
    table = Table("pl", 6).play_to(liberal=4).reject().govern("fascist")
    assert table.heard == ["enacted", "tracker", "shuffled", "candidate"]


def test_a_draw_shuffles_after_the_tracker_and_the_hitler_check():
    table = Table("ru-5-6", 6).play_to(fascist=3, liberal=2).reject()
    assert table.shown["draw"] == 2
    chancellor = table.harmless()
    table.elect(table.candidate, chancellor)
    assert table.events[1:] == [
        {"event": "elected", "president": 0, "chancellor": chancellor},
        {"event": "tracker", "value": 0},
        {"event": "not_hitler", "seat": chancellor},
        {"event": "shuffled", "draw": 12},
    ]


def test_hitler_elected_leaves_the_pile_unshuffled():
    table = Table("ru-5-6", 6).play_to(fascist=3, liberal=2)
    while table.candidate == table.seats("H")[0]:
        table.reject()
    table.elect(table.candidate, table.seats("H")[0])
    assert table.heard == ["ballots", "elected", "over"]
    assert table.shown["draw"] == 2


def test_the_winning_policy_leaves_the_pile_unshuffled():
    table = Table("en", 6).play_to(liberal=4).govern("liberal")
    assert table.heard == ["enacted", "over"]
    assert table.showing("draw", "discard") == (2, 10)


@pytest.mark.parametrize("edition", FINAL)
def test_a_chaos_that_leaves_two_cards_ends_with_a_shuffle(edition):
    table = Table(edition, 6).play_to(liberal=2, fascist=2).chaos().chaos()
    assert table.shown["draw"] == 3
    table.chaos()
    assert table.heard == [
        "ballots",
        "rejected",
        "tracker",
        "enacted",
        "tracker",
        "shuffled",
        "candidate",
    ]
    assert {"event": "shuffled", "draw": 10} in table.events
    assert table.showing("draw", "discard") == (10, 0)


@pytest.mark.parametrize("edition", ["ru-5-6", *EARLY])
def test_elsewhere_chaos_takes_the_top_of_what_is_left(edition):
    table = Table(edition, 6).play_to(liberal=1, fascist=3)
    assert table.deck == "LFFLF"
    for left in (4, 3, 2, 1):
        table.chaos()
        assert "shuffled" not in table.heard
        assert table.showing("draw", "discard") == (left, 8)


@pytest.mark.parametrize("edition", EARLY)
def test_a_pile_that_chaos_left_short_is_shuffled_before_the_next_draw(edition):
    table = Table(edition, 6).play_to(liberal=1, fascist=2).chaos().govern("liberal")
    table.chaos().chaos()
    assert table.showing("draw", "discard") == (2, 8)
    table.elect(table.candidate, table.harmless())
    assert "shuffled" in table.heard
    assert {"event": "shuffled", "draw": 10} in table.events
    assert table.showing("draw", "discard") == (7, 0)


def test_chaos_shuffles_an_empty_pile_first():
    table = Table("ru-5-6", 6, deck="LFF" * 5 + "LF").play_to(fascist=3, liberal=2)
    assert table.deck == "LF"
    table.chaos().chaos()
    assert table.showing("draw", "discard", "liberal", "fascist") == (0, 10, 3, 4)
    table.chaos()
    assert table.heard == [
        "ballots",
        "rejected",
        "tracker",
        "shuffled",
        "enacted",
        "tracker",
        "candidate",
    ]
    assert {"event": "shuffled", "draw": 10} in table.events
    assert table.showing("draw", "discard") == (9, 0)


@pytest.mark.parametrize("edition", EARLY)
def test_chaos_shuffles_an_empty_pile_first_even_to_win(edition):
    table = Table(edition, 6).play_to(liberal=2, fascist=2)
    assert table.deck == "LFFLF"
    for _ in range(5):
        table.chaos()
    assert table.showing("draw", "discard", "liberal", "fascist") == (0, 8, 4, 5)
    table.chaos()
    assert table.heard == ["ballots", "rejected", "tracker", "shuffled", "enacted", "over"]


def test_three_cards_are_enough():
    table = Table("en", 6).play_to(liberal=2, fascist=2).chaos().chaos()
    assert table.showing("draw", "discard") == (3, 8)
    table.elect(table.candidate, table.harmless())
    assert "shuffled" not in table.heard
    assert table.showing("draw", "discard") == (0, 8)
