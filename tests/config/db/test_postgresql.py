"""While PostgreSQL is away, pages say so at once and come again."""

import runpy
import socket
from collections.abc import Iterator

import pytest
from django.db import connections
from django.test import Client

from config.db.postgresql.base import DatabaseWrapper
from tests.config.processes import ROOT

PAGE = {"Accept": "text/html"}


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch, django_db_blocker) -> Iterator[DatabaseWrapper]:
    """Let this thread's connection be one to a port that refuses."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"postgres://ada:secret@127.0.0.1:{nobody.getsockname()[1]}/site"
        monkeypatch.setenv("DATABASE_URL", url)
        given = runpy.run_path(str(ROOT / "config" / "settings.py"))["DATABASES"]["default"]
        before = connections["default"]
        wrapper = DatabaseWrapper({**before.settings_dict, **given})
        connections["default"] = wrapper
        try:
            with django_db_blocker.unblock():
                yield wrapper
        finally:
            connections["default"] = before
            wrapper.close_pool()


def test_a_page_says_that_the_database_is_away_and_comes_again(
    away: DatabaseWrapper, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client(raise_request_exception=False, headers=PAGE)
    client.cookies["sessionid"] = "a" * 32

    for path in ("/", "/not-found/", "/account/sign-in/"):
        page = client.get(path)
        assert page.status_code == 503, path
        assert b"This page tries again by itself" in page.content
        assert page.headers["Refresh"] and page.headers["Retry-After"]
    sent = client.post("/tables/new/", {"edition": "en"})
    assert sent.status_code == 503 and "Refresh" not in sent.headers
    assert b"your text is still there" in sent.content
    program = client.get("/api/v1/games/", headers={"Accept": "application/json"})
    assert program.status_code == program.json()["status"] == 503
    # The log says it once, not with a traceback for each request.
    said = [record.getMessage() for record in caplog.records if "answer" in record.getMessage()]
    assert len(said) <= 1
    assert not [record for record in caplog.records if record.exc_info]


def test_no_one_waits_for_the_server_longer_than_two_seconds(away: DatabaseWrapper) -> None:
    assert away.pool.timeout < 2
    # What the driver hands to libpq.
    assert away.pool.kwargs["connect_timeout"] == 2
    assert away.pool.kwargs["tcp_user_timeout"] == 2000
