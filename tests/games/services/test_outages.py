"""Outages of the site: no table moves meanwhile, and deadlines are put off once, visibly."""

from datetime import timedelta
from threading import Event

import pytest
from django.db import OperationalError, transaction
from django.utils import timezone

from games import panels
from games.live import heartbeat
from games.models import Game, Interruption, Pace, Pulse
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot
from games.services import outages, pauses, play
from tests.builders.tables import NAMES, act, fresh, position, run_table, state_of

SECOND = timedelta(seconds=1)
HOURS = timedelta(hours=3)


@pytest.fixture(autouse=True)
def _no_pulse():
    outages.forget()
    yield
    outages.forget()


def test_time_lost_in_an_outage_is_given_back_once(table):
    before = fresh(table).game
    now = timezone.now()
    outages.note_open(now)

    assert outages.note_open(now + HOURS) == HOURS
    assert outages.note_open(now + HOURS) == timedelta()
    assert outages.note_open(now + HOURS + SECOND) == timedelta()

    after = fresh(table).game
    assert after.deadline - before.deadline == HOURS
    assert after.wakes_at == after.deadline
    # All viewers get the new clock.
    assert fresh(table).version == table.version + 1


def test_only_time_that_was_really_given_back_is_told(
    table, caplog, django_capture_on_commit_callbacks
):
    now = timezone.now()
    outages.note_open(now)

    # As a full disk does, at each pulse.
    with transaction.atomic():
        outages.note_open(now + HOURS)
        transaction.set_rollback(True)
    assert "away" not in caplog.text

    with django_capture_on_commit_callbacks(execute=True):
        outages.note_open(now + HOURS)
    assert "the site was away for 3:00:00; given back to 1 games" in caplog.text


def test_the_table_keeps_what_it_was_interrupted_for(table):
    now = timezone.now()
    act(table, Nominate(0, 2), now=now)
    outages.note_open(now)

    outages.note_open(now + HOURS)

    (kept,) = table.interruptions.all()
    assert (kept.number, kept.at, kept.lost) == (1, now + HOURS, HOURS)


def test_everyone_reads_in_the_minutes_when_the_site_was_away(table, seated, stranger):
    now = timezone.now()
    act(table, Nominate(0, 2), now=now)
    outages.note_open(now)
    seated[1].page()
    outages.note_open(now + HOURS)
    told = "The site was down for"

    # The entry is at the time of the outage, no matter when a process learns of it.
    assert stranger.page().count(told) == 1
    for seat in range(5):
        act(table, Vote(seat, Ballot.JA))
    page = seated[1].page()
    panels.forget_all()
    assert page.index("nominates") < page.index(told) < page.index("Everyone votes Ja")
    assert seated[1].page().count(told) == 1


def test_a_short_restart_gives_nothing_back(table):
    deadline = fresh(table).game.deadline
    now = timezone.now()
    outages.note_open(now)

    assert outages.note_open(now + 5 * SECOND) == timedelta()
    assert fresh(table).game.deadline == deadline
    assert not Interruption.objects.exists()


def test_a_first_start_gives_nothing_back(table):
    assert outages.note_open(timezone.now()) == timedelta()
    assert Pulse.objects.get(pk=Pulse.Of.DOORS)


def test_a_process_whose_clock_is_behind_takes_nothing_away(table):
    deadline = fresh(table).game.deadline
    now = timezone.now()
    outages.note_open(now)

    assert outages.note_open(now - 30 * SECOND) == timedelta()
    assert Pulse.objects.get(pk=Pulse.Of.DOORS).at == now
    assert fresh(table).game.deadline == deadline


def test_when_the_clock_is_set_back_games_go_on_with_the_time_that_was_left(db, monkeypatch):
    table = run_table(NAMES[:2], bots=3)
    now = timezone.now()
    act(table, Nominate(0, 1), now=now)
    before = fresh(table).game
    outages.note_open(now)

    elapse(monkeypatch, [now - HOURS + n * outages.PULSE for n in range(7)])

    after = fresh(table).game
    back = timezone.now() - HOURS
    assert before.bot_moves_at - after.bot_moves_at == HOURS - outages.OUTAGE
    assert before.deadline - after.deadline == HOURS - outages.OUTAGE
    assert not Interruption.objects.exists()
    # A bot moves at its time on the new clock, and the log's times do not fall.
    play.settle(table.pk, now=after.bot_moves_at - SECOND / 10)
    assert position(table).length == 1
    play.settle(table.pk, now=after.bot_moves_at)
    assert [step.at for step in position(table).steps] == [now, now]
    assert fresh(table).game.wakes_at < back + timedelta(minutes=1)


