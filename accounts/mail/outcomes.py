"""Whether mails are sent: counts for /metrics, and whether mail is known to fail.

All processes share this over the cache. It is about the mail server, never about an account.
"""

from contextlib import suppress
from datetime import datetime
from functools import partial
from smtplib import SMTPRecipientsRefused
from typing import Final

from django.core.cache import cache

from config.observability.metrics import register_figure

_SENT: Final = "mails_sent"
_FAILED: Final = "mails_failed"
_GIVEN_UP: Final = "mails_given_up"
_ABOUT: Final = {
    _SENT: "Mails that the mail server took.",
    _FAILED: "Attempts to send a mail that failed.",
    _GIVEN_UP: "Mails that were given up.",
}
_FAILS: Final = "mail_fails"
# Seconds after which a failure is forgotten.
_RECENT: Final = 3600


def mail_fails() -> bool:
    """Return whether sending has failed within the last hour, and not succeeded since."""
    return bool(cache.get(_FAILS))


def note_sent() -> None:
    _count(_SENT)
    cache.delete(_FAILS)


def note_failure(error: Exception) -> None:
    _count(_FAILED)
    # A server that refuses one address sends other mails, and anyone can type a wrong address.
    if not isinstance(error, SMTPRecipientsRefused):
        cache.set(_FAILS, value=True, timeout=_RECENT)


def note_given_up() -> None:
    _count(_GIVEN_UP)


def register_figures() -> None:
    """Offer the counts to the operator's monitoring."""
    for name, about in _ABOUT.items():
        register_figure(f"chancellery_{name}", about, partial(_read, name))


def _read(name: str, now: datetime) -> float:
    count: int = cache.get(name, 0)
    return count


def _count(name: str) -> None:
    cache.add(name, 0, timeout=None)
    # The cache may lose the count in between; the next mail begins a new one.
    with suppress(ValueError):
        cache.incr(name)
