"""The alarm: which games are handed to a worker, and what an outage gives back."""

from datetime import datetime, timedelta

from django.utils import timezone

from games import tasks
from games.models import Game, Pace, Pulse, Table
from games.rules.actions import Nominate
from games.services import deadlines, play
from tests.games.stories import (
    NAMES,
    act,
    fresh,
    position,
    run_table,
)

SECOND = timedelta(seconds=1)


# Who is handed to a worker ------------------------------------------------------------------------


def due_tables(count: int) -> tuple[list[Table], datetime]:
    made = [
        run_table([f"{name}{number}" for name in NAMES[:5]], pace=Pace.BLITZ)
        for number in range(count)
    ]
    return made, fresh(made[-1]).game.wakes_at + SECOND


def test_a_game_that_is_due_is_handed_out_once(db):
    made, now = due_tables(2)

    assert set(deadlines.claim_due_games(now)) == {table.pk for table in made}
    assert deadlines.claim_due_games(now + SECOND) == []


def test_a_game_whose_worker_died_is_handed_out_again(db):
    (table,), now = due_tables(1)
    deadlines.claim_due_games(now)

    assert deadlines.claim_due_games(now + 20 * SECOND) == [table.pk]


def test_a_game_that_is_not_due_is_not_handed_out(table):
    assert deadlines.claim_due_games(timezone.now()) == []


def test_the_one_that_waits_longest_comes_first(db):
    made, now = due_tables(3)

    assert deadlines.claim_due_games(now) == [table.pk for table in made]


def test_a_game_that_fails_is_put_off_and_the_others_go_on(db, monkeypatch, caplog):
    (bad, good), _ = due_tables(2)
    Game.objects.update(wakes_at=timezone.now() - SECOND, deadline=timezone.now() - SECOND)
    real = play.settle

    def settle(table_id, now=None):
        if table_id == bad.pk:
            raise RuntimeError("broken")
        real(table_id, now)

    monkeypatch.setattr(play, "settle", settle)
    monkeypatch.setattr(tasks.settle_game, "delay", tasks.settle_game)

    tasks.wake_due_games()

    assert "pushed back" in caplog.text
    assert position(good).length == 1
    assert position(bad).length == 0
    assert bad.pk not in deadlines.claim_due_games(timezone.now() + 30 * SECOND)
    assert bad.pk in deadlines.claim_due_games(timezone.now() + 90 * SECOND)


def test_a_worker_that_comes_late_or_twice_does_nothing(table):
    act(table, Nominate(0, 2))

    tasks.settle_game(table.pk)
    tasks.settle_game(table.pk)

    assert position(table).length == 1


def test_whoever_looks_at_an_overdue_table_finds_it_settled(table, seated):
    Game.objects.update(wakes_at=timezone.now(), deadline=timezone.now())

    assert seated[1].choices() == ["vote:ja", "vote:nein"]
    assert position(table).length == 1


def test_a_bot_s_moment_is_told_to_the_broker_and_may_be_lost(
    db, monkeypatch, caplog, django_capture_on_commit_callbacks
):
    told = []
    monkeypatch.setattr(play.current_app, "send_task", lambda *task, **when: told.append(when))
    with django_capture_on_commit_callbacks(execute=True):
        table = run_table(NAMES[:2], bots=3)
        act(table, Nominate(0, 1))
    assert told[-1]["eta"] == fresh(table).game.bot_moves_at

    monkeypatch.setattr(play, "current_app", None)
    with django_capture_on_commit_callbacks(execute=True):
        play.settle(table.pk, now=fresh(table).game.bot_moves_at)
    assert position(table).length == 2
    assert "did not take a hint" in caplog.text


# After an outage ----------------------------------------------------------------------------------


def test_time_lost_in_an_outage_is_given_back_once(table):
    before = fresh(table).game
    now = timezone.now()
    deadlines.beat(now)
    later = now + timedelta(hours=3)

    assert deadlines.give_lost_time_back(later) == timedelta(hours=3)
    assert deadlines.give_lost_time_back(later + SECOND) == timedelta()

    after = fresh(table).game
    assert after.deadline - before.deadline == timedelta(hours=3)
    assert after.wakes_at == after.deadline
    # Everybody's clock is drawn anew.
    assert fresh(table).version == table.version + 1


def test_a_short_restart_gives_nothing_back(table):
    now = timezone.now()
    deadlines.beat(now)

    assert deadlines.give_lost_time_back(now + 5 * SECOND) == timedelta()
    assert fresh(table).game.deadline == table.game.deadline


def test_a_first_start_gives_nothing_back(table):
    assert deadlines.give_lost_time_back(timezone.now()) == timedelta()
    assert Pulse.objects.count() == 1


def test_untimed_and_finished_games_get_no_time(db):
    table = run_table(pace=Pace.UNTIMED, is_private=True)
    now = timezone.now()
    deadlines.beat(now)

    deadlines.give_lost_time_back(now + timedelta(hours=1))

    assert fresh(table).game.deadline is None
    assert fresh(table).version == table.version
