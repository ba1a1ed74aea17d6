"""The cache of many processes, which outlives its server.

What is in it are counts of tries, so that limits hold over processes. While Redis does not
answer, each process counts for itself: limits are then as many times wider as there are
processes, and nobody sees an error.
"""

import logging
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

# Seconds in which a server that did not answer is not asked again: each question that waits
# for a time-out holds up somebody's request.
PAUSE = 5.0

logger = logging.getLogger(__name__)


class LastingRedisCache(RedisCache):
    """Django's Redis cache; where the server is gone, a memory of the process's own."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._meanwhile = LocMemCache(f"meanwhile:{server}", params | {"OPTIONS": {}})

    @property
    def _cache(self) -> RedisCacheClient:
        # Django makes a cache for each request, and each would bring connections of its own.
        key = tuple(self._servers)
        if key not in _clients:
            _clients.setdefault(key, RedisCacheClient(self._servers, **self._options))
        return _clients[key]

    def clear(self) -> bool:
        """Forgets this cache's own keys. Django's would empty the whole server, Celery's
        queue and all."""
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
    """When the server was last found gone; one for the process, whose threads have a cache each."""

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
