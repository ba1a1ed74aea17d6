"""Signals: where an account signs in from, as digests under a key that changes.

A plain hash of an address can be reversed in minutes by trying all addresses. Here each digest uses
a secret in the database and the site's SECRET_KEY together, so that neither alone reveals anything.
After 30 days another secret takes over, and 60 days later the old one is deleted with every digest
made with it. Nothing is then left of an address.

A device is a random name that the site gave to a browser, so no one can guess names. Its digest
is made with SECRET_KEY alone, so it can be compared across the keys; it is deleted with its row's.
"""

import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import combinations
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import BotAccount, Signal, SignalKey, User
from accounts.profiles.names import name_key
from accounts.services.exports import register_exporter

_HASHES_FOR: Final = timedelta(days=30)
_KEPT_FOR: Final = timedelta(days=90)
_MOST_SHOWN: Final = 20
# The parts of a device's cookie: a random name and its signature.
_NAME_BYTES: Final = 8
_COOKIE_BYTES: Final = 16


@dataclass(frozen=True)
class SignalMatch:
    """Another account that shares addresses or devices with this one.

    It is only a hint: families, schools and cafés share both.
    """

    user: User
    addresses: int
    devices: int
    last_at: datetime


def new_device() -> str:
    """Return a new signed name for a browser, for its cookie."""
    name = secrets.token_bytes(_NAME_BYTES)
    return _encoded(name + _signature(name))


def is_device(cookie: str) -> bool:
    """Return whether this site made and signed the cookie. Clients cannot invent devices."""
    if not (cookie.isascii() and len(cookie) == len(_encoded(bytes(_COOKIE_BYTES)))):
        return False
    try:
        raw = urlsafe_b64decode(cookie + "==")
    except ValueError:
        return False
    name = raw[:_NAME_BYTES]
    # Compare the whole text: base64 spells the same bytes in several ways; a device has one.
    return constant_time_compare(cookie, _encoded(name + _signature(name)))


def note_signals(*, user: User, address: str, device: str, now: datetime) -> None:
    """Record where a user signs in from; an empty value is not recorded."""
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


def is_device_of(*, name: str, device: str) -> bool:
    """Return whether this browser has signed in to the account with this name or e-mail address.

    `name` is as `name_key` writes it. Makes two statements, whether or not the account exists.
    """
    digests = [_digest(key, Signal.Kind.DEVICE, device) for key in SignalKey.objects.all()]
    signals = Signal.objects.filter(kind=Signal.Kind.DEVICE, digest__in=digests)
    people = User.objects.filter(pk__in=signals.values("user")).values_list("name_key", "email")
    return any(name in (key, name_key(email)) for key, email in people)


def signal_matches_of(user: User) -> list[SignalMatch]:
    """Return other accounts that share signals with this one, those that share most first.

    Three queries, however many accounts there are.
    """
    mine = list(user.signals.values_list("digest", flat=True)[:1000])
    shared = Signal.objects.filter(digest__in=mine).exclude(user=user)
    counts: dict[int, Counter[str]] = {}
    last: dict[int, datetime] = {}
    # A device has one row under each key.
    seen: set[tuple[int, str]] = set()
    for pk, kind, digest, at in shared.values_list("user", "kind", "digest", "last_at")[:5000]:
        last[pk] = max(last.get(pk, at), at)
        counts.setdefault(pk, Counter())[kind] += (pk, digest) not in seen
        seen.add((pk, digest))
    # A shared browser says more than a shared network.
    order = sorted(counts, key=lambda pk: (counts[pk]["device"], counts[pk]["address"]))
    people = User.objects.in_bulk(order[-_MOST_SHOWN:])
    return [
        SignalMatch(people[pk], counts[pk]["address"], counts[pk]["device"], last[pk])
        for pk in reversed(order[-_MOST_SHOWN:])
        if pk in people
    ]


def accounts_of_same_person(user_pk: int) -> set[int]:
    """Return the primary keys of the other accounts of the person who has this account."""
    return accounts_of_same_people([user_pk])[user_pk]


