"""Databases of earlier versions: the last one's is current, an older one's is refused."""

import io
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from accounts.models import User
from config.db.history import WrongDatabase, check_database, update_database

ROOT = Path(__file__).parent.parent.parent.parent
OURS = ("accounts", "games")


def first_ones() -> list[tuple[str, str]]:
    """Return the migrations that replace those of the versions before."""
    loader = MigrationExecutor(connection).loader
    return sorted(key for key, migration in loader.replacements.items() if key[0] in OURS)


@pytest.fixture
def of_the_last_version(db: None) -> None:
    """Make the test's database one that only the old migrations have made."""
    for app, name in first_ones():
        MigrationRecorder(connection).record_unapplied(app, name)


@pytest.mark.django_db
def test_the_first_migration_of_each_app_replaces_all_old_ones_and_shares_no_name_with_them():
    loader = MigrationExecutor(connection).loader
    assert [app for app, __ in first_ones()] == list(OURS)
    for key in first_ones():
        replaced = set(loader.disk_migrations[key].replaces)
        assert len(replaced) > 20 and (key[0], "0001_initial") in replaced
        assert not replaced & set(loader.disk_migrations)


@pytest.mark.usefixtures("of_the_last_version")
def test_a_database_of_the_last_version_is_current_and_keeps_its_rows():
    user = User.objects.create_user("Ada")

    assert MigrationExecutor(connection).loader.applied_migrations.keys() >= set(first_ones())
    update_database()

    assert User.objects.get() == user
    check_database()


@pytest.mark.usefixtures("of_the_last_version")
@pytest.mark.parametrize(
    ("app", "name"),
    [
        ("games", "0033_power_moments"),
        ("games", "0001_squashed_0009_words"),
        ("accounts", "0021_uncounted_name_changes"),
    ],
)
def test_a_database_that_lacks_an_old_migration_is_refused(app: str, name: str):
    MigrationRecorder(connection).record_unapplied(app, name)

    for attempt in (check_database, update_database):
        with pytest.raises(WrongDatabase, match=r"commit [0-9a-f]{8}, then with this one"):
            attempt()
    assert not MigrationRecorder(connection).migration_qs.filter(app=app, name=name).exists()


def test_an_old_folder_is_told_which_version_to_start_first_and_stays_as_it_is(tmp_path: Path):
    file = tmp_path / "db.sqlite3"
    with closing(sqlite3.connect(file)) as old, old:
        old.execute("CREATE TABLE django_migrations (id int, app text, name text, applied text)")
        old.execute(
            "INSERT INTO django_migrations VALUES (1, 'games', '0001_initial', '2026-11-20')"
        )
        before = list(old.iterdump())

    run = subprocess.run(
        [sys.executable, "manage.py", "prepare"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": f"sqlite:///{file}", "CHANCELLERY_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 1 and run.stdout == ""
    assert run.stderr.startswith("CommandError: The database is from an older version.")
    assert len(run.stderr.splitlines()) == 1
    with closing(sqlite3.connect(file)) as new:
        assert list(new.iterdump()) == before


@pytest.mark.django_db
def test_the_models_need_no_migration():
    call_command("makemigrations", check=True, dry_run=True, stdout=io.StringIO())


def test_a_database_of_a_newer_version_is_refused(db: None):
    MigrationRecorder(connection).record_applied("games", "9999_of_the_future")
    # An app that the site no longer has may have left its own.
    MigrationRecorder(connection).record_applied("gone", "0001_initial")

    for attempt in (check_database, update_database):
        with pytest.raises(WrongDatabase, match=r"newer version .* games\.9999_of_the_future"):
            attempt()

    MigrationRecorder(connection).record_unapplied("games", "9999_of_the_future")
    check_database()
