"""`manage.py backup` and `restore`: the drill, and what they refuse. On both databases."""

import gzip
import json
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.postgres.cluster import cluster, find_postgres
from tests.prepared import migrate_postgres, migrate_sqlite

ROOT = Path(__file__).parent.parent.parent


class Site(ABC):
    """A site's database, the management commands that its owner runs, and people who play.

    What needs no process of its own is done in one that keeps running (`hall`), since most of a
    process's time would be its start. It lasts for all tests of its database: each test begins with
    an empty database, and a folder for its files.
    """

    def __init__(self, folder: Path, url: str = "") -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.data = folder / "data"
        self.environment = {
            **{name: value for name, value in os.environ.items() if name != "DATABASE_URL"},
            "CHANCELLERY_DATA": str(self.data),
            # Seals the audit.
            "SECRET_KEY": "x7$kq" * 12,
            "LC_ALL": "C",
            **({"DATABASE_URL": url} if url else {}),
        }
        self._hall: subprocess.Popen[bytes] | None = None
        self._is_answering = False

    def start(self, *command: str, **how: Any) -> subprocess.Popen[bytes]:
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=self.environment, **streams | how
        )

    def begin(self, *what: object) -> "Site":
        """Let the hall process do this. Its answer is read line by line; an empty line ends it."""
        if self._hall is None:
            self._hall = self.start("-m", "tests.hosting.hall", stderr=None)
        assert self._hall.stdin is not None and self._hall.stdout is not None
        self._hall.stdin.write(json.dumps(what).encode() + b"\n")
        self._hall.stdin.flush()
        self._is_answering = True
        return self

    def readline(self) -> bytes:
        assert self._hall is not None and self._hall.stdout is not None
        line = self._hall.stdout.readline()
        self._is_answering = line != b"\n"
        return line

    def hall(self, *what: object) -> list[Any]:
        lines = iter(self.begin(*what).readline, b"\n")
        answer = []
        for line in lines:
            assert line, "the hall has gone"
            answer.append(tuple(json.loads(line)))
        return answer

    def does(self, *command: str) -> str:
        [(status, said)] = self.hall("manage", *command)
        assert status == 0, said
        return said

    def refuses(self, *command: str) -> str:
        [(status, said)] = self.hall("manage", *command)
        assert status == 1, said
        return said

    def close(self) -> None:
        if self._hall is not None:
            self._hall.communicate()

    def forget_a_failure(self) -> None:
        """End the hall if a failed test has ended it or left a part of its answer unread."""
        if self._hall is not None and (self._is_answering or self._hall.poll() is not None):
            self._hall.kill()
            self._hall.wait()
            self._hall, self._is_answering = None, False

    @abstractmethod
    def destroy(self) -> None:
        """Delete the database."""

    @abstractmethod
    def begin_anew(self, folder: Path) -> None:
        """Empty the database; keep the next files in this folder."""


class OnSqlite(Site):
    def destroy(self) -> None:
        shutil.rmtree(self.data)
        # An owner may make the folder, with whatever rights.
        self.data.mkdir(mode=0o755)

    def begin_anew(self, folder: Path) -> None:
        self.folder = folder
        self.forget_a_failure()
        shutil.rmtree(self.data, ignore_errors=True)
        self.data.mkdir(mode=0o700)
        migrate_sqlite(self.data / "db.sqlite3")


class OnPostgres(Site):
    def __init__(self, folder: Path, url: str) -> None:
        super().__init__(folder, url)
        self.url = url
        # Two commands that wait for each other end.
        self.environment["PGOPTIONS"] = "-c lock_timeout=20s"
        self.destroy()

    def destroy(self) -> None:
        with psycopg.connect(self.url, autocommit=True) as line:
            line.execute("DROP SCHEMA public CASCADE")
            line.execute("CREATE SCHEMA public")

    def begin_anew(self, folder: Path) -> None:
        self.folder = folder
        self.forget_a_failure()
        self.destroy()
        migrate_postgres(self.url)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    programs = find_postgres()
    if programs is None:
        pytest.skip("there is no PostgreSQL here (Debian: apt-get install postgresql)")
    with cluster(programs) as url:
        yield url


