"""The alarm clock's scheduler on a machine whose clock is set back."""

from datetime import UTC, datetime, timedelta

from celery import Celery

from config.beat import SteadyScheduler

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)


def test_after_the_clock_is_set_back_an_hour_every_task_is_sent_as_often_as_before(
    tmp_path, monkeypatch
) -> None:
    now = NOON
    sent: list[tuple[str, datetime]] = []
    app = Celery("test", set_as_current=False, broker="memory://")
    monkeypatch.setattr(Celery, "now", lambda self: now)
    app.conf.beat_schedule = {
        "often": {"task": "often", "schedule": 1.0},
        "seldom": {"task": "seldom", "schedule": 60.0},
    }
    scheduler = SteadyScheduler(app, schedule_filename=str(tmp_path / "beat"))
    monkeypatch.setattr(
        scheduler, "apply_entry", lambda entry, producer: sent.append((entry.name, now))
    )

    def run(seconds: int) -> dict[str, int]:
        nonlocal now
        sent.clear()
        end = now + timedelta(seconds=seconds)
        while now < end:
            while scheduler.tick() == 0:
                pass
            now += timedelta(seconds=0.25)
        names = [name for name, _ in sent]
        return {name: names.count(name) for name in ("often", "seldom")}

    before = run(120)
    now -= timedelta(hours=1)
    after = run(120)
    scheduler.close()

    assert before["often"] >= 90
    assert abs(after["often"] - before["often"]) <= 2
    assert abs(after["seldom"] - before["seldom"]) <= 1
    assert after["seldom"] >= 1
