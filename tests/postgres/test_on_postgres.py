"""Runs tests on PostgreSQL too, whose locks, SQL and JSON differ from SQLite's.

`make test` runs those marked `both_databases` there, and `make nightly` all that use a database.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.nightly import NIGHTLY
from tests.postgres.cluster import cluster, find_postgres

ROOT = Path(__file__).parent.parent.parent
WITH_A_DATABASE = ("tests/games", "tests/accounts", "tests/config/db", "tests/postgres")
MARK = "both_databases"


def marked() -> list[str]:
    """Return the marked modules: collecting the others as well would take longer than the tests."""
    modules = (path for name in WITH_A_DATABASE for path in (ROOT / name).rglob("test_*.py"))
    return sorted(
        str(path.relative_to(ROOT)) for path in modules if f".{MARK}" in path.read_text("utf-8")
    )


@pytest.mark.postgres
def test_what_holds_on_sqlite_holds_on_postgresql() -> None:
    programs = find_postgres()
    if programs is None:
        pytest.skip("there is no PostgreSQL here (Debian: apt-get install postgresql)")
    where = ([] if NIGHTLY else [MARK]) + ["not browser", "not postgres"]
    with cluster(programs) as url:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider"),
                *("-p", "tests.postgres.one_of_each"),
                *("-m", " and ".join(where), *(WITH_A_DATABASE if NIGHTLY else marked())),
            ],
            cwd=ROOT,
            # Use the real limits; what tests/conftest.py sets for servers is not for tests.
            env=os.environ | {"DATABASE_URL": url, "LIMITS": "on"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    if done.returncode:
        pytest.fail(done.stdout, pytrace=False)
    print(done.stdout)
