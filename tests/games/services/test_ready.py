"""The ready check: who answers, who does not, and who starts the game."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games import tasks
from games.models import Game, Starts, Table
from games.services import hosting, outages, ready, tables, timed_questions
from games.wording.refusals import Refusal
from tests.builders.person import Person
from tests.builders.refusals import refusal_of
from tests.builders.tables import NAMES, fresh, gather, person

SECOND = timedelta(seconds=1)


@pytest.fixture
def gathering(db) -> Table:
    """Return a table with five players and two free seats; Ada hosts and may start."""
    return widened(gather())


@pytest.fixture
def by_itself(db) -> Table:
    """Return a table for five with four players, which starts automatically when full."""
    table = gather(NAMES[:5])
    tables.leave_table(table=table, user=person("Ewa"))
    Table.objects.filter(pk=table.pk).update(starts=Starts.FULL)
    return fresh(table)


def widened(table: Table, seats: int = 7) -> Table:
    Table.objects.filter(pk=table.pk).update(seats_wanted=seats)
    return fresh(table)


def call(table: Table, by: str = "Ada", now: datetime | None = None) -> None:
    ready.call_ready(table=table, user=person(by), now=now)


def answer(table: Table, *names: str) -> None:
    for name in names:
        ready.confirm_ready(table=table, user=person(name))


def run_out(table: Table) -> None:
    timed_questions.settle(table.pk, now=fresh(table).asked_until + SECOND)


def names_at(table: Table) -> list[str]:
    return [seat.name for seat in table.seats.all()]


def test_when_all_are_ready_the_game_begins(gathering):
    call(gathering)
    answer(gathering, "Boris", "Chika", "Dario")
    assert fresh(gathering).stage == Table.Stage.OPEN

    answer(gathering, "Ewa")

    assert fresh(gathering).stage == Table.Stage.RUNNING
    assert fresh(gathering).asked_until is None
    assert names_at(gathering) == list(NAMES[:5])


def test_bots_are_always_ready(db):
    table = gather(["Ada", "Boris"], bots=4)
    call(table)

    answer(table, "Boris")

    assert fresh(table).stage == Table.Stage.RUNNING


def test_who_is_not_ready_in_time_loses_the_seat_and_the_others_begin(db):
    table = gather(NAMES[:6])
    call(table)
    answer(table, *(name for name in NAMES[1:6] if name != "Chika"))

    run_out(table)

    assert names_at(table) == ["Ada", "Boris", "Dario", "Ewa", "Fumio"]
    assert [seat.number for seat in table.seats.all()] == [0, 1, 2, 3, 4]
    assert fresh(table).stage == Table.Stage.RUNNING


def test_among_friends_a_missing_answer_costs_no_seat_and_the_host_decides(db):
    table = gather(NAMES[:6], is_private=True)
    call(table)
    answer(table, "Boris", "Dario", "Ewa")

    run_out(table)

    assert names_at(table) == list(NAMES[:6])
    assert fresh(table).stage == Table.Stage.OPEN
    page = Person(person("Boris"), table).page()
    assert "No answer from" in page
    tables.start_game(table=table, user=person("Ada"))
    assert fresh(table).stage == Table.Stage.RUNNING


def test_among_friends_a_host_who_does_not_answer_hands_over_and_stays(db):
    table = gather(NAMES[:6], is_private=True)
    call(table, by="Chika", now=timezone.now() + ready.HOSTS_OWN_TIME + SECOND)
    answer(table, "Boris")

    run_out(table)

    assert fresh(table).host == person("Boris")
    assert names_at(table) == list(NAMES[:6])


def test_with_too_few_left_the_table_goes_on_gathering(gathering):
    call(gathering)
    answer(gathering, "Boris")

    run_out(gathering)

    assert names_at(gathering) == ["Ada", "Boris"]
    assert fresh(gathering).stage == Table.Stage.OPEN
    assert fresh(gathering).asked_until is None
    assert not Game.objects.filter(table=gathering).exists()
    # The host did not remove them, so they may come back.
    tables.join_table(table=gathering, user=person("Chika"))


def test_a_host_who_is_not_ready_hands_over(gathering):
    call(gathering, by="Chika", now=timezone.now() + ready.HOSTS_OWN_TIME + SECOND)
    answer(gathering, "Boris", "Dario")

    run_out(gathering)

    assert names_at(gathering) == ["Boris", "Chika", "Dario"]
    assert fresh(gathering).host == person("Boris")


def test_a_table_at_which_no_one_is_ready_closes(by_itself):
    tables.join_table(table=by_itself, user=person("Ewa"))
    by_itself.seats.all().update(is_ready=False)

    run_out(by_itself)

    assert fresh(by_itself).stage == Table.Stage.CLOSED
    assert fresh(by_itself).asked_until is None


def test_before_its_time_no_one_loses_anything(gathering):
    call(gathering)

    timed_questions.settle(gathering.pk, now=fresh(gathering).asked_until - SECOND)

    assert names_at(gathering) == list(NAMES[:5])


def test_a_check_that_is_settled_twice_is_settled_once(gathering):
    call(gathering)
    until = fresh(gathering).asked_until
    for _ in range(2):
        timed_questions.settle(gathering.pk, now=until + SECOND)
    assert names_at(gathering) == ["Ada"]
    version = fresh(gathering).version

    timed_questions.settle(gathering.pk, now=until + SECOND)

    assert fresh(gathering).version == version


def test_the_last_seat_calls_the_check_where_the_table_begins_by_itself(by_itself):
    tables.join_table(table=by_itself, user=person("Ewa"))

    assert fresh(by_itself).stage == Table.Stage.OPEN
    assert fresh(by_itself).asked_until is not None
    # A player who has just sat down counts as ready.
    assert [seat.name for seat in by_itself.seats.filter(is_ready=True)] == ["Ewa"]
    answer(by_itself, *NAMES[:4])
    assert fresh(by_itself).stage == Table.Stage.RUNNING


def test_who_leaves_calls_it_off_where_the_table_is_full_no_more(by_itself):
    tables.join_table(table=by_itself, user=person("Ewa"))

    tables.leave_table(table=by_itself, user=person("Chika"))

    assert fresh(by_itself).asked_until is None
    assert fresh(by_itself).stage == Table.Stage.OPEN


def test_who_leaves_or_is_removed_is_not_waited_for(gathering):
    tables.join_table(table=gathering, user=person("Fumio"))
    tables.join_table(table=gathering, user=person("Giulia"))
    call(gathering)
    answer(gathering, "Boris", "Chika", "Dario", "Ewa")

    tables.leave_table(table=gathering, user=person("Fumio"))
    assert fresh(gathering).stage == Table.Stage.OPEN
    hosting.kick(table=gathering, user=person("Ada"), number=6, name="Giulia")

    assert fresh(gathering).stage == Table.Stage.RUNNING
    assert names_at(gathering) == list(NAMES[:5])


def test_who_sits_down_while_it_runs_is_ready_and_holds_no_one_up(gathering):
    call(gathering)
    answer(gathering, "Boris", "Chika", "Dario")

    tables.join_table(table=gathering, user=person("Fumio"))
    answer(gathering, "Ewa")

    assert fresh(gathering).stage == Table.Stage.RUNNING
    assert names_at(gathering) == list(NAMES[:6])


def test_the_host_has_two_minutes_before_others_may_call_it(gathering):
    quiet = fresh(gathering).quiet_since
    early = quiet + ready.HOSTS_OWN_TIME - SECOND
    refused = refusal_of(ready.call_ready, table=gathering, user=person("Boris"), now=early)
    assert refused == Refusal.HOST_HAS_TIME

    call(gathering, by="Boris", now=quiet + ready.HOSTS_OWN_TIME)

    assert fresh(gathering).asked_until is not None


def test_it_is_called_by_those_who_sit_there_when_enough_do_and_once(gathering):
    refused = refusal_of(ready.call_ready, table=gathering, user=person("Sofia"))
    assert refused == Refusal.NOT_SEATED
    assert refusal_of(ready.confirm_ready, table=gathering, user=person("Ada")) == (
        Refusal.READY_IS_NOT_CALLED
    )
    call(gathering)
    assert refusal_of(ready.call_ready, table=gathering, user=person("Ada")) == (
        Refusal.READY_IS_CALLED
    )
    assert (
        refusal_of(ready.confirm_ready, table=gathering, user=person("Sofia")) == Refusal.NOT_SEATED
    )


def test_everyone_sees_who_is_ready_and_only_who_is_asked_has_the_button(gathering):
    ada, boris = (Person(person(name), gathering) for name in ("Ada", "Boris"))
    stranger = Person(None, gathering)
    assert "Waiting for the host to start" in boris.page()

    assert ada.press("call-ready").status_code == 303
    assert boris.press("ready").status_code == 303

    for viewer in (ada, boris, stranger):
        page = viewer.page()
        assert "Is everyone ready?" in page
        assert "Not ready yet: <bdi>Chika</bdi>, <bdi>Dario</bdi>, and <bdi>Ewa</bdi>" in page
        assert "Ready: <bdi>Ada</bdi> and <bdi>Boris</bdi>" in page
        assert "data-countdown" in page
        assert 'id="ready"' not in page
        assert "Waiting for the host to start" not in page
    assert 'id="ready"' in Person(person("Ewa"), gathering).page()


def test_whoever_looks_settles_a_check_whose_time_is_over(gathering, settings):
    settings.READY_SECONDS = -1.0
    call(gathering)

    Person(None, gathering).page()

    assert names_at(gathering) == ["Ada"]


def test_the_beat_settles_it_where_no_one_looks(gathering, settings, monkeypatch):
    settings.READY_SECONDS = -1.0
    call(gathering)
    handed: list[tuple[int, ...]] = []
    monkeypatch.setattr(
        tasks.settle_question, "apply_async", lambda args, **how: handed.append(args)
    )

    tasks.wake_due_games()
    assert handed == [(gathering.pk,)]
    tasks.settle_question(*handed[0])

    assert names_at(gathering) == ["Ada"]
    handed.clear()
    tasks.wake_due_games()
    assert handed == []


def test_one_that_cannot_be_settled_is_put_off(gathering, settings, monkeypatch):
    settings.READY_SECONDS = -1.0
    call(gathering)
    monkeypatch.setattr(timed_questions, "settle", lambda pk: 1 / 0)

    tasks.settle_question(gathering.pk)

    assert timed_questions.due_tables(timezone.now()) == []
    assert timed_questions.due_tables(timezone.now() + timedelta(minutes=2)) == [gathering.pk]


def test_an_outage_gives_its_time_back(gathering):
    now = timezone.now()
    outages.note_open(now)
    call(gathering, now=now)
    until = fresh(gathering).asked_until
    version = fresh(gathering).version
    # During an outage players cannot answer.
    timed_questions.settle(gathering.pk, now=now + 40 * SECOND)
    assert names_at(gathering) == list(NAMES[:5])

    outages.note_open(now + 40 * SECOND)

    assert fresh(gathering).asked_until == until + 40 * SECOND
    assert fresh(gathering).version == version + 1