@pytest.fixture(scope="module")
def on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = OnSqlite(tmp_path_factory.mktemp("sqlite"))
    yield site
    site.close()


@pytest.fixture(scope="module")
def on_postgres(tmp_path_factory: pytest.TempPathFactory, postgres: str) -> Iterator[Site]:
    site = OnPostgres(tmp_path_factory.mktemp("postgres"), postgres)
    yield site
    site.close()


@pytest.fixture
def sqlite(on_sqlite: Site, tmp_path: Path) -> Site:
    on_sqlite.begin_anew(tmp_path)
    return on_sqlite


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.nightly]),
    ]
)
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Site:
    site: Site = request.getfixturevalue(f"on_{request.param}")
    site.begin_anew(tmp_path)
    return site


# The drill -----------------------------------------------------------------------------------


def test_what_is_lost_comes_back_as_it_stood_and_is_played_on(site: Site) -> None:
    site.hall("open", 3)
    site.hall("move", 8)
    # More than a pipe's buffer, in a table that is backed up before the games are.
    site.hall("crowd", 2000)
    before = site.hall("tell")

    # A backup that has begun and stops, because no one reads its output.
    backup = site.start("manage.py", "backup", "-")
    assert backup.stdout is not None
    beginning = backup.stdout.read(1)
    # It blocks no moves, and the moves made meanwhile are not in the backup.
    assert len(site.hall("move", 5)) == 5
    whole = beginning + backup.stdout.read()
    assert backup.wait(timeout=60) == 0

    site.destroy()
    restore = site.start("manage.py", "restore", "-")
    _, said = restore.communicate(whole, timeout=60)
    assert restore.returncode == 0, said
    assert b"rows restored" in said
    if isinstance(site, OnSqlite):
        assert stat.S_IMODE((site.data / "db.sqlite3").stat().st_mode) == 0o600
    assert site.hall("tell") == before

    moves = site.hall("move", 0)
    assert len(moves) > 8
    # The rows of a new table get free primary keys.
    site.hall("open", 1)


def test_a_site_that_has_lived_comes_back_row_for_row(site: Site) -> None:
    site.hall("live")
    before = site.hall("rows")
    assert "games.Interruption" in {row[0] for row in before}
    file = str(site.folder / "lived.backup")
    site.does("backup", file)
    site.destroy()
    # The file says which version made it before anything is changed.
    assert re.search(r"version \d+\.\d+\.\d+, made at 20", site.does("restore", file))
    assert site.hall("rows") == before
    site.does("verify_audit")


@pytest.mark.nightly
def test_a_backup_amid_moves_is_one_moment(site: Site) -> None:
    site.hall("open", 4)
    file = site.folder / "amid.backup"
    lines = site.begin("move", 0)
    first = lines.readline()
    with site.start("manage.py", "backup", str(file)) as backup:
        rest = list(iter(lines.readline, b"\n"))
    assert backup.returncode == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    said = [json.loads(line) for line in [first, *rest]]

    site.destroy()
    site.does("restore", str(file))
    found = site.hall("tell")
    # The tables move in turn, so the backup must hold exactly the first `made` moves of all.
    made = sum(length for _, length, _ in found)
    assert made >= 1
    latest = {code: (length, digest) for code, length, digest in said[:made]}
    assert {code: (length, digest) for code, length, digest in found if length} == latest


@pytest.mark.postgres
@pytest.mark.nightly
def test_a_site_that_has_grown_moves_to_postgresql_and_back(
    sqlite: Site, postgres: str, tmp_path: Path
) -> None:
    large = OnPostgres(tmp_path / "large", postgres)
    sqlite.hall("live")
    lived = sqlite.hall("rows")
    file, back = str(tmp_path / "there.backup"), str(tmp_path / "back.backup")
    sqlite.does("backup", file)
    large.does("restore", file)
    assert large.hall("rows") == lived
    large.does("backup", back)
    sqlite.does("restore", back, "--replace")
    assert sqlite.hall("rows") == lived
    # The rows of a new table get free primary keys.
    large.hall("open", 1)
    large.close()


