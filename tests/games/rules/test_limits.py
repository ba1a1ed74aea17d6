"""Term limits for the Chancellor's nomination: RULES.md, decisions 2 to 5, 9 and 11."""

import pytest

from games.rules.actions import Nominate
from games.rules.reasons import Reason

from .table import EARLY, EDITIONS, FINAL, Table

everywhere = pytest.mark.parametrize("edition", EDITIONS)
NOT_JA = [edition for edition in EDITIONS if edition != "ja"]
LAST_ELECTED = [*FINAL, "ru-5-6"]


def ready_to_veto(edition: str, **options: object) -> Table:
    """Return a table of six with five fascist policies and two dead; seat 0 is the candidate."""
    table = Table(edition, 6, **options).play_to(fascist=5, victims=[1, 2])
    assert table.state.veto_unlocked
    return table


@everywhere
def test_both_officers_are_limited_in_the_round_after(edition):
    table = Table(edition, 6).government(0, 3, "liberal")
    assert table.showing("limited", "candidate", "eligible") == ([0, 3], 1, [2, 4, 5])
    assert table.refuses(Nominate(1, 0)) is Reason.TERM_LIMITED
    assert table.refuses(Nominate(1, 3)) is Reason.TERM_LIMITED


@everywhere
def test_limits_do_not_keep_anyone_from_standing_for_president(edition):
    table = Table(edition, 6).government(0, 1, "liberal")
    assert table.showing("candidate", "limited", "eligible") == (1, [0, 1], [2, 3, 4, 5])
    table.elect(1, 2)
    assert table.shown["president"] == 1


@everywhere
def test_of_five_only_the_last_chancellor_is_limited(edition):
    table = Table(edition, 5).government(0, 3, "liberal")
    assert table.showing("limited", "eligible") == ([3], [0, 2, 4])


@everywhere
def test_limits_are_shown_unchanged_until_the_round_ends(edition):
    table = Table(edition, 6).government(0, 3, "liberal")
    for step in (
        lambda: table.nominate(2),
        lambda: table.all_vote("ja"),
        lambda: table.discard("fascist"),
    ):
        step()
        assert table.showing("limited", "eligible") == ([0, 3], [])
    table.enact("fascist")
    assert table.shown["limited"] == [1, 2]


@everywhere
def test_a_president_sees_the_old_limits_while_a_power_is_open(edition):
    table = Table(edition, 6).play_to(fascist=2)
    before = table.shown["limited"]
    table.govern("fascist")
    assert table.showing("phase", "limited", "eligible") == ("peek", before, [])


@pytest.mark.parametrize("edition", NOT_JA)
def test_a_failed_vote_leaves_the_limits_as_they_were(edition):
    table = Table(edition, 6).government(0, 3, "liberal").reject()
    assert table.showing("candidate", "limited", "eligible") == (2, [0, 3], [1, 4, 5])
    table.reject()
    assert table.showing("candidate", "limited") == (3, [0, 3])


def test_a_failed_vote_lapses_the_limits_in_japanese():
    table = Table("ja", 6).government(0, 3, "liberal").reject()
    assert table.showing("candidate", "limited", "eligible") == (2, [], [0, 1, 3, 4, 5])


@pytest.mark.parametrize("edition", LAST_ELECTED)
def test_a_vetoing_pair_is_limited_where_holding_office_counts(edition):
    table = ready_to_veto(edition, small_table="started")
    pair = sorted([table.candidate, table.harmless()])
    table.veto()
    assert table.shown["limited"] == pair


@pytest.mark.parametrize("edition", LAST_ELECTED)
def test_at_a_small_table_the_vetoing_chancellor_is_limited(edition):
    table = ready_to_veto(edition)
    chancellor = table.harmless()
    table.veto()
    assert table.shown["limited"] == [chancellor]


def test_a_veto_leaves_no_one_limited_in_japanese():
    table = ready_to_veto("ja")
    assert table.shown["limited"] != []
    assert table.veto().shown["limited"] == []


def test_a_veto_leaves_the_earlier_enactors_limited_in_italian():
    table = ready_to_veto("it")
    enactors = table.shown["limited"]
    assert len(enactors) == 2
    table.veto()
    assert table.heard == ["veto", "tracker", "candidate"] or "shuffled" in table.heard
    assert table.shown["limited"] == enactors


@everywhere
def test_chaos_clears_all_limits_until_a_new_government(edition):
    table = Table(edition, 6).government(0, 3, "liberal").reject().reject().reject()
    assert {"event": "enacted", "policy": "liberal", "by": "chaos"} in table.events
    assert table.showing("limited", "tracker") == ([], 0)
    assert table.shown["eligible"] == [s for s in range(6) if s != table.candidate]
    table.reject()
    assert table.shown["limited"] == []
    pair = sorted([table.candidate, table.harmless()])
    assert table.govern("liberal").shown["limited"] == pair


@pytest.mark.parametrize("edition", LAST_ELECTED)
def test_an_execution_down_to_five_frees_the_last_president_at_once(edition):
    table = Table(edition, 6).play_to(fascist=3)
    president, chancellor = table.candidate, table.harmless()
    victim = next(s for s in (0, 1, 2, 3) if s not in (president, chancellor))
    table.govern("fascist").execute(victim)
    assert len(table.state.alive) == 5
    assert table.shown["limited"] == [chancellor]
    assert president in table.shown["eligible"]


