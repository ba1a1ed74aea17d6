"""Runs the database tests on PostgreSQL too, whose locks and transactions differ from SQLite's."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.postgres.cluster import cluster, find_postgres

ROOT = Path(__file__).parent.parent.parent
WITH_A_DATABASE = ("tests/games", "tests/accounts", "tests/postgres")
# `make faults` runs every module.
IS_WHOLE = os.environ.get("POSTGRES") == "all"
# Tests of wording, pages, images and refusals involve no locks, and sockets have none of their
# own. Those of talk, order and looking behind the cards are covered by the game and the audit.
WITHOUT = {
    "games": (
        *("phrases", "wording", "look", "bad_requests", "bad_input", "buttons", "admin", "history"),
        *("hints", "notes", "screens", "talk_rights", "frames", "alarm", "phrasebook", "claims"),
        *("person", "replay", "lobby", "opening", "gates", "presence", "reliability", "seal"),
        *("consumers", "blind", "standing", "talk", "order", "glass"),
    ),
    "accounts": (
        *("pages", "mails", "language", "linked_language", "look", "names", "second_factor"),
        *("sign_in", "sessions", "addresses", "preferences", "doors"),
    ),
}


@pytest.mark.postgres
def test_what_holds_on_sqlite_holds_on_postgresql() -> None:
    programs = find_postgres()
    if programs is None:
        pytest.skip("there is no PostgreSQL here (Debian: apt-get install postgresql)")
    folders = [name for name in WITH_A_DATABASE if (ROOT / name).exists()]
    with cluster(programs) as url:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider"),
                *("-p", "tests.postgres.one_of_each"),
                *("-m", "not browser and not postgres", *folders),
                *(
                    f"--ignore=tests/{folder}/test_{name}.py"
                    for folder, names in WITHOUT.items()
                    for name in names
                    if not IS_WHOLE
                ),
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
