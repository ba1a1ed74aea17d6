"""Rate limits: `hit` counts an event and returns how long to wait.

What must hold over all processes is counted in Redis, by the library `limits`: its moving window
is one script and one round trip (0.12 ms), where django-ratelimit, which had its last release
in 2023, knows fixed windows only and answers 500 where Redis is gone. While Redis is gone
each process counts for itself. Limits that protect only one process (pages, messages) are counted
in its memory from the start, but not with the library's own memory storage: that starts a thread
for every hit and never forgets a key.

Connections and the frames that sockets ask for are counted twice: first in this process's memory,
on its event loop, where a refusal costs microseconds; then, if let through, for all processes.

If several processes count for themselves, they allow the limit as many times as there are
processes.
"""

import logging
from array import array
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from math import ceil
from threading import Lock
from time import monotonic, time
from typing import Final

from cachetools import LRUCache
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext
from limits import RateLimitItem, parse
from limits.storage import RedisStorage
from limits.strategies import MovingWindowRateLimiter

from config.cache.circuit_breaker import FUSE, IMPATIENT
from config.http.client_key import address_of

_MOST_KEYS: Final = 50_000

# The parts of a second in which computing time is counted.
_PARTS: Final = 100

logger = logging.getLogger(__name__)


class Limit(StrEnum):
    """What is counted. settings.LIMITS says what each is, and holds its rate."""

    PAGES = "pages"
    API = "api"
    ACTIONS = "actions"
    SAYINGS = "sayings"
    CREATIONS = "creations"
    INVITATIONS = "invitations"
    CONNECTS = "connects"
    MESSAGES = "messages"
    FRAMES = "frames"
    NOTICES = "notices"
    COMPUTING = "computing"


_OF_ALL_PROCESSES: Final = {
    *(Limit.ACTIONS, Limit.SAYINGS, Limit.CREATIONS, Limit.INVITATIONS, Limit.NOTICES)
}


def hit(what: Limit, who: str) -> int | None:
    """Count `what` for `who`. Return the seconds to wait if it is over the limit, else None.

    A refused hit does not count, so that waiting helps. An allowed hit takes at most one request to
    Redis; a client that was refused and has not waited takes none.
    """
    if what not in _OF_ALL_PROCESSES or not settings.CACHE_URL:
        return hit_here(what, who)
    return _hit(
        what,
        who,
        lambda key, rate: FUSE.call(lambda: _shared_hit(key, rate), lambda: _memory.hit(key, rate)),
    )


def hit_here(what: Limit, who: str, times: int = 1) -> int | None:
    """Count like `hit`, in the memory of this process only. An event loop may call it.

    `times` as much is allowed.
    """
    return _hit(what, who, _memory.hit, times)


def hit_everywhere(what: Limit, who: str, times: int = 1) -> int | None:
    """Count for all processes what `hit_here` has let through. Returns None without Redis.

    Waits for the network, so an event loop must not call it.
    """
    if not settings.CACHE_URL:
        return None
    return _hit(
        what, who, lambda key, rate: FUSE.call(lambda: _shared_hit(key, rate), lambda: None), times
    )


def compute_wait(who: str) -> int | None:
    """Return the seconds to wait if the budget of computing time is used up, else None."""
    return _compute(who, 0)


def note_computing(who: str, seconds: float) -> None:
    """Charge so much computing time."""
    _compute(who, round(seconds * _PARTS))


def _compute(who: str, parts: int) -> int | None:
    return _hit(Limit.COMPUTING, who, lambda key, rate: _memory.hit(key, rate, parts), times=_PARTS)


def is_closed(what: Limit, who: str) -> bool:
    """Return whether the last hit was refused and its wait is not over. Counts nothing."""
    return _memory.closed_for(f"{what}:{who}") is not None


def _hit(
    what: Limit,
    who: str,
    count: Callable[[str, RateLimitItem], float | None],
    times: int = 1,
) -> int | None:
    rate = _parsed(settings.LIMITS[what], times)
    if rate is None:
        return None
    key = f"{what}:{who}"
    wait = _memory.closed_for(key)
    if wait is None:
        wait = count(key, rate)
        if wait is None:
            return None
        _memory.close(key, wait)
        # Log once per wait, because a flood must not fill the log too. Log no addresses.
        logger.warning("too much: %s of %s", what, who if who.startswith("user:") else "an address")
    return max(1, ceil(wait))