@pytest.mark.parametrize("edition", EARLY)
def test_a_game_begun_with_six_never_gets_the_small_table_rule(edition):
    table = Table(edition, 6).play_to(fascist=3)
    president, chancellor = table.candidate, table.harmless()
    victim = next(s for s in (0, 1, 2, 3) if s not in (president, chancellor))
    table.govern("fascist").execute(victim)
    assert table.shown["limited"] == sorted([president, chancellor])


@pytest.mark.parametrize("edition", EARLY)
def test_a_game_begun_with_five_never_loses_the_small_table_rule(edition):
    table = Table(edition, 5).play_to(fascist=5)
    assert len(table.state.alive) == 3
    chancellor = table.harmless()
    assert table.govern("liberal").shown["limited"] == [chancellor]


@pytest.mark.parametrize("edition", [*FINAL, *EARLY])
def test_seven_living_of_eight_are_a_large_table(edition):
    table = Table(edition, 8).play_to(fascist=3)
    president, chancellor = table.candidate, table.harmless()
    table.govern("fascist")
    victim = next(s for s in range(5) if s not in (president, chancellor))
    assert table.execute(victim).shown["limited"] == sorted([president, chancellor])


@pytest.mark.parametrize("edition", [*FINAL, *EARLY])
def test_a_dead_chancellors_limit_is_not_passed_on(edition):
    table = Table(edition, 8).play_to(fascist=3)
    president, chancellor = table.candidate, table.harmless()
    table.govern("fascist").execute(chancellor)
    assert table.shown["limited"] == [president]


@everywhere
def test_with_the_last_chancellor_of_a_small_table_dead_no_one_is_limited(edition):
    table = Table(edition, 5).play_to(fascist=3)
    chancellor = table.harmless()
    table.govern("fascist").execute(chancellor)
    assert table.shown["limited"] == []
    assert table.shown["eligible"] == [s for s in table.state.alive if s != table.candidate]


@pytest.mark.parametrize("edition", LAST_ELECTED)
def test_the_execution_of_the_chancellor_that_makes_a_table_small_frees_everyone(edition):
    table = Table(edition, 6).play_to(fascist=3)
    chancellor = table.harmless()
    table.govern("fascist").execute(chancellor)
    assert table.shown["limited"] == []


@pytest.mark.parametrize("edition", EARLY)
def test_of_six_begun_the_surviving_president_stays_limited(edition):
    table = Table(edition, 6).play_to(fascist=3)
    president, chancellor = table.candidate, table.harmless()
    table.govern("fascist").execute(chancellor)
    assert table.shown["limited"] == [president]


def test_an_officer_executed_later_is_limited_no_more():
    table = Table("it", 7).play_to(fascist=4, victims=[0])
    assert all(seat in table.state.alive for seat in table.shown["limited"])


@pytest.mark.parametrize("edition", [*FINAL, *EARLY])
def test_a_special_election_is_held_under_the_callers_limits(edition):
    table = Table(edition, 7).play_to(fascist=2)
    president, chancellor = table.candidate, table.harmless()
    table.govern("fascist")
    called = next(s for s in (5, 4, 3) if s not in (president, chancellor))
    table.call_special_election(called)
    assert table.shown["limited"] == sorted([president, chancellor])


def test_a_limited_player_may_be_called_and_is_shown_limited():
    table = Table("en", 7).play_to(fascist=2)
    chancellor = table.harmless()
    table.govern("fascist").call_special_election(chancellor)
    assert table.showing("candidate", "to_act") == (chancellor, [chancellor])
    assert chancellor in table.shown["limited"]


@everywhere
@pytest.mark.parametrize("players", [5, 6])
def test_a_candidate_always_has_someone_to_nominate(edition, players):
    table = Table(edition, players).play_to(fascist=5)
    assert len(table.state.alive) == players - 2
    for _ in range(4):
        assert table.shown["eligible"] != []
        if table.shown["eligible"] == table.seats("H"):
            table.reject(table.seats("H")[0])
        else:
            table.govern("liberal")


# Decision 11: a mix of options in which limits lapse -------------------------------------------


def test_lapsing_limits_of_the_elected_bind_whether_or_not_they_enacted():
    table = ready_to_veto("en", limits_lapse=True, small_table="started")
    pair = sorted([table.candidate, table.harmless()])
    table.veto()
    assert table.shown["limited"] == pair
    table.reject()
    assert table.shown["limited"] == []


def test_lapsing_limits_of_enactors_bind_one_candidacy():
    table = Table("en", 7, limits_lapse=True, limited="enactors").government(0, 3, "liberal")
    assert table.shown["limited"] == [0, 3]
    table.reject()
    assert table.shown["limited"] == []
    table.reject()
    assert table.shown["limited"] == []


def test_a_special_election_is_a_candidacy_of_its_own():
    table = Table("ja", 7).play_to(fascist=2)
    pair = sorted([table.candidate, table.harmless()])
    table.govern("fascist").call_special_election(6)
    assert table.shown["limited"] == pair
    table.reject()
    assert table.shown["limited"] == []


@pytest.mark.parametrize("limited", ["elected", "enactors"])
def test_limits_that_do_not_lapse_outlive_failed_votes(limited):
    table = Table("ja", 7, limits_lapse=False, limited=limited).government(0, 3, "liberal")
    assert table.reject().reject().shown["limited"] == [0, 3]
