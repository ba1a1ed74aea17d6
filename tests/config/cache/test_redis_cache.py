"""The cache's counters are shared by all processes, and survive the loss of the Redis server."""

from collections.abc import Iterator

import pytest
import redis
from django.test import override_settings

from config.cache import redis_cache as config_cache
from config.cache.address import other_database
from config.cache.redis_cache import cache_fault
from config.observability import health
from tests.builders.redis_server import Server, rested, running_server


@pytest.fixture
def server(tmp_path, monkeypatch) -> Iterator[Server]:
    with running_server(tmp_path, monkeypatch) as server:
        yield server


def test_what_one_process_counts_another_knows(server):
    server.cache().set("tries:ada", 3)
    server.cache().incr("tries:ada")

    assert server.cache().get("tries:ada") == 4


def test_without_its_server_it_counts_on_by_itself_and_no_one_sees_an_error(server):
    server.cache().set("tries:ada", 3)
    server.stop()

    cache = server.cache()
    assert cache.get("tries:ada", "unknown") == "unknown"
    assert cache.add("tries:bo", 1)
    assert not cache.add("tries:bo", 1)
    cache.set("tries:ada", 1)
    cache.incr("tries:ada")
    # The next request of this process continues the count.
    assert server.cache().get("tries:ada") == 2
    assert cache.get_many(["tries:ada", "tries:bo"]) == {"tries:ada": 2, "tries:bo": 1}
    assert cache.touch("tries:ada")
    assert "tries:ada" in cache
    cache.set_many({"a": 1})
    cache.delete_many(["a"])
    assert cache.delete("tries:ada")


def test_a_server_that_is_gone_is_not_asked_by_every_request(server, monkeypatch):
    asked = []

    def gone(*args, **kwargs):
        asked.append(1)
        raise redis.ConnectionError

    monkeypatch.setattr(config_cache.RedisCache, "get", gone)
    for _ in range(10):
        server.cache().get("tries:ada")

    assert len(asked) == 1


def test_when_its_server_is_back_it_counts_there_again(server, monkeypatch):
    server.stop()
    server.cache().set("tries:ada", 1)
    server.start()
    rested(monkeypatch)

    server.cache().set("tries:ada", 7)

    assert redis.Redis.from_url(server.url).get("chancellery:1:tries:ada") == b"7"


def test_to_forget_all_tries_leaves_the_tasks_that_wait_on_the_same_server(server):
    client = redis.Redis.from_url(server.url)
    client.lpush("celery", "a task")
    server.cache().set("tries:ada", 1)

    server.cache().clear()

    assert server.cache().get("tries:ada") is None
    assert client.llen("celery") == 1


def test_a_server_without_the_cache_s_database_is_told_from_one_that_is_away(tmp_path, monkeypatch):
    with running_server(tmp_path, monkeypatch, "--databases", "1") as server:
        second = other_database(server.url)
        assert cache_fault(second) == "DB index is out of range"
        assert cache_fault(server.url) == ""
        told = {}
        for url in (second, server.url):
            with override_settings(REDIS_URL=server.url, CACHE_URL=url):
                told[url] = health._checks()
    assert [told[url]["redis"] for url in told] == ["ok", "ok"]
    assert told[second]["cache"] == "ResponseError"
    assert told[server.url]["cache"] == "ok"
    assert cache_fault(second) == ""


def test_signing_in_works_while_the_server_is_gone(db, client, settings, server, caplog):
    settings.CACHES = {
        "default": {
            "BACKEND": "config.cache.redis_cache.LastingRedisCache",
            "LOCATION": server.url,
            "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5, "retry": None},
        }
    }
    server.stop()

    for _ in range(3):
        answer = client.post("/account/sign-in/", {"login": "Ada", "password": "wrong"})
        assert answer.status_code == 200

    (line,) = [each for each in caplog.records if each.name == "config.cache.circuit_breaker"]
    assert "Redis does not answer" in line.getMessage()
