"""Settings, fixtures and scheduling for all tests, and a report of skipped tests.

In CI a run that skips any test fails. A run that takes too long fails everywhere.
"""

import inspect
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from threading import Barrier
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.db import connection, transaction
from django.utils import translation
from xdist.scheduler import LoadFileScheduling

from config.i18n.catalogs import compile_catalogs
from tests.postgres.cluster import memory
from tests.write_lock import Watch, watch

# The tests of such a folder share one site and one browser, so they run one after another and
# take long. They begin first; else one core would wait for the other at the end.
TOGETHER = (
    "tests/postgres/",
    "tests/browser/",
    "tests/access/",
    "tests/hosting/",
    "tests/faults/",
)
# Single modules that take long: they begin next, for the same reason.
LONG = (
    "tests/commands/test_play.py",
    "tests/commands/test_simulated_games.py",
    "tests/secrecy/",
    "tests/bench/",
    "tests/language/",
    "tests/limits/",
    "tests/games/rules/test_machine.py",
    "tests/games/bots/",
)
# Real processes race with real time, and bots at a table draw from an unseeded source. So a failed
# test runs once more, and the report names it. These folders are exceptions: what they find even
# once is a bug.
NEVER_RERUN = (
    # Its one test runs others, which rerun by themselves.
    "tests/postgres/",
    "tests/secrecy/",
    "tests/games/rules/",
    "tests/games/bots/",
    "tests/games/inference/",
)
# `make nightly` and the other long forms set this variable. A run without it leaves out the tests
# marked `nightly`.
NIGHTLY = "NIGHTLY"
# Seconds that a run may take, for which `make test` aims at ten minutes. The nightly run has no
# limit, and a crowded machine may set another number of minutes.
LONGEST_RUN = 60 * int(os.environ.get("LONGEST_RUN", "15"))
BEGAN = time.monotonic()
IN_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--nightly", action="store_true", help="run everything, as `make nightly`")


def pytest_configure(config: pytest.Config) -> None:
    """Change the settings for tests, before anything has used them.

    Not a second settings module, which would drift from the first. The catalogs are compiled
    before any test, or server that a test starts, looks up a translation.
    """
    if config.getoption("--nightly", False):
        # Not only for this process: xdist's workers and pytest on PostgreSQL inherit it.
        os.environ[NIGHTLY] = "1"
    config.addinivalue_line(
        "markers", "on_postgres: needs PostgreSQL; tests/postgres runs it there, others do not"
    )
    config.addinivalue_line("markers", "on_sqlite: needs SQLite; tests/postgres does not run it")
    # How long an example takes says how busy the machine is, and nothing about the site.
    hypothesis.settings.register_profile(
        "busy", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
    )
    hypothesis.settings.load_profile("busy")
    # No Redis: tests must not use a developer's own server.
    settings.REDIS_URL = settings.CACHE_URL = ""
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": 50_000},
        }
    }
    settings.CELERY_BROKER_URL = "memory://localhost/"
    # Tests send many requests from one address; tests of the limits set their own. The servers that
    # tests start have no limits either.
    settings.LIMITS = dict.fromkeys(settings.LIMITS, "off")
    # It lasts as long as the tests' database; no key that lasts less seals the audit.
    settings.SECRET_KEY_LASTS = True
    settings.HOSTED_TABLES = settings.RUNNING_GAMES = settings.QUICK_GAMES = 0
    settings.SCHEDULED_TABLES = 0
    # Most tests nominate at once; tests of the night set its length.
    settings.NIGHT_SECONDS = 0.0
    settings.SOCKETS_OF_A_USER = 0
    settings.SOCKETS_OF_AN_ADDRESS = settings.SOCKETS_OF_A_PROCESS = 0
    hands_out = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if not hasattr(config, "workerinput"):
        for folder in settings.LOCALE_PATHS:
            compile_catalogs(folder)
        prepared = tempfile.TemporaryDirectory(prefix="prepared-", dir=memory())
        config.add_cleanup(prepared.cleanup)
        os.environ["TESTS_PREPARED"] = prepared.name
    if not hands_out:
        # Not in xdist's main process: its workers would inherit this before they read settings.
        os.environ["LIMITS"] = "off"
        os.environ.setdefault("NIGHT_SECONDS", "0")
    # Switches are not cached: one test's must not hold in the next, and a page must make the same
    # number of queries at any time.
    settings.SWITCHES_BELIEVED = 0.0
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = _database_file(config)
    # A good hasher is slow, and tests sign up hundreds of people.
    settings.PASSWORD_HASHERS = ["tests.write_lock.WatchedHasher"]
    # Serve static files from the source, without `collectstatic`.
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.WHITENOISE_AUTOREFRESH = True
    settings.WHITENOISE_USE_FINDERS = True


