"""Django's cache over Redis, for all processes; in this process's memory while Redis is gone.

It holds allauth's counts of tries, which need no more. Django's own raises where Redis does not
answer, and nobody could sign in.
"""

from collections.abc import Callable
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache

from config.fuse import FUSE, IMPATIENT


class FailoverCache(BaseCache):
    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._shared = RedisCache(server, {**params, "OPTIONS": IMPATIENT})
        self._own = LocMemCache("failover", params)

    def _ask(self, do: Callable[[BaseCache], Any]) -> Any:
        return FUSE.call(lambda: do(self._shared), lambda: do(self._own))

    def add(
        self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        return bool(self._ask(lambda cache: cache.add(key, value, timeout, version)))

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return self._ask(lambda cache: cache.get(key, default, version))

    def set(
        self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        self._ask(lambda cache: cache.set(key, value, timeout, version))

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return bool(self._ask(lambda cache: cache.touch(key, timeout, version)))

    def delete(self, key: str, version: int | None = None) -> bool:
        return bool(self._ask(lambda cache: cache.delete(key, version)))

    def clear(self) -> None:
        """Only this process's: the server is shared with the live layer and Celery."""
        self._own.clear()
