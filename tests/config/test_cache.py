"""The cache's counters are shared by all processes, and survive the loss of the Redis server."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from config import cache as config_cache
from config.cache import LastingRedisCache
from config.play.valkey import find_valkey


class Server:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "v.sock"
        self.url = f"unix://{self.path}"

    def start(self) -> None:
        self.process = subprocess.Popen(
            [
                *(str(find_valkey()), "--port", "0", "--unixsocket", str(self.path)),
                *("--save", "", "--appendonly", "no", "--dir", str(self.path.parent)),
            ],
            stdout=subprocess.DEVNULL,
        )
        until = time.monotonic() + 20
        while time.monotonic() < until:
            try:
                redis.Redis.from_url(self.url).ping()
            except redis.RedisError:
                time.sleep(0.02)
            else:
                return
        raise RuntimeError("Valkey does not start")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()

    def cache(self) -> LastingRedisCache:
        """Return a new cache object, as another process or another request would have."""
        options = {"socket_connect_timeout": 0.5, "socket_timeout": 0.5, "retry": None}
        return LastingRedisCache(self.url, {"KEY_PREFIX": "chancellery", "OPTIONS": options})


@pytest.fixture
def server(tmp_path, monkeypatch) -> Iterator[Server]:
    monkeypatch.setattr(config_cache, "_clients", {})
    config_cache._silence.end()
    server = Server(tmp_path)
    server.start()
    yield server
    server.stop()
    config_cache._silence.end()


def test_what_one_process_counts_another_knows(server):
    server.cache().set("tries:ada", 3)
    server.cache().incr("tries:ada")

    assert server.cache().get("tries:ada") == 4


def test_without_its_server_it_counts_on_by_itself_and_nobody_sees_an_error(server):
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


def test_when_its_server_is_back_it_counts_there_again(server):
    server.stop()
    server.cache().set("tries:ada", 1)
    server.start()
    config_cache._silence.end()

    server.cache().set("tries:ada", 7)

    assert redis.Redis.from_url(server.url).get("chancellery:1:tries:ada") == b"7"


def test_to_forget_all_tries_leaves_the_tasks_that_wait_on_the_same_server(server):
    client = redis.Redis.from_url(server.url)
    client.lpush("celery", "a task")
    server.cache().set("tries:ada", 1)

    server.cache().clear()

    assert server.cache().get("tries:ada") is None
    assert client.llen("celery") == 1


def test_signing_in_works_while_the_server_is_gone(db, client, settings, server, caplog):
    settings.CACHES = {
        "default": {
            "BACKEND": "config.cache.LastingRedisCache",
            "LOCATION": server.url,
            "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5, "retry": None},
        }
    }
    server.stop()

    for _ in range(3):
        answer = client.post("/account/sign-in/", {"login": "Ada", "password": "wrong"})
        assert answer.status_code == 200

    (line,) = [each for each in caplog.records if each.name == "config.cache"]
    assert "ConnectionError" in line.getMessage()
