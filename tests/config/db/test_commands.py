"""Commands for the site's data name their database, and neither create one nor misuse another's."""

import io
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from tests.config.processes import run
from tests.prepared import migrate_sqlite

SERVED = {"SECRET_KEY": "x7$kq" * 12, "REDIS_URL": "redis://127.0.0.1:1/0"}


@pytest.mark.parametrize(
    "command", ["backup -", "verify_audit", "rebuild_ratings", "rebuild_statistics"]
)
def test_without_a_database_a_command_says_so_and_makes_none(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = tmp_path / "db.sqlite3"
    monkeypatch.setitem(connection.settings_dict, "NAME", str(nowhere))
    said = io.StringIO()

    with pytest.raises(CommandError, match=f"There is no database at {nowhere}"):
        call_command(*command.split(), stderr=said)

    assert said.getvalue() == f"Database: {nowhere}\n"
    assert not nowhere.exists()


@pytest.mark.nightly
@pytest.mark.parametrize(
    "command",
    [
        "manage.py serve --port 0",
        "-m celery -A config worker --queues default --pool threads",
        "-m celery -A config beat --schedule {folder}/beat",
        "manage.py prepare",
        "manage.py backup -",
        "manage.py verify_audit",
    ],
)
def test_no_process_of_this_version_begins_on_a_newer_database(
    command: str, tmp_path: Path
) -> None:
    file = tmp_path / "db.sqlite3"
    migrate_sqlite(file)
    with closing(sqlite3.connect(file)) as newer, newer:
        newer.execute(
            "INSERT INTO django_migrations (app, name, applied) "
            "VALUES ('games', '9999_of_the_future', '2027-01-01')"
        )
        before = list(newer.iterdump())

    ended = run(
        *command.format(folder=tmp_path).split(), DATABASE_URL=f"sqlite:///{file}", **SERVED
    )

    assert ended.returncode == 1
    assert "from a newer version of the site, which knows" in ended.stderr
    assert "Traceback" not in ended.stderr
    with closing(sqlite3.connect(file)) as newer:
        assert list(newer.iterdump()) == before
