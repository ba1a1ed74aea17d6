"""Limits on guesses at one account's password, from all addresses together.

allauth counts wrong passwords by address. An attacker with a thousand addresses has a thousand
times its limit, so this module counts by name over all addresses: after settings.GUESSES guesses
the next one waits a minute, the one after it two, and so on, up to an hour. The limit does not
reveal whether a name is registered: unregistered names count alike, and a guess that has to wait
checks no password.

A lock by name alone would let strangers lock the owner out. So each browser that has signed in to
the account before has a count of its own, and so has each session that is signed in. The
passwords of tables are counted by table: games/views/invitation.py.
"""

import time
from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from accounts.auth.devices import device_of
from accounts.profiles.names import name_key
from accounts.services.signals import is_device_of
from accounts.throttling.limits import too_many_requests_sentence
from accounts.throttling.too_many_requests import note_wait

# The waits after a refused guess, in seconds.
FIRST_WAIT: Final = 60
LONGEST_WAIT: Final = 60 * 60
# A count is forgotten after this time without a guess. With ten free guesses, an attacker who
# waits for that makes 20 guesses a day, and one who waits for the lock 24.
_KEPT_FOR: Final = 12 * 60 * 60
_MOST_DOUBLINGS: Final = 10


@dataclass(frozen=True)
class PasswordGuess:
    """A guess that was let through and counted."""

    # The cache key of the count, or "" if guesses are not limited.
    count: str = ""
    # The lock that this guess set, or "".
    lock: str = ""

    def take_back(self) -> None:
        """Uncount the guess: the password was right."""
        if self.lock:
            cache.delete(self.lock)
        if self.count:
            with suppress(ValueError):
                # The count has expired meanwhile.
                cache.decr(self.count)


class _TooMany(Exception):
    def __init__(self, lock: str, otherwise: int = FIRST_WAIT) -> None:
        until = cache.get(lock)
        self.seconds = max(1, ceil(until - time.time())) if until else otherwise


def begin_guess(request: HttpRequest, name: str) -> PasswordGuess:
    """Count a guess at the password of the account `name`, before the password is checked.

    `name` is what the user typed: a name or an e-mail address. Each has a count of its own: a
    shared count would reveal whose address it is. Raises ValidationError if the guess has to
    wait; a refused guess does not count.
    """
    if not settings.GUESSES:
        return PasswordGuess()
    try:
        return _counted(_key(request, name_key(name).strip()))
    except _TooMany as refused:
        note_wait(request, refused.seconds)
        sentence = too_many_requests_sentence(refused.seconds)
        raise ValidationError(sentence, "too_many_login_attempts") from None


def _counted(key: str) -> PasswordGuess:
    """Count a guess, or raise _TooMany.

    `add` and `incr` of the cache are atomic, so simultaneous guesses do not exceed the limit.
    """
    count, lock = f"guesses:count:{key}", f"guesses:lock:{key}"
    if cache.get(lock) is not None:
        raise _TooMany(lock)
    made = cache.get(count, 0)
    if made >= settings.GUESSES:
        wait = FIRST_WAIT * 2 ** min(made - settings.GUESSES + 1, _MOST_DOUBLINGS)
        _shut(lock, min(wait, LONGEST_WAIT))
        _count(count)
        return PasswordGuess(count, lock)
    made = _count(count)
    if made > settings.GUESSES:
        # Other guesses came at the same moment.
        with suppress(ValueError):
            cache.decr(count)
        raise _TooMany(lock)
    if made == settings.GUESSES:
        _shut(lock, FIRST_WAIT)
        return PasswordGuess(count, lock)
    return PasswordGuess(count)


def _shut(lock: str, seconds: int) -> None:
    """Set the lock. Raises _TooMany if another guess has set it first."""
    if not cache.add(lock, time.time() + seconds, timeout=seconds):
        raise _TooMany(lock, seconds)


def _count(count: str) -> int:
    cache.add(count, 0, timeout=_KEPT_FOR)
    try:
        made: int = cache.incr(count)
    except ValueError:
        # The count expired in between.
        cache.set(count, 1, timeout=_KEPT_FOR)
        return 1
    cache.touch(count, _KEPT_FOR)
    return made


def _key(request: HttpRequest, name: str) -> str:
    """Return a cache key that does not reveal which name was tried, or from where."""
    said = f"{name}\n{_known_as(request, name)}"
    return salted_hmac("accounts.throttling.password_guesses", said, algorithm="sha256").hexdigest()


def _known_as(request: HttpRequest, name: str) -> str:
    """Return what identifies a session or browser that has given the account's password before.

    Returns "" for all others, which share one count.
    """
    user = request.user
    if user.is_authenticated and name in (user.name_key, name_key(user.email)):
        return f"session:{request.session.session_key}"
    device = device_of(request)
    if device and is_device_of(name=name, device=device):
        return f"device:{device}"
    return ""