def accounts_of_same_people(users: Collection[int]) -> dict[int, set[int]]:
    """Return, for each of these accounts, the other accounts of its person. Three statements.

    They are those that signed in from a browser of this account, and the bot accounts of them all;
    a bot account belongs to its owner.
    """
    owners = dict(BotAccount.objects.filter(user__in=users).values_list("user", "owner"))
    people = {user: {user, owners.get(user, user)} for user in users}
    devices = Signal.objects.filter(kind=Signal.Kind.DEVICE)
    own = devices.filter(user__in=set().union(*people.values())).values("digest")
    signed_in: defaultdict[str, set[int]] = defaultdict(set)
    for digest, user in devices.filter(digest__in=own).values_list("digest", "user"):
        signed_in[digest].add(user)
    for known in people.values():
        known.update(*[those for those in signed_in.values() if not those.isdisjoint(known)])
    bots: defaultdict[int, set[int]] = defaultdict(set)
    rows = BotAccount.objects.filter(owner__in=set().union(*people.values()))
    for bot, owner in rows.values_list("user", "owner"):
        bots[owner].add(bot)
    return {
        user: known.union(*(bots[one] for one in known)) - {user} for user, known in people.items()
    }


def accounts_at_addresses_of(users: QuerySet[Any, Any]) -> QuerySet[Signal, int]:
    """Return the primary keys of the accounts that share an address with one of these users.

    `users` selects primary keys; these users are among the accounts.
    """
    addresses = Signal.objects.filter(kind=Signal.Kind.ADDRESS)
    theirs = addresses.filter(user__in=users).values("digest")
    return addresses.filter(digest__in=theirs).values_list("user", flat=True)


def is_second_account(user: User, other: User) -> bool:
    """Return whether both accounts are the same person's."""
    return other.pk in accounts_of_same_person(user.pk)


def shared_signals(users: Collection[int]) -> dict[tuple[int, int], Counter[str]]:
    """Return how many signals of each kind every two of these accounts share.

    The keys are the lower and the higher primary key. One statement.
    """
    rows = Signal.objects.filter(user__in=users).values_list("kind", "digest", "user").distinct()
    known: dict[tuple[str, str], set[int]] = {}
    for kind, digest, user in rows:
        known.setdefault((kind, digest), set()).add(user)
    shared: dict[tuple[int, int], Counter[str]] = {}
    for (kind, _), those in known.items():
        for pair in combinations(sorted(those), 2):
            shared.setdefault(pair, Counter())[kind] += 1
    return shared


def pairs_on_same_device(users: Collection[int]) -> set[tuple[int, int]]:
    """Return which two of these people's accounts signed in from the same browser. One statement.

    Each pair is the lower and the higher primary key. Of bot accounts nothing is known here.
    """
    rows = Signal.objects.filter(user__in=users, kind=Signal.Kind.DEVICE)
    known: dict[str, set[int]] = {}
    for digest, user in rows.values_list("digest", "user").distinct():
        known.setdefault(digest, set()).add(user)
    return {pair for those in known.values() for pair in combinations(sorted(those), 2)}


def signals_of(user: User) -> list[Any]:
    """Return, for a person's export, when they signed in from one address or browser.

    Without the site's keys the digests tell nothing, so they are left out.
    """
    return list(user.signals.order_by("pk").values("kind", "first_at", "last_at"))


def delete_old_signals(*, now: datetime) -> None:
    """Delete expired keys and the signals made with them."""
    SignalKey.objects.filter(expires_at__lte=now).delete()


def _key(now: datetime) -> SignalKey:
    key = SignalKey.objects.filter(begins_at__lte=now, ends_at__gt=now).first()
    if key is not None:
        return key
    # Round the time, so that processes which find no key at once all create the same one.
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
    secret = settings.SECRET_KEY
    if kind != Signal.Kind.DEVICE:
        secret = f"{key.secret}:{secret}"
    return hmac.new(secret.encode(), f"{kind}:{value}".encode(), sha256).hexdigest()


def _signature(name: bytes) -> bytes:
    digest = salted_hmac("accounts.device", name, algorithm="sha256").digest()
    return digest[: _COOKIE_BYTES - _NAME_BYTES]


def _encoded(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


register_exporter("sign_in_signals", signals_of)
