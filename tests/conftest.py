"""What every test stands on; and what was left out is said, or in CI refused."""

import inspect
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.utils import translation
from xdist.scheduler import LoadFileScheduling

from tests.postgres.cluster import memory

# One site and one browser serve a whole folder, which takes long: it begins first, or one core
# waits for the other at the end.
TOGETHER = ("tests/postgres/", "tests/browser/", "tests/hosting/")
IN_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}


def pytest_configure(config: pytest.Config) -> None:
    """Settings for tests, before anything has used one.

    Not a second settings module, which would drift from the first. The catalogs are compiled
    by then: `GamesConfig.ready` does it in every process.
    """
    config.addinivalue_line(
        "markers", "on_postgres: needs PostgreSQL; tests/postgres runs it there, others do not"
    )
    config.addinivalue_line("markers", "on_sqlite: needs SQLite; tests/postgres does not run it")
    # No Redis: a developer's own is not for tests to talk to.
    settings.REDIS_URL = ""
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    settings.CELERY_BROKER_URL = "memory://"
    # Tests are in a hurry, all from one address; those of the limits set their own. And so for
    # the servers that tests start.
    settings.LIMITS = dict.fromkeys(settings.LIMITS, "off")
    settings.HOSTED_TABLES = settings.SOCKETS_OF_A_USER = 0
    settings.SOCKETS_OF_AN_ADDRESS = settings.SOCKETS_OF_A_PROCESS = 0
    hands_out = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if not hasattr(config, "workerinput"):
        prepared = tempfile.TemporaryDirectory(prefix="prepared-", dir=memory())
        config.add_cleanup(prepared.cleanup)
        os.environ["TESTS_PREPARED"] = prepared.name
    if not hands_out:
        # Whoever only hands tests out would tell it to its workers before they read settings.
        os.environ["LIMITS"] = "off"
    # What one test has set must not hold in the next; and a page asks as often in any second.
    settings.SWITCHES_BELIEVED = 0.0
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = _database_file(config)
    # A good hasher is slow, and tests sign up hundreds of people.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # Static files as they stand in the source, with no `collectstatic` before.
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.WHITENOISE_AUTOREFRESH = True
    settings.WHITENOISE_USE_FINDERS = True


def _database_file(config: pytest.Config) -> str:
    """SQLite as a site has it. In memory, where Django has it for tests, threads share a cache,
    and a reader in one fails a writer in another at once."""
    folder = tempfile.TemporaryDirectory(prefix="tests-", dir=memory())
    config.add_cleanup(folder.cleanup)
    return f"{folder.name}/db.sqlite3"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the other database's own ways to it, and begins with what takes long.

    A test of one database's own ways is not *skipped* on the other: its place is there.
    """
    on_sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    elsewhere = "on_postgres" if on_sqlite else "on_sqlite"
    left = [item for item in items if item.get_closest_marker(elsewhere)]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]
    items.sort(key=lambda item: not item.nodeid.startswith(TOGETHER))


class _ByFileOrFolder(LoadFileScheduling):
    """Tests that share a site, a browser or a cluster run in one process.

    Not by `xdist_group`, which does nothing from pytest 9.2 on (pytest-xdist's issue 1386).
    """

    def _split_scope(self, nodeid: str) -> str:
        folder = next((folder for folder in TOGETHER if nodeid.startswith(folder)), None)
        return folder or super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    return _ByFileOrFolder(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.fixture(scope="session", autouse=True)
def _a_test_database_can_be_emptied() -> Iterator[None]:
    """The audit lets nobody delete, and after a test with threads all tables are emptied."""
    # Not from its own module: on PostgreSQL nobody has loaded the two in their order.
    from django.db.backends.sqlite3.base import DatabaseOperations

    from accounts.seal import unsealed

    execute = DatabaseOperations.execute_sql_flush

    def emptied(self: DatabaseOperations, sql_list: list[str]) -> None:
        with transaction.atomic(using=self.connection.alias), unsealed(self.connection):
            execute(self, sql_list)

    DatabaseOperations.execute_sql_flush = emptied
    yield
    DatabaseOperations.execute_sql_flush = execute


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    """A page in another language leaves that language behind in the test's thread."""
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def _browsers_of_coroutines_sign_in_at_once(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if inspect.iscoroutinefunction(getattr(request, "function", None)):
        from tests.games.person import Person

        monkeypatch.setattr(Person, "signs_in_at_once", True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if IN_CI and exitstatus == pytest.ExitCode.OK and _skipped(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = _skipped(terminalreporter.config)
    if not skipped:
        return
    what = "CI leaves nothing out: this run has FAILED" if IN_CI else "NOT TESTED HERE"
    terminalreporter.section(what, sep="!", red=True, bold=True)
    for reason, count in skipped.most_common():
        terminalreporter.write_line(f"{count} left out: {reason}", red=True)


def _skipped(config: pytest.Config) -> Counter[str]:
    """How many tests (or whole files) were skipped, by reason."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.stats.get("skipped", []) if reporter else []
    return Counter(
        str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
        for report in reports
    )
