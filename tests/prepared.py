"""Copies of databases after a first start, for tests of what comes later.

The first test of a run that needs one creates it; later tests, in any process, begin with a copy.
"""

import atexit
import fcntl
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.postgres.cluster import find_postgres

ROOT = Path(__file__).parent.parent
# The processes of a run share the folder that the first one sets (tests/conftest.py).
VARIABLE = "TESTS_PREPARED"


def shelf() -> Path:
    if VARIABLE not in os.environ:
        os.environ[VARIABLE] = tempfile.mkdtemp(prefix="prepared-")
        atexit.register(shutil.rmtree, os.environ[VARIABLE], ignore_errors=True)
    return Path(os.environ[VARIABLE])


@contextmanager
def _alone(name: str) -> Iterator[Path]:
    """Lock this name and yield its path; other processes that want to create it wait."""
    with (shelf() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield shelf() / name


def lay(data: Path) -> None:
    """Copy a prepared site's data to `data`, if there is a copy and `data` does not exist."""
    copy = shelf() / "data"
    if copy.is_dir() and data.parent.is_dir() and not data.exists():
        shutil.copytree(copy, data)
        data.chmod(0o700)


def keep(data: Path) -> None:
    """Keep a copy of the data of a site that is ready and unused, unless there is one."""
    with _alone("data") as copy:
        if copy.is_dir():
            return
        unfinished = shelf() / "data.unfinished"
        unfinished.mkdir()
        _copy(data / "db.sqlite3", unfinished / "db.sqlite3")
        unfinished.rename(copy)


def migrate_sqlite(file: Path) -> None:
    """Create a migrated database at `file`, which must not exist yet."""
    with _alone("db.sqlite3") as copy:
        if not copy.exists():
            unfinished = shelf() / "unfinished.sqlite3"
            _migrate(f"sqlite:///{unfinished}")
            _copy(unfinished, copy)
    _copy(copy, file)


def migrate_postgres(url: str) -> None:
    """Migrate the empty database at `url`."""
    programs = find_postgres()
    assert programs is not None
    with _alone("postgres.sql") as dump:
        if not dump.exists():
            _migrate(url)
            unfinished = dump.with_suffix(".unfinished")
            dumping = [programs / "pg_dump", "--clean", "--if-exists", "--no-owner"]
            subprocess.run([*dumping, "-f", unfinished, _plain(url)], check=True)
            unfinished.rename(dump)
            return
    loading = [programs / "psql", "-q", "-X", "-1", "-v", "ON_ERROR_STOP=1"]
    subprocess.run(
        [*loading, "-f", dump, _plain(url)],
        check=True,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"PGOPTIONS": "-c client_min_messages=warning"},
    )


def _copy(there: Path, here: Path) -> None:
    """Copy a database with the changes that are not in its main file yet."""
    with closing(sqlite3.connect(there)) as source, closing(sqlite3.connect(here)) as target:
        source.backup(target)
    here.chmod(0o600)


def _plain(url: str) -> str:
    """Return the URL with the scheme that PostgreSQL's own programs expect."""
    return url.replace("postgres://", "postgresql://", 1)


def _migrate(url: str) -> None:
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--noinput", "-v0"],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": url, "CHANCELLERY_DATA": str(shelf())},
        check=True,
    )
