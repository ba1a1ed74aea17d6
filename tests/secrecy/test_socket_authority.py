"""Sockets of users who are not, or no longer, the ones their cookie names.

tests/games/live/test_consumers.py tests where a socket may come from and which hints close it; here
no hint arrives at all, as when Redis is down.
"""

from collections.abc import Callable
from datetime import timedelta
from importlib import import_module

import pytest
from django.conf import settings as site
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.models import User
from games.live.hub import GONE, SIGNED_OUT
from games.models import Table
from games.services import announcements
from tests.builders.person import Person
from tests.builders.sockets import IN_TIME, Socket, does
from tests.builders.tables import NAMES, person, run_table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

# How often an open socket checks its user again in these tests; in production, every minute.
RECHECK_SECONDS = 0.05


@pytest.fixture
def private(transactional_db) -> Table:
    return run_table(is_private=True)


@pytest.fixture
def ada(private) -> Person:
    return Person(private.host, private)


def session_of(someone: Person) -> str:
    return someone.client.cookies[site.SESSION_COOKIE_NAME].value


# Changes to a user's account without a hint to their sockets --------------------------------------


def expires(someone: Person) -> None:
    Session.objects.filter(pk=session_of(someone)).update(
        expire_date=timezone.now() - timedelta(seconds=1)
    )


def is_flushed(someone: Person) -> None:
    Session.objects.filter(pk=session_of(someone)).delete()


def changes_the_password(someone: Person) -> None:
    user = User.objects.get(pk=someone.user.pk)
    user.set_password("somewhere else entirely")
    User.objects.filter(pk=user.pk).update(password=user.password)


def is_banned(someone: Person) -> None:
    User.objects.filter(pk=someone.user.pk).update(is_active=False)


def is_deleted(someone: Person) -> None:
    User.objects.filter(pk=someone.user.pk).delete()


def becomes_somebody_else(someone: Person) -> None:
    """Change the session's row to name another account."""
    other = Person(person("Gleb"), someone.table)
    store = import_module(site.SESSION_ENGINE).SessionStore
    mine, theirs = store(session_of(someone)), store(session_of(other))
    mine.update(dict(theirs.items()))
    mine.save()


ENDINGS: list[Callable[[Person], None]] = [
    expires,
    is_flushed,
    changes_the_password,
    is_banned,
    is_deleted,
    becomes_somebody_else,
]


@pytest.mark.parametrize("ends", ENDINGS, ids=lambda ends: ends.__name__)
async def test_an_old_cookie_opens_no_socket_of_a_private_table(ada, ends):
    await does(ends)(ada)

    assert not await Socket(ada).opens()


@pytest.mark.parametrize("ends", [expires, is_flushed], ids=lambda ends: ends.__name__)
async def test_an_old_cookie_at_a_public_table_is_a_stranger_s(transactional_db, ends):
    table = await does(run_table)(NAMES[:5])
    ada, nobody = await does(lambda: (Person(table.host, table), Person(None, table)))()
    await does(ends)(ada)
    shown = []
    for viewer in (ada, nobody):
        socket = Socket(viewer)
        assert await socket.opens()
        await socket.send(have={})
        shown.append((await socket.answer())["html"])
        await socket.line.disconnect()

    assert shown[0] == shown[1]


@pytest.mark.parametrize("cookie", ["", "x" * 32, "../../x", "\0" * 32, "a" * 5000, "é" * 32])
async def test_a_made_up_cookie_opens_no_socket_of_a_private_table(ada, cookie):
    ada.client.cookies[site.SESSION_COOKIE_NAME] = cookie

    assert not await Socket(ada).opens()


@pytest.mark.parametrize("ends", ENDINGS, ids=lambda ends: ends.__name__)
async def test_an_open_socket_is_closed_though_no_hint_comes(ada, settings, monkeypatch, ends):
    settings.SOCKET_RECHECK_SECONDS = RECHECK_SECONDS
    socket = await Socket(ada).catches_up()
    monkeypatch.setattr(announcements, "_send", lambda group, message: None)

    await does(ends)(ada)

    message = await socket.line.receive_output(timeout=IN_TIME)
    assert message["type"] == "websocket.close"
    assert message["code"] in (GONE, SIGNED_OUT)


async def test_an_open_socket_that_is_asked_about_stays_open(ada, settings):
    settings.SOCKET_RECHECK_SECONDS = RECHECK_SECONDS
    socket = await Socket(ada).catches_up()

    assert await socket.line.receive_nothing(timeout=RECHECK_SECONDS * 4)
    await socket.send(have={})
    assert await socket.frame()
    await socket.line.disconnect()
