"""A circuit breaker for calls of a server: while it is away, callers continue at once.

It replaces a library because pybreaker holds its lock during the call, so that a single call
without an answer would block every thread.
"""

import logging
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any, Final, TypeVar

import redis
from kombu.exceptions import OperationalError
from redis.backoff import NoBackoff
from redis.retry import Retry

# Seconds to wait for Redis. A healthy Redis answers in a thousandth of this, and a move may take
# 0.2 s while it is away.
_LONGEST_WAIT: Final = 0.15

# Options for every Redis client behind a fuse: no retries and short time-outs.
IMPATIENT: Final[dict[str, Any]] = {
    "socket_connect_timeout": _LONGEST_WAIT,
    "socket_timeout": _LONGEST_WAIT,
    "retry": Retry(NoBackoff(), 0),
}

T = TypeVar("T")
logger = logging.getLogger(__name__)


class Fuse:
    """Calls a server. After a failure it makes no call for a while, then lets one caller try."""

    def __init__(
        self,
        name: str = "Redis",
        errors: type[Exception] | tuple[type[Exception], ...] = (
            redis.RedisError,
            OperationalError,
            OSError,
        ),
        *,
        rest: float = 10.0,
        meanwhile: str = "this process goes on without it",
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """`rest` is that while, in seconds; `meanwhile` tells the log what callers do then."""
        self._name = name
        self._errors = errors
        self._rest = rest
        self._meanwhile = meanwhile
        self._clock = clock
        self._lock = Lock()
        self._tries_again_at: float | None = None

    def call(self, ask: Callable[[], T], otherwise: Callable[[], T]) -> T:
        """Return the result of `ask`, or that of `otherwise` if the server is unavailable."""
        if self._is_resting():
            return otherwise()
        try:
            answer = ask()
        except self._errors as error:
            with self._lock:
                is_news = self._tries_again_at is None
                self._tries_again_at = self._clock() + self._rest
            if is_news:
                # Not the URL: it may hold a password. As text, which no filter takes for a repeat.
                logger.warning(
                    "%s does not answer (%s): %s", self._name, str(error), self._meanwhile
                )
            return otherwise()
        if self._tries_again_at is not None:
            with self._lock:
                self._tries_again_at = None
            logger.warning("%s answers again", self._name)
        return answer

    def _is_resting(self) -> bool:
        if self._tries_again_at is None:
            return False
        with self._lock:
            if self._tries_again_at is None:
                return False
            if self._clock() < self._tries_again_at:
                return True
            # This caller tries; meanwhile all others still use `otherwise`.
            self._tries_again_at = self._clock() + self._rest
            return False


# One per process: after one caller's failure, all other callers skip Redis too.
FUSE: Final = Fuse()
