"""Limits count over all processes through Redis, and go on at once when Redis is gone."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest
import redis
from django.conf import settings as django_settings
from django.test import Client

from accounts.models import User
from accounts.throttling import limits
from accounts.throttling.limits import Limit, hit, hit_everywhere, hit_here
from config.launcher.valkey import find_valkey
from games.live.socket_limits import Budget, OpenSockets
from tests.builders.person import Person
from tests.builders.requests import acts
from tests.builders.tables import person

PASSWORD = "a long way to Tipperary"


# Without Redis ------------------------------------------------------------------------------------


@pytest.fixture
def attempts(monkeypatch) -> list[object]:
    """Return a list that records each attempt to connect to Redis."""
    attempts: list[object] = []
    connect = redis.connection.AbstractConnection.connect

    def counted(self):
        attempts.append(self)
        return connect(self)

    monkeypatch.setattr(redis.connection.AbstractConnection, "connect", counted)
    return attempts


@pytest.fixture
def dead(settings, attempts) -> Iterator[list[object]]:
    """Set REDIS_URL to a port that refuses connections."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        _use(settings, f"redis://127.0.0.1:{taken.getsockname()[1]}/0")
        yield attempts


def _use(settings, url: str) -> None:
    settings.REDIS_URL = settings.CACHE_URL = url
    options = {"socket_connect_timeout": 0.5, "socket_timeout": 0.5, "retry": None}
    settings.CACHES = {
        "default": {
            "BACKEND": "config.cache.redis_cache.LastingRedisCache",
            "LOCATION": url,
            "OPTIONS": options,
        }
    }


def test_without_redis_a_limit_holds_in_the_process_and_one_request_has_tried(
    table, other, limited, dead
):
    limited(actions="3/minute")
    flora = Person(person("Flora"), table)

    answers = [acts(flora).status_code for _ in range(6)]

    assert answers == [422, 422, 422, 429, 429, 429]
    assert other.goes_on()
    assert len(dead) == 1


def test_after_a_rest_one_request_tries_again(limited, dead, clock):
    limited(actions="1000/minute")
    for moment, tried in ((0, 1), (5, 1), (9.9, 1), (10.1, 2), (19, 2), (21, 3)):
        clock.now = 1000 + moment
        for _ in range(5):
            assert hit(Limit.ACTIONS, "user:1") is None
        assert len(dead) == tried


def test_without_redis_people_sign_in_and_guessers_wait(db, dead):
    User.objects.create_user("Ada", password=PASSWORD)

    def sign_in(password: str, address: str = "203.0.113.7"):
        return (
            Client(REMOTE_ADDR=address)
            .post("/account/sign-in/", {"login": "Ada", "password": password})
            .status_code
        )

    assert [sign_in("wrong") for _ in range(7)] == [200] * 5 + [429] * 2
    assert sign_in(PASSWORD, "198.51.100.4") == 302
    # The one attempt is the cache's; signed-out visitors' posts have no limit here.
    assert len(dead) == 1


def test_a_redis_that_takes_the_question_and_never_answers_is_asked_once(
    settings, limited, attempts
):
    limited(actions="3/minute")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        _use(settings, f"redis://127.0.0.1:{silent.getsockname()[1]}/0")

        waits = [hit(Limit.ACTIONS, "user:1") for _ in range(5)]

    assert waits == [None, None, None, 60, 60]
    assert len(attempts) == 1


def test_a_limit_waits_for_redis_less_than_a_move_may_take_and_tries_once(settings):
    _use(settings, "redis://127.0.0.1:1/0")

    client = limits._shared(settings.REDIS_URL).storage.get_connection()

    options = client.connection_pool.connection_kwargs
    assert options["socket_timeout"] == options["socket_connect_timeout"] == 0.15
    assert options["retry"].get_retries() == 0


# With Redis ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def valkey(tmp_path_factory) -> Iterator[str]:
    """Start a Valkey server for this module."""
    # Not in pytest's folder: the path of a Unix socket must be short.
    path = Path("/tmp") / f"limits-{os.getpid()}.sock"
    server = subprocess.Popen(
        [str(find_valkey()), "--port", "0", "--unixsocket", str(path), "--save", ""],
        cwd=tmp_path_factory.mktemp("valkey"),
        stdout=subprocess.DEVNULL,
    )
    url = f"unix://{path}"
    try:
        with redis.Redis.from_url(url) as client:
            for _ in range(200):
                try:
                    client.ping()
                    break
                except redis.ConnectionError:
                    sleep(0.05)
        yield url
    finally:
        server.terminate()
        server.wait()
        path.unlink(missing_ok=True)