# Refusals ------------------------------------------------------------------------------------


def test_a_database_with_people_in_it_is_replaced_only_when_asked(site: Site) -> None:
    site.hall("open", 1)
    file = str(site.folder / "early.backup")
    site.does("backup", file)
    early = site.hall("tell")
    site.hall("move", 3)
    now = site.hall("tell")
    assert "already holds people or games" in site.refuses("restore", file)
    assert site.hall("tell") == now
    site.does("restore", file, "--replace")
    assert site.hall("tell") == early


def test_a_backup_that_fails_leaves_the_last_one_as_it_was(sqlite: Site) -> None:
    sqlite.hall("open", 1)
    file = sqlite.folder / "last.backup"
    # Nor does a pipe with such a name hold one up.
    os.mkfifo(sqlite.folder / ".chancellery-pipe.part")
    sqlite.does("backup", str(file))
    whole = file.read_bytes()
    with closing(sqlite3.connect(sqlite.data / "db.sqlite3")) as line, line:
        line.execute("UPDATE accounts_user SET date_joined = '2026-13-45 00:00:00'")
    assert "the table accounts_user can’t be read" in sqlite.refuses(
        "backup", str(file), "--overwrite"
    )
    assert file.read_bytes() == whole
    assert {path.name for path in sqlite.folder.iterdir()} == {"last.backup"}


@pytest.mark.nightly
def test_what_a_killed_backup_left_is_deleted_by_the_next(sqlite: Site) -> None:
    sqlite.hall("crowd", 2000)
    with sqlite.start("manage.py", "backup", str(sqlite.folder / "friday.backup")) as running:
        while not any(sqlite.folder.iterdir()):
            assert running.poll() is None
        running.send_signal(signal.SIGSTOP)
        file = sqlite.folder / "saturday.backup"
        sqlite.does("backup", str(file))
        # The other one is not dead yet.
        assert len(list(sqlite.folder.iterdir())) == 2
        running.kill()
    assert running.returncode == -signal.SIGKILL
    sqlite.does("backup", str(file), "--overwrite")
    assert {path.name for path in sqlite.folder.iterdir()} == {"saturday.backup"}


