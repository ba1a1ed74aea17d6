"""The alarm clock has workers of its own, and no long computation ever runs there."""

import pytest

from config.celery import app
from tests.config.processes import run
from tests.prepared import migrate_sqlite

CLOCK = {
    "games.tasks.wake_due_games",
    "games.tasks.settle_game",
    "games.tasks.settle_question",
}


def test_the_clock_s_tasks_are_in_its_queue_and_all_others_in_the_other() -> None:
    app.loader.import_default_modules()
    ours = {name for name in app.tasks if name.startswith(("games.", "accounts."))}
    in_queue = {name: app.amqp.router.route({}, name)["queue"].name for name in ours}

    assert {name for name, queue in in_queue.items() if queue == "clock"} == CLOCK
    assert set(in_queue.values()) == {"clock", "default"}


@pytest.mark.parametrize(
    "queues",
    [
        ("--queues", "clock,default"),
        *(
            pytest.param(given, marks=pytest.mark.nightly)
            for given in ((), ("--exclude-queues", "x"))
        ),
    ],
)
def test_a_worker_that_mixes_the_clock_s_queue_with_others_does_not_start(tmp_path, queues) -> None:
    migrate_sqlite(tmp_path / "db.sqlite3")
    ended = run(
        *("-m", "celery", "-A", "config", "worker", *queues),
        CHANCELLERY_DATA=str(tmp_path),
        SECRET_KEY="x" * 50,
        REDIS_URL=f"unix://{tmp_path}/none",
    )

    assert ended.returncode == 1
    assert "The clock's queue needs a worker of its own" in ended.stderr