@pytest.fixture
def shared(valkey, settings) -> Iterator[redis.Redis]:
    _use(settings, valkey)
    with redis.Redis.from_url(valkey) as client:
        client.flushall()
        client.config_resetstat()
        yield client


def questions(client: redis.Redis) -> int:
    """Return how many scripts Redis has run since the start.

    The first call of each script fails, because the server does not know the script yet; it is not
    counted.
    """
    stats = client.info("commandstats")
    asked = stats.get("cmdstat_evalsha", {"calls": 0, "failed_calls": 0})
    return asked["calls"] - asked["failed_calls"]


def test_a_post_asks_redis_once_and_a_page_not_at_all(table, limited, shared):
    limited(actions="100/minute", pages="100/minute")
    flora = Person(person("Flora"), table)

    for number in range(1, 6):
        flora.page()
        assert acts(flora).status_code == 422
        assert questions(shared) == number


def test_who_was_refused_and_does_not_wait_is_refused_without_asking(limited, shared):
    limited(actions="2/minute")
    for _ in range(3):
        wait = hit(Limit.ACTIONS, "user:1")
    asked = questions(shared)

    assert [hit(Limit.ACTIONS, "user:1") for _ in range(50)] == [wait] * 50
    assert 59 <= wait <= 60
    assert questions(shared) == asked


_ANOTHER_PROCESS = """
import django
django.setup()
from accounts.throttling.limits import Limit, hit, hit_everywhere, hit_here
print([hit(Limit.ACTIONS, "user:1") is None for _ in range(3)])
"""


def test_processes_count_together(limited, shared, valkey):
    limited(actions="4/minute")
    assert [hit(Limit.ACTIONS, "user:1") for _ in range(2)] == [None, None]

    other = subprocess.run(
        [sys.executable, "-c", _ANOTHER_PROCESS],
        env=os.environ
        | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "CACHE_URL": valkey,
            "LIMITS": "on",
            "LIMIT_ACTIONS": "4/minute",
        },
        cwd=django_settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
    )

    assert other.stdout.strip() == "[True, True, False]"
    assert hit(Limit.ACTIONS, "user:1") is not None
    assert hit(Limit.ACTIONS, "user:2") is None


def test_connections_and_frames_of_an_address_are_counted_by_all_processes(limited, shared):
    limited(connects="3/minute", frames="3/minute")

    def connects_and_asks() -> bool:
        """Act in a process that knows of no other connection and of no other frame."""
        limits._memory.forget_all()
        place = OpenSockets().enter("203.0.113.7")
        budget = Budget("203.0.113.7", 1)
        assert place is not None
        assert budget.take_frame()
        connects, asks = place.may_connect(), budget.take_frame_everywhere()
        assert connects == asks
        return connects

    assert [connects_and_asks() for _ in range(5)] == [True] * 3 + [False] * 2


def test_a_process_remembers_what_redis_refused_and_does_not_ask_again(limited, shared):
    limited(connects="2/minute")
    limits._memory.forget_all()
    for _ in range(2):
        assert hit_everywhere(Limit.CONNECTS, "address:a") is None
    assert hit_everywhere(Limit.CONNECTS, "address:a") is not None
    asked = questions(shared)

    assert hit_here(Limit.CONNECTS, "address:a") is not None
    assert hit_everywhere(Limit.CONNECTS, "address:a") is not None
    assert questions(shared) == asked


def test_a_message_of_a_socket_does_not_ask_redis(limited, shared):
    limited(messages="9/minute")

    assert Budget("203.0.113.7", 1).take_message()

    assert questions(shared) == 0


def test_without_redis_a_socket_is_counted_by_its_process_alone(limited, dead):
    limited(connects="2/minute")

    assert [hit_everywhere(Limit.CONNECTS, "address:a") for _ in range(5)] == [None] * 5

    assert len(dead) == 1


def test_tries_are_counted_in_redis_and_so_by_all_processes(db, shared):
    User.objects.create_user("Ada", password=PASSWORD)
    for _ in range(6):
        answer = Client().post("/account/sign-in/", {"login": "Ada", "password": "wrong"})

    assert answer.status_code == 429
    assert any(b"login_failed" in key for key in shared.scan_iter())
    assert not any(b"Ada" in key or b"ada:" in key for key in shared.scan_iter())


def test_a_redis_that_comes_back_is_used_again(settings, limited, shared, valkey, clock):
    limited(actions="2/minute")
    _use(settings, "redis://127.0.0.1:1/0")
    assert [hit(Limit.ACTIONS, "user:1") for _ in range(3)] == [None, None, 60]

    _use(settings, valkey)
    assert hit(Limit.ACTIONS, "user:2") is None
    assert questions(shared) == 0
    clock.now += 11
    assert hit(Limit.ACTIONS, "user:2") is None
    assert questions(shared) == 1
