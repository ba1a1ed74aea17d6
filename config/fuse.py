"""Redis may be gone: whoever asks it something that can be done without goes on at once.

A fuse and not a library's circuit breaker: pybreaker holds its lock while it calls, so that
one answer that does not come would stop every thread.
"""

import logging
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any, Final, TypeVar

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

# Seconds. A Redis that is well answers in a thousandth of this.
_LONGEST_WAIT: Final = 0.25
_REST: Final = 10.0

# For every client that stands behind a fuse: never a second try, and never a long one.
IMPATIENT: Final[dict[str, Any]] = {
    "socket_connect_timeout": _LONGEST_WAIT,
    "socket_timeout": _LONGEST_WAIT,
    "retry": Retry(NoBackoff(), 0),
}

T = TypeVar("T")
logger = logging.getLogger(__name__)


class Fuse:
    """Asks Redis; after a failure nobody does for ten seconds, and then one caller tries."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._tries_again_at: float | None = None

    def call(self, ask: Callable[[], T], otherwise: Callable[[], T]) -> T:
        """What `ask` answers, or where Redis is gone, what `otherwise` does."""
        if self._is_resting():
            return otherwise()
        try:
            answer = ask()
        except (redis.RedisError, OSError) as error:
            with self._lock:
                is_news = self._tries_again_at is None
                self._tries_again_at = self._clock() + _REST
            if is_news:
                # Not the URL: it may hold a password.
                logger.warning("Redis does not answer (%s): counting in this process", error)
            return otherwise()
        if self._tries_again_at is not None:
            with self._lock:
                self._tries_again_at = None
            logger.warning("Redis answers again")
        return answer

    def _is_resting(self) -> bool:
        if self._tries_again_at is None:
            return False
        with self._lock:
            if self._tries_again_at is None:
                return False
            if self._clock() < self._tries_again_at:
                return True
            # This caller tries; the others go on resting meanwhile.
            self._tries_again_at = self._clock() + _REST
            return False


# One for all that a process asks of Redis by it: what one has learnt, the others need not.
FUSE: Final = Fuse()
