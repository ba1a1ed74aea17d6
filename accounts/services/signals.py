"""Signals: where an account was signed in from, as digests under a key that changes.

An address can be tried out against a plain hash in minutes. Here each digest is made with a
secret of the database's and the site's own SECRET_KEY together, so that neither alone tells
anything; after 30 days another secret takes over, and 60 days later the old one is deleted,
with every digest made by it: what is left of an address then is nothing at all.
"""

import hmac
import secrets
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.db import IntegrityError, transaction

from accounts.models import Signal, SignalKey, User

_HASHES_FOR: Final = timedelta(days=30)
_KEPT_FOR: Final = timedelta(days=90)
_MOST_SHOWN: Final = 20


@dataclass(frozen=True)
class Hint:
    """Another account that has been where this one was. No more than a hint: families, schools
    and cafés share both."""

    user: User
    addresses: int
    devices: int
    last_at: datetime


def new_device() -> str:
    """A name for a browser, for its cookie."""
    return secrets.token_urlsafe(16)


def signals_note(*, user: User, address: str, device: str, now: datetime) -> None:
    """Notes where somebody signs in from; "" is not noted."""
    key = _key(now)
    kinds = {Signal.Kind.ADDRESS: address, Signal.Kind.DEVICE: device}
    for kind, value in kinds.items():
        if not value:
            continue
        Signal.objects.update_or_create(
            user=user,
            key=key,
            kind=kind,
            digest=_digest(key, kind, value),
            defaults={"last_at": now},
            create_defaults={"first_at": now, "last_at": now},
        )


def hints_of(user: User) -> list[Hint]:
    """Other accounts that share signals with this one, those that share most first. Three
    statements, however many there are."""
    mine = list(user.signals.values_list("digest", flat=True)[:1000])
    shared = Signal.objects.filter(digest__in=mine).exclude(user=user)
    counts: dict[int, Counter[str]] = {}
    last: dict[int, datetime] = {}
    for pk, kind, at in shared.values_list("user", "kind", "last_at")[:5000]:
        counts.setdefault(pk, Counter())[kind] += 1
        last[pk] = max(last.get(pk, at), at)
    # A browser says more than a network.
    order = sorted(counts, key=lambda pk: (counts[pk]["device"], counts[pk]["address"]))
    people = User.objects.in_bulk(order[-_MOST_SHOWN:])
    return [
        Hint(people[pk], counts[pk]["address"], counts[pk]["device"], last[pk])
        for pk in reversed(order[-_MOST_SHOWN:])
        if pk in people
    ]


def signals_forget(*, now: datetime) -> None:
    """Deletes the keys whose time is over, and what was made with them."""
    SignalKey.objects.filter(expires_at__lte=now).delete()


def _key(now: datetime) -> SignalKey:
    key = SignalKey.objects.filter(begins_at__lte=now, ends_at__gt=now).first()
    if key is not None:
        return key
    # The same moment for all processes that find none at once.
    begins = datetime.fromtimestamp(
        now.timestamp() // _HASHES_FOR.total_seconds() * _HASHES_FOR.total_seconds(), tz=now.tzinfo
    )
    try:
        with transaction.atomic():
            return SignalKey.objects.create(
                begins_at=begins, ends_at=begins + _HASHES_FOR, expires_at=begins + _KEPT_FOR
            )
    except IntegrityError:
        return SignalKey.objects.get(begins_at=begins)


def _digest(key: SignalKey, kind: str, value: str) -> str:
    secret = f"{key.secret}:{settings.SECRET_KEY}".encode()
    return hmac.new(secret, f"{kind}:{value}".encode(), sha256).hexdigest()
