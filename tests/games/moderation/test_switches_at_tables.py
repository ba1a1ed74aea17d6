"""Switches of the site: no new tables, and maintenance."""

from accounts.models import SwitchBoard
from accounts.site.switches import forget_switches
from games.models import Game, Starts, Table
from games.services import ready, tables, timed_questions
from games.wording.refusals import Refusal
from tests.builders.moderation import over
from tests.builders.person import Person
from tests.builders.refusals import refusal_of
from tests.builders.tables import NAMES, fresh, gather, is_over, person, play_until, run_table


def switch(**switches: bool) -> None:
    SwitchBoard.objects.update_or_create(pk=1, defaults=switches)
    forget_switches()


def test_where_no_tables_are_opened_everyone_is_told_so_and_games_begin(db):
    table = gather()
    over_table = over(names=[f"{name}2" for name in NAMES[:5]])
    switch(tables=False)
    ada = Person(table.host, table)

    assert "New tables can’t be opened" in ada.get("/").content.decode()
    answer = ada.client.post(
        "/quick/", {}, follow=True, HTTP_X_CSRFTOKEN=ada.client.cookies["csrftoken"].value
    )
    assert "New tables can’t be opened" in answer.content.decode()
    host = over_table.host
    assert refusal_of(tables.play_again, table=over_table, user=host) == Refusal.TABLES_SHUT
    assert "New tables can’t be opened" in ada.get("/tables/new/").content.decode()
    assert Table.objects.count() == 2

    tables.start_game(table=table, user=table.host)
    assert fresh(table).stage == Table.Stage.RUNNING


def test_in_maintenance_running_games_are_finished_and_none_begins(db):
    running, gathering = run_table(), gather([f"{name}2" for name in NAMES[:5]])
    asked = gather([f"{name}3" for name in NAMES[:5]])
    ready.call_ready(table=asked, user=asked.host)
    switch(maintenance=True)

    play_until(running, is_over)
    host = gathering.host
    assert refusal_of(tables.start_game, table=gathering, user=host) == Refusal.MAINTENANCE
    assert refusal_of(ready.call_ready, table=gathering, user=host) == Refusal.MAINTENANCE
    assert refusal_of(tables.quick_game, user=host, edition="en") == Refusal.MAINTENANCE
    boris = person("Boris3")
    assert refusal_of(ready.confirm_ready, table=asked, user=boris) == Refusal.MAINTENANCE
    # Players keep their seats, and the ready check ends.
    until = fresh(asked).asked_until
    timed_questions.settle(asked.pk, until)
    assert asked.seats.count() == 5 and fresh(asked).asked_until is None
    for path in ("/", gathering.get_absolute_url()):
        assert (
            "going down for maintenance soon" in Person(host, gathering).get(path).content.decode()
        )

    switch(maintenance=False)
    tables.start_game(table=gathering, user=host)
    assert Game.objects.count() == 2


def test_a_table_that_begins_by_itself_does_not_in_maintenance(db):
    table = gather(starts=Starts.FULL, seats_wanted=6)
    switch(maintenance=True)
    tables.join_table(table=table, user=person("Zoe"))
    assert fresh(table).asked_until is None and fresh(table).stage == Table.Stage.OPEN