def test_a_paused_game_goes_on_after_the_clock_was_set_back(db, monkeypatch):
    table = run_table(NAMES[:1], bots=4)
    now = timezone.now()
    left = fresh(table).game.deadline - now
    pauses.pause_game(table=table, user=table.host)
    outages.note_open(now)

    elapse(monkeypatch, [now - HOURS + n * outages.PULSE for n in range(7)])
    back = now - HOURS + timedelta(minutes=1)
    monkeypatch.setattr(timezone, "now", lambda: back)
    pauses.resume_game(table=table, user=table.host)

    assert abs(fresh(table).game.deadline - back - left) < SECOND


def test_a_process_whose_clock_is_ahead_and_which_runs_is_not_a_clock_that_was_set_back(
    table, monkeypatch
):
    deadline = fresh(table).game.deadline
    now = timezone.now()
    outages.note_open(now + HOURS)
    for n in range(10):
        elapse(monkeypatch, [now + n * outages.PULSE])
        outages.note_open(now + HOURS + n * outages.PULSE)

    assert fresh(table).game.deadline == deadline


def elapse(monkeypatch, moments):
    """Let the heart beat at these moments, while as much time really passes as lies between."""
    for moment in moments:
        monkeypatch.setattr(outages, "monotonic", moment.timestamp)
        outages.note_open(moment)


def test_untimed_and_finished_games_get_no_time(db):
    table = run_table(pace=Pace.UNTIMED, is_private=True)
    now = timezone.now()
    outages.note_open(now)

    outages.note_open(now + HOURS)

    assert fresh(table).game.deadline is None
    assert fresh(table).version == table.version
    assert not table.interruptions.all()


def test_while_no_one_can_come_the_clock_decides_for_no_one(table):
    outages.note_open(timezone.now())
    late = fresh(table).game.deadline + SECOND
    # Forget what this process knows: it has just written the pulse itself.
    outages.forget()

    play.settle(table.pk, now=late)

    assert position(table).length == 0
    assert table.seats.get(number=0).times_late == 0


def test_bots_wait_too_while_no_one_can_come(db):
    table = run_table(NAMES[:2], bots=3)
    act(table, Nominate(0, 1))
    outages.note_open(timezone.now())
    outages.forget()

    play.settle(table.pk, now=fresh(table).game.bot_moves_at + HOURS)

    assert position(table).length == 1


def test_when_the_site_is_back_the_decision_has_its_time_and_then_it_ends(table):
    game = fresh(table).game
    outages.note_open(timezone.now())
    late = game.deadline + SECOND
    lost = outages.note_open(late)

    play.settle(table.pk, now=late)
    assert position(table).length == 0

    # The time that was left, with the site open again.
    end = game.deadline + lost
    outages.note_open(late + 9 * SECOND)
    Pulse.objects.update(at=end)
    outages.forget()
    play.settle(table.pk, now=end)
    assert [row.by for row in fresh(table).game.actions.all()] == ["clock"]


def test_where_only_the_clock_was_away_whoever_looks_settles_and_nothing_is_given_back(
    table, seated
):
    # The site was open, but the clock never ran.
    outages.note_open(timezone.now())
    Game.objects.update(wakes_at=timezone.now() - HOURS, deadline=timezone.now() - HOURS)

    assert seated[1].choices() == ["vote:ja", "vote:nein"]

    assert position(table).length == 1
    assert outages.note_open(timezone.now()) == timedelta()
    assert not Interruption.objects.exists()


def test_who_is_back_first_may_decide_before_the_time_is_given_back(table):
    outages.note_open(timezone.now())
    outages.forget()

    act(table, Nominate(0, 2), now=fresh(table).game.deadline + SECOND)

    assert [row.by for row in fresh(table).game.actions.all()] == ["player"]
    assert state_of(table).nominee == 2


def test_the_heart_survives_a_database_that_is_away(monkeypatch, caplog):
    beats = []
    stop = Event()

    def note_open(now):
        beats.append(now)
        if len(beats) == 3:
            stop.set()
            return timedelta()
        raise OperationalError("away")

    monkeypatch.setattr(outages, "note_open", note_open)
    monkeypatch.setattr(outages, "PULSE", timedelta(milliseconds=1))
    monkeypatch.setattr(heartbeat, "connection", type("C", (), {"close": lambda self: None})())

    heartbeat.start_heartbeat(stop).join(timeout=60)

    assert len(beats) == 3
    assert caplog.text.count("the site's pulse cannot be written") == 1
