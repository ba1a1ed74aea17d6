"""Runs tests on PostgreSQL too, whose locks, SQL and JSON differ from SQLite's.

`make test` runs those marked `both_databases` there, `make nightly` nearly all that use a database,
and `make faults` all of them.
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
# `make faults` runs every module.
IS_WHOLE = os.environ.get("POSTGRES") == "all"
# `make nightly` leaves these out. Tests of rules, wording, pages, images and refusals involve no
# locks, and sockets have none of their own. Those of chat, of moderators' acts at tables and of
# card inspections are covered by the game and the audit.
WITHOUT = (
    *("games/rules", "games/bots", "games/rulebook", "games/wording", "games/live", "games/panels"),
    *("games/test_admin.py", "games/test_exhaustive.py", "games/test_new_power.py"),
    *("games/test_piece_gaps.py", "games/state/test_government_history.py"),
    "games/state/test_reliability.py",
    *(
        f"games/moderation/test_{name}.py"
        for name in (
            *("freezing", "replaced_seats"),
            *("switches_at_tables", "table_moderation", "voided_games"),
        )
    ),
    *(
        f"games/services/test_{name}.py"
        for name in (
            *("alarm", "announcements", "chat", "chat_rights", "claims", "pseudonyms"),
            *("sanction_effects", "seal"),
        )
    ),
    *(
        f"games/views/test_{name}.py"
        for name in (
            *("api", "bad_input", "bad_requests", "buttons", "film", "lobby", "long_pages"),
            *("notes", "opening", "profile", "proof", "public_api", "replay", "shell"),
            *("truth", "tutorial", "uploads"),
        )
    ),
    *("accounts/views/test_pages.py", "accounts/mail", "accounts/profiles"),
    *(
        f"accounts/auth/test_{name}.py"
        for name in (
            *("hashers", "mail_addresses", "odd_requests", "second_factor", "sessions"),
            *("sign_in", "upgraded_sessions"),
        )
    ),
)


def marked() -> list[str]:
    """Return the marked modules: collecting the others as well would take longer than the tests."""
    modules = (path for name in WITH_A_DATABASE for path in (ROOT / name).rglob("test_*.py"))
    return sorted(
        str(path.relative_to(ROOT)) for path in modules if f".{MARK}" in path.read_text("utf-8")
    )


def test_every_module_that_is_left_out_exists() -> None:
    assert [path for path in WITHOUT if not (ROOT / "tests" / path).exists()] == []


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
                *(f"--ignore=tests/{path}" for path in WITHOUT if NIGHTLY and not IS_WHOLE),
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