def _database_file(config: pytest.Config) -> str:
    """Return the path of a SQLite file, as a real site has one.

    Django's default for tests is a database in memory, where threads share a cache and a reader in
    one thread makes a writer in another fail at once.
    """
    folder = tempfile.TemporaryDirectory(prefix="tests-", dir=memory())
    config.add_cleanup(folder.cleanup)
    return f"{folder.name}/db.sqlite3"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests of another run or of the other database, and run the slow folders first.

    Such a test is deselected, not *skipped*: it runs elsewhere.
    """
    on_sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    elsewhere = ["on_postgres" if on_sqlite else "on_sqlite"]
    if not os.environ.get(NIGHTLY):
        elsewhere.append("nightly")
    left = [item for item in items if any(map(item.get_closest_marker, elsewhere))]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]
    for item in items:
        if not item.nodeid.startswith(NEVER_RERUN):
            item.add_marker(pytest.mark.flaky(reruns=1))
    items.sort(
        key=lambda item: (not item.nodeid.startswith(TOGETHER), not item.nodeid.startswith(LONG))
    )


class _ByFileOrFolder(LoadFileScheduling):
    """A scheduler that runs tests sharing a site, a browser or a cluster in one process.

    Not by `xdist_group`, which does nothing from pytest 9.2 on (pytest-xdist's issue 1386).
    """

    def _split_scope(self, nodeid: str) -> str:
        folder = next((folder for folder in TOGETHER if nodeid.startswith(folder)), None)
        return folder or super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of processes for `-n auto`: twice as many as there are cores.

    Many of them wait at any time: for a site that starts, for a clock, for a browser.
    """
    if chosen := os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS"):
        return int(chosen)
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return 2 * cores


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    return _ByFileOrFolder(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.fixture(scope="session", autouse=True)
def _a_test_database_can_be_emptied() -> Iterator[None]:
    """Lift the audit's seal where Django empties all tables, as after a test with threads."""
    # Not from its own module, `operations`: it and `base` import each other, which works only if
    # `base` comes first, and on PostgreSQL neither is loaded yet.
    from django.db.backends.sqlite3.base import DatabaseOperations

    from accounts.moderation.audit_protection import unsealed

    execute = DatabaseOperations.execute_sql_flush

    def emptied(self: DatabaseOperations, sql_list: list[str]) -> None:
        with transaction.atomic(using=self.connection.alias), unsealed(self.connection):
            execute(self, sql_list)

    DatabaseOperations.execute_sql_flush = emptied
    yield
    DatabaseOperations.execute_sql_flush = execute


@pytest.fixture(scope="session")
def write_lock() -> Iterator[Watch]:
    with watch() as seen:
        yield seen


@pytest.fixture(autouse=True)
def _nothing_slow_is_done_under_the_write_lock(write_lock: Watch) -> Iterator[None]:
    """In every test, no transaction of the site waits for a hash, a page or a mail."""
    write_lock.offences.clear()
    yield
    assert write_lock.offences == []


@pytest.fixture(autouse=True)
def _no_cached_games() -> Iterator[None]:
    """Clear what the process knows of games, because tests reuse primary keys."""
    _forget_games()
    yield
    _forget_games()


def _forget_games() -> None:
    # At the top these imports would come before the apps are loaded.
    from games import panels
    from games.state import positions

    positions.forget_all()
    panels.forget_all()


@pytest.fixture
def closed_lines() -> Iterator[None]:
    """Close the PostgreSQL connections that Channels' communicators leave open."""
    yield
    # At the top this import would come before the apps are loaded.
    from games.live import subscriptions

    for pool in (subscriptions._RENDERERS, subscriptions._DOORKEEPERS):
        threads = len(pool._threads)
        if threads:
            # Each thread has its own connection. The barrier makes every thread run `close` once.
            everybody = Barrier(threads)

            def close(_: int, everybody: Barrier = everybody) -> None:
                everybody.wait(5)
                connection.close()

            list(pool.map(close, range(threads)))


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    """Reset the language: a page in another language leaves it active in the test's thread."""
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def _browsers_of_coroutines_sign_in_at_once(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if inspect.iscoroutinefunction(getattr(request, "function", None)):
        from tests.builders.person import Person

        monkeypatch.setattr(Person, "signs_in_at_once", True)


def _took_too_long(config: pytest.Config) -> bool:
    is_whole_run = not hasattr(config, "workerinput") and not os.environ.get(NIGHTLY)
    return is_whole_run and time.monotonic() - BEGAN > LONGEST_RUN


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    is_incomplete = IN_CI and _skipped(session.config)
    if exitstatus == pytest.ExitCode.OK and (is_incomplete or _took_too_long(session.config)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _took_too_long(terminalreporter.config):
        terminalreporter.section("TOO LONG: this run has FAILED", sep="!", red=True, bold=True)
        terminalreporter.write_line(
            f"The run took more than {LONGEST_RUN // 60} minutes. Make its slowest tests faster, "
            "or mark them `nightly`.",
            red=True,
        )
    skipped = _skipped(terminalreporter.config)
    if not skipped:
        return
    what = "CI leaves nothing out: this run has FAILED" if IN_CI else "NOT TESTED HERE"
    terminalreporter.section(what, sep="!", red=True, bold=True)
    for reason, count in skipped.most_common():
        terminalreporter.write_line(f"{count} left out: {reason}", red=True)


def _skipped(config: pytest.Config) -> Counter[str]:
    """Return how many tests (or whole files) were skipped, by reason."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.stats.get("skipped", []) if reporter else []
    return Counter(
        str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
        for report in reports
    )
