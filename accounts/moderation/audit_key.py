"""The key that seals the rows of the audit. The database does not hold it.

A chain of plain digests shows that a row was changed. It does not show that the whole chain was
written anew, and everyone who can write to the database can do that. So each digest is an HMAC.

The key is AUDIT_KEY, or SECRET_KEY if AUDIT_KEY is empty. The first of `audit_keys` seals new
rows. Rows sealed with the other keys stay valid, so that the key can be changed.
"""

import hashlib
import json
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.crypto import constant_time_compare, salted_hmac

# The act of the row at which a chain of plain digests changes to digests with a key. A migration
# wrote it once. Anyone can forge the plain rows before it, but only the key's holder this row.
SEALED_ACT: Final = "audit_sealed"


def audit_keys() -> tuple[str, ...]:
    """Return the keys, the one that seals new rows first.

    Raises ImproperlyConfigured if no key outlasts this process.
    """
    secret = [settings.SECRET_KEY] if settings.SECRET_KEY_LASTS else []
    named = [settings.AUDIT_KEY] if settings.AUDIT_KEY else []
    keys = [*named, *secret, *settings.AUDIT_KEY_FALLBACKS, *settings.SECRET_KEY_FALLBACKS]
    if not (named or secret):
        raise ImproperlyConfigured("Set SECRET_KEY in the environment: it seals the audit.")
    return tuple(dict.fromkeys(keys))


def text_of(row: Any) -> str:
    """Return everything that a row of the audit says, with the digest of the row before it."""
    said = [
        row.number,
        row.at.isoformat(timespec="microseconds"),
        row.actor_id,
        row.act,
        row.about_id,
        row.table,
        row.data,
        row.previous,
    ]
    return json.dumps(said, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def sealed_digest(row: Any, key: str) -> str:
    """Return the HMAC-SHA256 of a row, in hexadecimal."""
    return salted_hmac("accounts.audit", text_of(row), secret=key, algorithm="sha256").hexdigest()


def plain_digest(row: Any) -> str:
    """Return the SHA-256 of a row, in hexadecimal: its digest before the audit had a key."""
    return hashlib.sha256(text_of(row).encode("ascii")).hexdigest()


def is_sealed(row: Any, keys: tuple[str, ...]) -> bool:
    """Return whether the row's digest was made with one of these keys."""
    return any(constant_time_compare(sealed_digest(row, key), row.digest) for key in keys)
