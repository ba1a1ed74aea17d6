"""A shared Redis cache that falls back to process memory while Redis is away.

It holds counts of attempts, so that limits hold over all processes. While Redis does not answer,
each process counts for itself: with P processes, limits are P times as wide, and users see no
error.
"""

import logging
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

# Seconds without calls after the server did not answer: each call that waits for a time-out delays
# a user's request.
PAUSE = 5.0
# The number of keys that a process counts by itself; above it Django drops some at random.
_MOST_MEANWHILE = 50_000

logger = logging.getLogger(__name__)


class LastingRedisCache(RedisCache):
    """Django's Redis cache, with a fallback to the process's own memory."""

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

    def clear(self) -> bool:
        """Delete this cache's own keys.

        Django's implementation would delete everything on the server, including Celery's queues.
        """
        self._meanwhile.clear()
        client = self._cache.get_client(None, write=True)
        mine = self.make_key("*", version="*")
        for key in client.scan_iter(match=mine, count=500):
            client.delete(key)
        return True


def _lasting(name: str) -> Callable[..., Any]:
    def method(self: LastingRedisCache, *args: Any, **kwargs: Any) -> Any:
        if _silence.is_over():
            try:
                return getattr(RedisCache, name)(self, *args, **kwargs)
            except (RedisError, OSError) as error:
                _silence.begin(error)
        return getattr(self._meanwhile, name)(*args, **kwargs)

    method.__name__ = name
    return method


class _Silence:
    """The pause after the server did not answer.

    There is one per process, because each thread has its own cache object.
    """

    def __init__(self) -> None:
        self._until = 0.0
        self._lock = Lock()

    def is_over(self) -> bool:
        return monotonic() >= self._until

    def begin(self, error: Exception) -> None:
        with self._lock:
            if not self.is_over():
                return
            self._until = monotonic() + PAUSE
        logger.warning("the cache's server does not answer: %s", type(error).__name__)

    def end(self) -> None:
        self._until = 0.0


_silence = _Silence()
_clients: dict[tuple[str, ...], RedisCacheClient] = {}

for _name in (
    *("add", "get", "set", "touch", "delete", "has_key", "incr"),
    *("get_many", "set_many", "delete_many"),
):
    setattr(LastingRedisCache, _name, _lasting(_name))
