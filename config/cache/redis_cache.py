"""A shared Redis cache that falls back to process memory while Redis is away.

It holds counts of attempts, so that limits hold over all processes. While Redis does not answer,
each process counts for itself: with P processes, limits are P times as wide, and users see no
error.
"""

from collections.abc import Callable
from typing import Any

import redis
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient

from config.cache.circuit_breaker import FUSE, IMPATIENT

# The number of keys that a process counts by itself; above it Django drops some at random.
_MOST_MEANWHILE = 50_000
# Seconds that a key stays at most.
_LONGEST = 30 * 24 * 3600


class LastingRedisCache(RedisCache):
    """Django's Redis cache, with a fallback to the process's own memory."""

    # Attributes of Django's class that its type stubs do not list.
    _servers: list[str]
    _options: dict[str, Any]

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        options = {"MAX_ENTRIES": _MOST_MEANWHILE}
        self._meanwhile = LocMemCache(f"meanwhile:{server}", params | {"OPTIONS": options})

    @property
    def _cache(self) -> RedisCacheClient:
        # Django creates a cache object for each thread or task, and each would open its own
        # connections.
        key = tuple(self._servers)
        if key not in _clients:
            _clients.setdefault(key, RedisCacheClient(self._servers, **self._options))
        return _clients[key]

    def get_backend_timeout(self, timeout: Any = DEFAULT_TIMEOUT) -> int:
        """Return the seconds for which a key stays. Every key expires.

        A full server forgets only keys that expire: the others are Celery's.
        """
        seconds = super().get_backend_timeout(timeout)
        return _LONGEST if seconds is None else min(int(seconds), _LONGEST)

    def clear(self) -> bool:  # type: ignore[override]  # Django's own returns a bool too
        """Delete this cache's own keys.

        Django's implementation would delete everything on the server, including Celery's queues.
        """
        self._meanwhile.clear()
        client = self._cache.get_client(None, write=True)
        mine = self.make_key("*", version="*")  # type: ignore[arg-type]  # matches every version
        for key in client.scan_iter(match=mine, count=500):
            client.delete(key)
        return True


def cache_fault(url: str) -> str:
    """Return why the server at `url` refuses that database, or "" if it does not.

    A server that is away is no fault: it may come back, and each process counts meanwhile.
    """
    try:
        with redis.Redis.from_url(url, **IMPATIENT) as client:
            client.ping()
    except redis.ResponseError as error:
        return str(error)
    except (redis.RedisError, OSError):
        pass
    return ""


def _lasting(name: str) -> Callable[..., Any]:
    def method(self: LastingRedisCache, *args: Any, **kwargs: Any) -> Any:
        return FUSE.call(
            lambda: getattr(RedisCache, name)(self, *args, **kwargs),
            lambda: getattr(self._meanwhile, name)(*args, **kwargs),
        )

    method.__name__ = name
    return method


_clients: dict[tuple[str, ...], RedisCacheClient] = {}

for _name in (
    *("add", "get", "set", "touch", "delete", "has_key", "incr"),
    *("get_many", "set_many", "delete_many"),
):
    setattr(LastingRedisCache, _name, _lasting(_name))
