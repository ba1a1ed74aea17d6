"""The alarm: which games are passed to a worker, and when."""

from datetime import datetime, timedelta

from django.db import OperationalError
from django.utils import timezone

from games import tasks
from games.models import Game, Pace, Table
from games.rules.actions import Nominate
from games.services import deadlines, play
from tests.builders.tables import (
    NAMES,
    act,
    fresh,
    position,
    run_table,
)

SECOND = timedelta(seconds=1)


# Which games a worker gets ------------------------------------------------------------------------


def due_tables(count: int) -> tuple[list[Table], datetime]:
    made = [
        run_table([f"{name}{number}" for name in NAMES[:5]], pace=Pace.BLITZ)
        for number in range(count)
    ]
    return made, fresh(made[-1]).game.wakes_at + SECOND


def test_a_game_that_is_due_is_handed_out_once(db):
    made, now = due_tables(2)

    assert {alarm.table_id for alarm in deadlines.claim_due_games(now)} == {
        table.pk for table in made
    }
    assert deadlines.claim_due_games(now + SECOND) == []


def test_a_game_whose_worker_died_is_handed_out_again(db):
    (table,), now = due_tables(1)
    deadlines.claim_due_games(now)

    assert deadlines.claim_due_games(now + 5 * SECOND) == [(table.pk, fresh(table).game.wakes_at)]


def test_a_game_that_is_not_due_is_not_handed_out(table):
    assert deadlines.claim_due_games(timezone.now()) == []


def test_the_one_that_waits_longest_comes_first(db):
    made, now = due_tables(3)

    alarms = deadlines.claim_due_games(now)
    assert [alarm.table_id for alarm in alarms] == [table.pk for table in made]


def test_a_game_that_fails_is_put_off_and_the_others_go_on(db, monkeypatch, caplog):
    (bad, good), _ = due_tables(2)
    Game.objects.update(wakes_at=timezone.now() - SECOND, deadline=timezone.now() - SECOND)
    real = play.settle
    settle_now = lambda asked: tasks.settle_game(*asked)  # noqa: E731

    def settle(table_id, now=None):
        if table_id == bad.pk:
            raise RuntimeError("broken")
        real(table_id, now)

    monkeypatch.setattr(play, "settle", settle)
    monkeypatch.setattr(tasks.settle_game, "apply_async", lambda asked, **how: settle_now(asked))

    tasks.wake_due_games()

    assert "pushed back" in caplog.text
    assert position(good).length == 1
    assert position(bad).length == 0
    assert bad.pk not in handed_out(timezone.now() + 30 * SECOND)
    assert bad.pk in handed_out(timezone.now() + 90 * SECOND)


def handed_out(now: datetime) -> set[int]:
    return {alarm.table_id for alarm in deadlines.claim_due_games(now)}


def test_a_game_that_could_not_reach_the_database_is_handed_out_again_soon(db, monkeypatch, caplog):
    (table,), now = due_tables(1)
    deadlines.claim_due_games(now)

    def settle(table_id, now=None):
        raise OperationalError("the connection is gone")

    monkeypatch.setattr(play, "settle", settle)
    tasks.settle_game(table.pk)

    assert "did not reach the database" in caplog.text
    assert table.pk in handed_out(now + 5 * SECOND)


def test_a_game_is_handed_out_with_its_moment_before_it_is_due(table):
    moment = fresh(table).game.wakes_at

    assert deadlines.claim_due_games(moment - 2 * SECOND) == []
    assert deadlines.claim_due_games(moment - SECOND) == [(table.pk, moment)]


def test_an_alarm_that_rings_a_little_early_waits_for_its_moment(table):
    moment = timezone.now() + timedelta(milliseconds=80)
    Game.objects.update(wakes_at=moment, deadline=moment)

    tasks.settle_game(table.pk, moment.isoformat())

    (row,) = fresh(table).game.actions.all()
    assert row.at >= moment


def test_a_worker_that_comes_late_or_twice_does_nothing(table):
    act(table, Nominate(0, 2))

    tasks.settle_game(table.pk)
    tasks.settle_game(table.pk)

    assert position(table).length == 1


def test_whoever_looks_at_an_overdue_table_finds_it_settled(table, seated):
    Game.objects.update(wakes_at=timezone.now(), deadline=timezone.now())

    assert seated[1].choices() == ["vote:ja", "vote:nein"]
    assert position(table).length == 1


def test_a_moment_before_the_clock_s_next_tick_is_told_to_the_broker_and_may_be_lost(
    db, monkeypatch, caplog, django_capture_on_commit_callbacks
):
    told = []
    monkeypatch.setattr(play, "offer_task", lambda *task, **when: told.append(when))
    with django_capture_on_commit_callbacks(execute=True):
        table = run_table(NAMES[:2], bots=3)
        act(table, Nominate(0, 1))
        assert told == []
        # The next bot votes or says something before the clock's next tick.
        play.settle(table.pk, now=fresh(table).game.bot_moves_at)
    assert told[-1]["eta"] == fresh(table).game.wakes_at

    def gone(*task, **when):
        raise RuntimeError

    monkeypatch.setattr(play, "offer_task", gone)
    with django_capture_on_commit_callbacks(execute=True):
        play.settle(table.pk, now=fresh(table).game.bot_moves_at)
    assert position(table).length == 3
    assert "Error calling" in caplog.text