@pytest.mark.postgres
@pytest.mark.nightly
def test_a_second_restore_at_once_is_told_so(on_postgres: OnPostgres, tmp_path: Path) -> None:
    on_postgres.begin_anew(tmp_path)
    on_postgres.hall("crowd", 2000)
    file = tmp_path / "x.backup"
    on_postgres.does("backup", str(file))
    whole = file.read_bytes()
    on_postgres.destroy()
    with on_postgres.start("manage.py", "restore", "-", stderr=None) as first:
        # It prepares the empty database, and waits for the rest of the file.
        assert first.stdin is not None
        first.stdin.write(whole[: len(whole) // 2])
        first.stdin.flush()
        with psycopg.connect(on_postgres.url, autocommit=True) as line:
            while not line.execute("SELECT to_regclass('django_migrations')").fetchone()[0]:
                assert first.poll() is None
        for command in (["restore", str(file)], ["restore", str(file), "--replace"]):
            assert "Another command is updating or restoring" in on_postgres.refuses(*command)
        first.communicate(whole[len(whole) // 2 :])
    assert first.returncode == 0


def damages(data: bytes) -> dict[str, bytes]:
    text = gzip.decompress(data)
    lines = text.splitlines(keepends=True)
    swapped = text.replace(b"Ada 0", b"Eve 0")
    assert swapped != text
    return {
        "cut off in the middle": data[: len(data) // 2],
        "cut off before its last byte": data[:-1],
        "a flipped bit": data[:-300] + bytes([data[-300] ^ 1]) + data[-299:],
        "without its seal": gzip.compress(b"".join(lines[:-1])),
        "without a row": gzip.compress(b"".join(lines[:-2] + lines[-1:])),
        "with another name in it": gzip.compress(swapped),
        "with something after it": gzip.compress(text + b"[1]\n"),
        "with a strange table": gzip.compress(text.replace(b'"games_game"', b'"games_gone"')),
    }


def test_a_damaged_backup_changes_nothing(site: Site) -> None:
    site.hall("open", 1)
    site.hall("move", 4)
    file = site.folder / "whole.backup"
    site.does("backup", str(file))
    site.hall("move", 1)
    now = site.hall("tell")
    broken = site.folder / "broken.backup"
    for name, data in damages(file.read_bytes()).items():
        broken.write_bytes(data)
        said = site.refuses("restore", str(broken), "--replace")
        assert "damaged or incomplete" in said, name
        assert site.hall("tell") == now, name


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"SQLite format 3\0", gzip.compress(b'{"edition": "en"}\n')],
    # Explicit ids: gzip stores the current second, so the data cannot name the test.
    ids=["empty", "JSON", "SQLite", "another archive"],
)
def test_a_file_that_is_no_backup_is_said(sqlite: Site, data: bytes) -> None:
    file = sqlite.folder / "other"
    file.write_bytes(data)
    assert "isn’t a backup of this site" in sqlite.refuses("restore", str(file))


@pytest.mark.parametrize(
    ("what", "instead"),
    [(b'"format":1', b'"format":2'), (b'"games.0001_schema"', b'"games.0999_later"')],
)
def test_a_backup_of_another_version_is_said(sqlite: Site, what: bytes, instead: bytes) -> None:
    file = sqlite.folder / "new.backup"
    sqlite.does("backup", str(file))
    text = gzip.decompress(file.read_bytes())
    assert what in text
    file.write_bytes(gzip.compress(text.replace(what, instead)))
    assert "made by another version of the site" in sqlite.refuses("restore", str(file))


def test_a_file_that_is_there_is_overwritten_only_when_asked(sqlite: Site) -> None:
    file = sqlite.folder / "kept.backup"
    file.write_text("the only copy")
    assert "already exists" in sqlite.refuses("backup", str(file))
    assert file.read_text() == "the only copy"
    sqlite.does("backup", str(file), "--overwrite")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    sqlite.does("restore", str(file))
    # No partly written file is left beside it.
    assert {path.name for path in sqlite.folder.iterdir()} == {"kept.backup"}


def test_a_place_that_is_none_is_said(sqlite: Site) -> None:
    nowhere = str(sqlite.folder / "no" / "such.backup")
    assert "such.backup: No such file" in sqlite.refuses("backup", nowhere)
    assert "such.backup: No such file" in sqlite.refuses("restore", nowhere)


@pytest.mark.nightly
def test_a_database_of_another_version_is_not_saved(tmp_path: Path) -> None:
    site = OnSqlite(tmp_path)
    site.data.mkdir()
    (site.data / "db.sqlite3").touch()
    assert "is empty, or older" in site.refuses("backup", str(tmp_path / "x.backup"))
    site.close()
    assert not (tmp_path / "x.backup").exists()


@pytest.mark.nightly
def test_nothing_is_restored_while_a_web_process_records_its_pulse(site: Site) -> None:
    site.hall("open", 1)
    file = str(site.folder / "x.backup")
    site.does("backup", file)
    before = site.hall("tell")
    [(status, said)] = site.hall("manage_beside_a_site", "restore", file, "--replace")
    assert status == 1 and "The site is running on this database" in said
    assert site.hall("tell") == before
    # As soon as the process has ended, one may.
    site.does("restore", file, "--replace")


@pytest.mark.nightly
def test_nothing_is_restored_under_a_running_site(sqlite: Site) -> None:
    file = str(sqlite.folder / "x.backup")
    sqlite.does("backup", file)
    with sqlite.start("manage.py", "play", "--port", "0", stderr=subprocess.STDOUT) as running:
        try:
            assert running.stdout is not None
            assert any(b"is ready" in line for line in iter(running.stdout.readline, b""))
            assert "running on" in sqlite.refuses("restore", file, "--replace")
            # A backup is allowed while the site runs.
            sqlite.does("backup", file, "--overwrite")
        finally:
            running.terminate()
            running.communicate(timeout=10)
