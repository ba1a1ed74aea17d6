"""A Valkey server of a test, which can be stopped and started."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from config.cache import redis_cache as config_cache
from config.cache.circuit_breaker import FUSE
from config.cache.redis_cache import LastingRedisCache
from config.launcher.valkey import find_valkey


class Server:
    def __init__(self, folder: Path, *options: str) -> None:
        self.options = options
        self.path = folder / "v.sock"
        self.url = f"unix://{self.path}"

    def start(self) -> None:
        self.process = subprocess.Popen(
            [
                *(str(find_valkey()), "--port", "0", "--unixsocket", str(self.path)),
                *("--save", "", "--appendonly", "no", "--dir", str(self.path.parent)),
                *self.options,
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


def rested(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next call try Redis."""
    monkeypatch.setattr(FUSE, "_tries_again_at", None)


@contextmanager
def running_server(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str
) -> Iterator[Server]:
    """Run a server, and forget before that another one was out of reach."""
    monkeypatch.setattr(config_cache, "_clients", {})
    rested(monkeypatch)
    server = Server(folder, *options)
    server.start()
    yield server
    server.stop()