@lru_cache(maxsize=64)
def _parsed(rate: str, times: int) -> RateLimitItem | None:
    """Return the rate times `times`, or None if it is "off"."""
    if rate == "off":
        return None
    item = parse(rate)
    return type(item)(item.amount * times, item.multiples)


def who_is(request: HttpRequest) -> str:
    """Return the account as a key to count by, or the address before sign-in.

    Anonymous clients are not counted by session, because new sessions cost them nothing.
    """
    if request.user.is_authenticated:
        return f"user:{request.user.pk}"
    return f"address:{address_of(request)}"


def when_to_try_again(seconds: int) -> str:
    """Return a sentence in the active language that says how long to wait."""
    if seconds <= 90:
        return ngettext(
            "Try again in %(count)d second.", "Try again in %(count)d seconds.", seconds
        ) % {"count": seconds}
    minutes = ceil(seconds / 60)
    return ngettext(
        "Try again in %(count)d minute.", "Try again in %(count)d minutes.", minutes
    ) % {"count": minutes}


def too_many_requests_sentence(seconds: int) -> str:
    """Return the text of a refusal at a table: the reason, and how long to wait."""
    why = gettext("You’re doing that too often.")
    return f"{why} {when_to_try_again(seconds)}"


class MemoryWindow:
    """Moving windows in this process's memory, one per key."""

    def __init__(self, most_keys: int = _MOST_KEYS, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._most_keys = most_keys
        self._lock = Lock()
        # By key: when the window will be empty, and the times of its hits, oldest first.
        self._windows: OrderedDict[str, tuple[float, array[float]]] = OrderedDict()
        self._closed_until: LRUCache[str, float] = LRUCache(most_keys)

    def hit(self, key: str, rate: RateLimitItem, count: int = 1) -> float | None:
        """Count so many hits. Return the seconds to wait if the window is full, else None.

        The last ones that are counted may exceed the window.
        """
        now, expiry = self._clock(), rate.get_expiry()
        with self._lock:
            self._forget(now)
            _, moments = self._windows.get(key, (0.0, array("d")))
            del moments[: bisect_right(moments, now - expiry)]
            if len(moments) >= rate.amount:
                return moments[-rate.amount] + expiry - now
            moments.extend([now] * count)
            self._windows[key] = (now + expiry, moments)
            return None

    def close(self, key: str, seconds: float) -> None:
        """Remember a refusal for `seconds`. Until then the key's count need not be queried."""
        with self._lock:
            self._closed_until[key] = self._clock() + seconds

    def closed_for(self, key: str) -> float | None:
        """Return the seconds for which `key` is still closed, or None."""
        if key not in self._closed_until:
            return None
        with self._lock:
            left = self._closed_until.get(key, 0.0) - self._clock()
            if left > 0:
                return left
            self._closed_until.pop(key, None)
            return None

    def forget_all(self) -> None:
        with self._lock:
            self._windows.clear()
            self._closed_until.clear()

    def _forget(self, now: float) -> None:
        """Drop up to two windows, empty or beyond the most that are kept.

        This runs at each hit, so that a flood of addresses cannot fill the memory.
        """
        for _ in range(min(2, len(self._windows))):
            key, (empty_at, _) = next(iter(self._windows.items()))
            if empty_at <= now or len(self._windows) > self._most_keys:
                del self._windows[key]
            else:
                # Go round all windows, one step per hit, because they differ in length.
                self._windows.move_to_end(key)


_memory: Final = MemoryWindow()


def forget_all() -> None:
    """Clear this process's counts and its connections to Redis."""
    _memory.forget_all()
    _shared.cache_clear()


@lru_cache(maxsize=1)
def _shared(url: str) -> MovingWindowRateLimiter:
    return MovingWindowRateLimiter(RedisStorage(url, key_prefix="limits", **IMPATIENT))


def _shared_hit(key: str, rate: RateLimitItem) -> float | None:
    limiter = _shared(settings.CACHE_URL)
    if limiter.hit(rate, key):
        return None
    return max(1.0, limiter.get_window_stats(rate, key).reset_time - time())
