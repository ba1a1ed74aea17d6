"""A Valkey that is full forgets what expires, and stops neither a move nor a task that waits."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import redis
from django.core.cache import cache

from accounts.throttling.limits import Limit, hit
from config.cache import redis_cache as config_cache
from config.cache.address import other_database
from config.launcher import processes
from config.launcher.valkey import find_valkey

pytestmark = pytest.mark.django_db
MEGABYTE = 2**20


@pytest.fixture
def broker(tmp_path_factory, settings, monkeypatch, limited) -> Iterator[redis.Redis]:
    """Run Valkey as the site does, but with little memory; yield a client of the broker's."""
    path = Path(tmp_path_factory.mktemp("v")) / "v.sock"
    process = processes.valkey(find_valkey(), path)
    server = subprocess.Popen(process.command, stdout=subprocess.DEVNULL)
    monkeypatch.setattr(config_cache, "_clients", {})
    settings.REDIS_URL = f"unix://{path}"
    settings.CACHE_URL = other_database(settings.REDIS_URL)
    backend = "config.cache.redis_cache.LastingRedisCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": settings.CACHE_URL}}
    limited(actions="100/minute")
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        until = time.monotonic() + 20
        while time.monotonic() < until:
            try:
                client.ping()
                break
            except redis.ConnectionError:
                time.sleep(0.02)
        client.config_set("maxmemory", client.info("memory")["used_memory"] + 2 * MEGABYTE)
        yield client
    server.kill()
    server.wait()


def test_a_full_cache_forgets_its_own_and_the_game_goes_on(broker, other, settings, clock):
    broker.lpush("celery", *[b"a task"] * 100)

    for number in range(400):
        # Also what is kept for good.
        cache.set(f"junk:{number}", b"x" * 10_000, timeout=None if number % 2 else 7 * 24 * 3600)

    assert broker.info("stats")["evicted_keys"] > 100
    assert other.goes_on()
    assert hit(Limit.ACTIONS, "user:1") is None
    cache.set("news", 1)
    assert cache.get("news") == 1
    with redis.Redis.from_url(settings.CACHE_URL) as forgettable:
        # A busy machine may not answer in time: the next try comes after a rest.
        for _ in range(20):
            clock.now += 11
            hit(Limit.ACTIONS, "user:2")
            found = [key for key in forgettable.scan_iter() if key.startswith(b"limits")]
            if found:
                break
        assert found
        assert all(forgettable.ttl(key) > 0 for key in forgettable.scan_iter())
    assert broker.llen("celery") == 100
    assert [*broker.scan_iter()] == [b"celery"]


def test_a_server_full_of_tasks_takes_no_more_counts_and_the_game_goes_on(broker, other):
    with suppress(redis.OutOfMemoryError):
        for _ in range(10_000):
            broker.lpush("celery", b"x" * 10_000)
        pytest.fail("the server took everything")

    assert other.goes_on()
    cache.set("news", 1)
    assert cache.get("news") == 1
    # A hint to the other processes needs no room.
    assert broker.publish("hints", b"x") == 0
