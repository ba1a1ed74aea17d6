"""How often somebody may do something: `hit` counts it, and says how long to wait.

What must hold over all processes is counted in Redis, by the library `limits`: its moving window
is one script and one round trip (0.12 ms), where django-ratelimit, which had its last release
in 2023, knows fixed windows only and answers 500 where Redis is gone. While Redis is gone
each process counts for itself. What only keeps one process well (pages, messages, connects)
is counted in its memory from the start. Not by the library's own memory: that starts a thread
for every hit and never forgets a key.

Several processes that count for themselves let through as many times the limit.
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

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext
from limits import RateLimitItem, parse
from limits.storage import RedisStorage
from limits.strategies import MovingWindowRateLimiter

from accounts.address import address_of
from config.fuse import FUSE, IMPATIENT

_MOST_KEYS: Final = 50_000

logger = logging.getLogger(__name__)


class Limit(StrEnum):
    """What is counted; settings.LIMITS names the rate of each, "off" for none."""

    # For each account.
    ACTIONS = "actions"
    TABLES = "tables"
    JOINS = "joins"
    # To be somebody's friend, or to come to a table.
    REQUESTS = "requests"
    # Of people, messages, names and tables, to moderators.
    REPORTS = "reports"
    # Saved while somebody types, and not to use up what their moves need.
    NOTES = "notes"
    SAYINGS = "sayings"
    # For each account, before sign-in for each address.
    PAGES = "pages"
    INVITATIONS = "invitations"
    # For each address.
    STRANGERS = "strangers"
    CONNECTS = "connects"
    # For each socket, and for all the sockets of an account.
    MESSAGES = "messages"
    ALL_MESSAGES = "all_messages"


_OF_ALL_PROCESSES: Final = {
    Limit.ACTIONS,
    Limit.TABLES,
    Limit.JOINS,
    Limit.REQUESTS,
    Limit.REPORTS,
    Limit.SAYINGS,
    Limit.INVITATIONS,
    Limit.STRANGERS,
}


def hit(what: Limit, who: str) -> int | None:
    """Counts `what` for `who`. The seconds to wait where it is too much, else None.

    What is refused does not count, so that waiting helps. At most one question to Redis for
    what is let through, and none for whoever was refused and has not waited.
    """
    rate = rate_of(what)
    if rate is None:
        return None
    key = f"{what}:{who}"
    wait = _memory.closed_for(key)
    if wait is None:
        if what not in _OF_ALL_PROCESSES or not settings.REDIS_URL:
            wait = _memory.hit(key, rate)
        else:
            wait = FUSE.call(lambda: _shared_hit(key, rate), lambda: _memory.hit(key, rate))
        if wait is None:
            return None
        _memory.close(key, wait)
        # Once for each wait: a flood must not fill the log too. And no addresses.
        logger.warning("too much: %s of %s", what, who if who.startswith("user:") else "a stranger")
    return max(1, ceil(wait))


def rate_of(what: Limit) -> RateLimitItem | None:
    """The rate that the settings name. Raises ImproperlyConfigured where they name none."""
    return _parsed(what, settings.LIMITS[what])


def check_limits() -> None:
    """Raises ImproperlyConfigured for a rate that cannot be read: at the start, not at a hit."""
    for what in Limit:
        rate_of(what)


@lru_cache(maxsize=64)
def _parsed(what: Limit, rate: str) -> RateLimitItem | None:
    if rate == "off":
        return None
    try:
        return parse(rate)
    except ValueError:
        raise ImproperlyConfigured(
            f'LIMIT_{what.upper()} is "{rate}"; write it like "60/minute", or "off".'
        ) from None


def who_is(request: HttpRequest) -> str:
    """The account, or before sign-in the address: sessions cost a stranger nothing."""
    if request.user.is_authenticated:
        return f"user:{request.user.pk}"
    return f"address:{address_of(request)}"


def when_to_try_again(seconds: int) -> str:
    """A sentence of the active language."""
    if seconds <= 90:
        return ngettext(
            "Try again in %(count)d second.", "Try again in %(count)d seconds.", seconds
        ) % {"count": seconds}
    minutes = ceil(seconds / 60)
    return ngettext(
        "Try again in %(count)d minute.", "Try again in %(count)d minutes.", minutes
    ) % {"count": minutes}


def too_much_sentence(seconds: int) -> str:
    """What a refusal says at a table: why, and for how long."""
    why = gettext("That was too much at once.")
    return f"{why} {when_to_try_again(seconds)}"


class MemoryWindow:
    """Moving windows in this process's memory, as many as there are people who come."""

    def __init__(self, most_keys: int = _MOST_KEYS, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._most_keys = most_keys
        self._lock = Lock()
        # By key: when the window is empty again, and the moments in it, oldest first.
        self._windows: OrderedDict[str, tuple[float, array[float]]] = OrderedDict()
        self._closed_until: OrderedDict[str, float] = OrderedDict()

    def hit(self, key: str, rate: RateLimitItem) -> float | None:
        """Counts one. The seconds to wait where the window is full, else None."""
        now, expiry = self._clock(), rate.get_expiry()
        with self._lock:
            self._forget(now)
            _, moments = self._windows.get(key, (0.0, array("d")))
            del moments[: bisect_right(moments, now - expiry)]
            if len(moments) >= rate.amount:
                return moments[0] + expiry - now
            moments.append(now)
            self._windows[key] = (now + expiry, moments)
            return None

    def close(self, key: str, seconds: float) -> None:
        """Remembers a refusal: until then nobody needs to be asked."""
        with self._lock:
            self._closed_until[key] = self._clock() + seconds
            self._closed_until.move_to_end(key)
            if len(self._closed_until) > self._most_keys:
                self._closed_until.popitem(last=False)

    def closed_for(self, key: str) -> float | None:
        """The seconds for which `key` is closed still, or None."""
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
        """Lets go of two that are empty, so that a flood of addresses cannot pile up."""
        for _ in range(min(2, len(self._windows))):
            key, (empty_at, _) = next(iter(self._windows.items()))
            if empty_at <= now or len(self._windows) > self._most_keys:
                del self._windows[key]
            else:
                # Round and round, a step at each hit: windows are not of one length.
                self._windows.move_to_end(key)


_memory: Final = MemoryWindow()


def forget_all() -> None:
    """What this process has counted, and its connections to Redis."""
    _memory.forget_all()
    _shared.cache_clear()


@lru_cache(maxsize=1)
def _shared(url: str) -> MovingWindowRateLimiter:
    return MovingWindowRateLimiter(RedisStorage(url, key_prefix="limits", **IMPATIENT))


def _shared_hit(key: str, rate: RateLimitItem) -> float | None:
    limiter = _shared(settings.REDIS_URL)
    if limiter.hit(rate, key):
        return None
    return max(1.0, limiter.get_window_stats(rate, key).reset_time - time())
