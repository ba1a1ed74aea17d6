"""Reliability: counted from finished games, and shown where players choose their company."""

import pytest
from django.db.models import F

from games.models import Attendance, Pace, Table
from games.services import play, tables
from tests.builders.motions import goes_away, replaced, stopped
from tests.builders.person import Person
from tests.builders.tables import (
    NAMES,
    fresh,
    gather,
    is_over,
    person,
    play_until,
    run_table,
    state_of,
)

SHOWN = "finished"


def played(name: str, games: int, abandoned: int = 0) -> None:
    """Create this many finished games of the user, `abandoned` of them abandoned."""
    for number in range(games):
        table = run_table([f"{name}{number}{other}" for other in "abcde"])
        Attendance.objects.create(
            game=table.game, user=person(name), is_abandoned=number < abandoned
        )


def showings(table: Table) -> dict[str, bool]:
    return {
        row.user.username: row.is_abandoned for row in Attendance.objects.filter(game__table=table)
    }


def test_who_is_there_at_the_end_has_stayed_and_who_is_away_has_not(table):
    play_until(table, lambda state: state.fascist == 5)
    (dead,) = {0, 1, 2, 3, 4} - set(state_of(table).alive) - {4} or {None}
    goes_away(table, dead)

    play_until(table, is_over)

    assert showings(table) == {name: name == NAMES[dead] for name in NAMES[:5]}


def test_who_was_replaced_has_abandoned_the_game_and_the_newcomer_has_not(table):
    replaced(table)
    assert showings(table) == {"Dario": True}

    play_until(table, is_over)

    assert showings(table) == {
        "Ada": False, "Boris": False, "Chika": False, "Dario": True, "Ewa": False, "Sofia": False,
    }  # fmt: skip


def test_those_who_stayed_in_a_stopped_game_have_stayed(table):
    stopped(table)

    assert showings(table) == {
        "Ada": False, "Boris": False, "Chika": False, "Dario": True, "Ewa": True,
    }  # fmt: skip


def test_a_game_with_bots_alone_counts_for_no_one(db):
    table = run_table(["Ada"], bots=4, pace=Pace.BLITZ)
    for _ in range(500):
        wakes_at = fresh(table).game.wakes_at
        if wakes_at is None:
            break
        play.settle(table.pk, now=wakes_at)

    assert fresh(table).stage == Table.Stage.OVER
    assert table.seats.get(number=0).is_away
    assert not Attendance.objects.exists()


@pytest.fixture
def gathering(db) -> Table:
    played("Boris", 5, abandoned=1)
    table = gather()
    Table.objects.filter(pk=table.pk).update(seats_wanted=7)
    return fresh(table)


def test_it_is_not_shown_at_a_blind_table(gathering):
    Table.objects.filter(pk=gathering.pk).update(is_blind=True, version=F("version") + 1)
    viewer = Person(None, gathering)

    for page in (viewer.page(), viewer.get("/").content.decode()):
        assert SHOWN not in page


def test_it_is_not_shown_while_a_game_runs(gathering):
    tables.start_game(table=gathering, user=person("Ada"))
    viewer = Person(None, gathering)

    for page in (viewer.page(), viewer.get("/").content.decode()):
        assert SHOWN not in page
