"""Signals: where an account signs in from, as digests under a key that changes.

A plain hash of an address can be reversed in minutes by trying all addresses. Here each digest uses
a secret in the database and the site's SECRET_KEY together, so that neither alone reveals anything.
Every 30 days there is another secret. After 90 days a secret is deleted with every digest made with
it, and nothing is left of an address. Until then it makes a digest of each address that is noted,
so an address of today matches one that was noted under an older secret.

A device is a random name that the site gave to a browser, so no one can guess names. Its digest
is made with SECRET_KEY alone, so it is the same under all keys; it is deleted with its row's key.
"""

import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
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

_NEWEST_FOR: Final = timedelta(days=30)
_KEPT_FOR: Final = timedelta(days=90)
# Nothing is noted under a key that may be deleted meanwhile.
_LAST_HOUR: Final = timedelta(hours=1)
_MOST_SHOWN: Final = 20
# The parts of a device's cookie: a random name and its signature.
_NAME_BYTES: Final = 8
_COOKIE_BYTES: Final = 16

# Kind, digest and key of what accounts share; the key is 0 for devices.
_Shared = tuple[str, str, int]


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
    keys = _keys(now)
    signals = [(key, Signal.Kind.ADDRESS, _digest(key, address)) for key in keys if address]
    if device:
        signals.append((keys[-1], Signal.Kind.DEVICE, _device_digest(device)))
    for key, kind, digest in signals:
        Signal.objects.update_or_create(
            user=user,
            key=key,
            kind=kind,
            digest=digest,
            defaults={"last_at": now},
            create_defaults={"first_at": now, "last_at": now},
        )


def is_device_of(*, name: str, device: str) -> bool:
    """Return whether this browser has signed in to the account with this name or e-mail address.

    `name` is as `name_key` writes it. Makes one statement, whether or not the account exists.
    """
    signals = Signal.objects.filter(kind=Signal.Kind.DEVICE, digest=_device_digest(device))
    people = User.objects.filter(pk__in=signals.values("user")).values_list("name_key", "email")
    return any(name in (key, name_key(email)) for key, email in people)


def signal_matches_of(user: User) -> list[SignalMatch]:
    """Return other accounts that share signals with this one, those that share most first.

    Three queries, however many accounts there are.
    """
    mine = list(user.signals.values_list("digest", flat=True)[:1000])
    shared = Signal.objects.filter(digest__in=mine).exclude(user=user)
    found: defaultdict[int, set[_Shared]] = defaultdict(set)
    last: dict[int, datetime] = {}
    rows = shared.values_list("user", "kind", "digest", "key", "last_at")
    for pk, kind, digest, key, at in rows[:5000]:
        last[pk] = max(last.get(pk, at), at)
        found[pk].add(_shared(kind, digest, key))
    counts = {pk: _counted(signals) for pk, signals in found.items()}
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
    rows = Signal.objects.filter(user__in=users).values_list("user", "kind", "digest", "key")
    known: defaultdict[_Shared, set[int]] = defaultdict(set)
    for user, kind, digest, key in rows:
        known[_shared(kind, digest, key)].add(user)
    shared: defaultdict[tuple[int, int], list[_Shared]] = defaultdict(list)
    for signal, those in known.items():
        for pair in combinations(sorted(those), 2):
            shared[pair].append(signal)
    return {pair: _counted(signals) for pair, signals in shared.items()}


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
    times = user.signals.values("kind", "first_at", "last_at")
    return list(times.order_by("kind", "first_at").distinct())


def delete_old_signals(*, now: datetime) -> None:
    """Delete expired keys and the signals made with them."""
    SignalKey.objects.filter(expires_at__lte=now).delete()


def _shared(kind: str, digest: str, key: int) -> _Shared:
    return kind, digest, 0 if kind == Signal.Kind.DEVICE else key


def _counted(signals: Iterable[_Shared]) -> Counter[str]:
    """Return how many devices and addresses these are. An address has a digest under each key."""
    counts: Counter[str] = Counter()
    for (kind, _), number in Counter((kind, key) for kind, _, key in signals).items():
        counts[kind] = max(counts[kind], number)
    return counts


def _keys(now: datetime) -> list[SignalKey]:
    """Return the keys under which an address is noted now, the newest last."""
    keys = SignalKey.objects.filter(begins_at__lte=now, expires_at__gt=now + _LAST_HOUR)
    found = list(keys.order_by("begins_at"))
    if not found or found[-1].ends_at <= now:
        found.append(_new_key(now))
    return found


def _new_key(now: datetime) -> SignalKey:
    # Round the time, so that processes which find no key at once all create the same one.
    begins = datetime.fromtimestamp(
        now.timestamp() // _NEWEST_FOR.total_seconds() * _NEWEST_FOR.total_seconds(), tz=now.tzinfo
    )
    try:
        with transaction.atomic():
            return SignalKey.objects.create(
                begins_at=begins, ends_at=begins + _NEWEST_FOR, expires_at=begins + _KEPT_FOR
            )
    except IntegrityError:
        return SignalKey.objects.get(begins_at=begins)


def _digest(key: SignalKey, address: str) -> str:
    return _hmac(f"{key.secret}:{settings.SECRET_KEY}", f"{Signal.Kind.ADDRESS}:{address}")


def _device_digest(device: str) -> str:
    return _hmac(settings.SECRET_KEY, f"{Signal.Kind.DEVICE}:{device}")


def _hmac(key: str, text: str) -> str:
    return hmac.new(key.encode(), text.encode(), sha256).hexdigest()


def _signature(name: bytes) -> bytes:
    digest = salted_hmac("accounts.device", name, algorithm="sha256").digest()
    return digest[: _COOKIE_BYTES - _NAME_BYTES]


def _encoded(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


register_exporter("sign_in_signals", signals_of)
