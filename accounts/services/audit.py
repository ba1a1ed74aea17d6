"""The audit: what accounts with power did, in rows that no one can change unseen.

Each row's digest is made with a key of the site (accounts/moderation/audit_key.py) from everything
that the row says and from the digest before it. So an attacker who can write to the database can
neither change nor forge a row. They can still remove rows at the end, and the holder of the key can
write the whole chain anew. Both show against an *anchor*: a line of the log that says how long the
chain was on a day and how it ended. `manage.py verify_audit` checks all of this.
"""

import json
import logging
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.core.cache import cache
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.auth.roles import Rank, rank
from accounts.models import AuditEntry, AuditHead, User
from accounts.moderation.audit_key import (
    SEALED_ACT,
    audit_keys,
    is_sealed,
    plain_digest,
    sealed_digest,
)

# Takes a reader and returns the codes of the tables whose entries the reader must not see.
Hidden = Callable[[User], Collection[str]]
_hidden: Final[list[Hidden]] = []

# The number of rows and the digest of the last one, anywhere in a line of a log.
_ANCHOR: Final = re.compile(r"\b(\d{1,18}):([0-9a-f]{64})\b")

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Break:
    """The place where the chain is broken, and how it is broken."""

    number: int
    what: str


def write_audit(
    *,
    actor: User | None,
    act: str,
    about: User | None = None,
    table: str = "",
    data: dict[str, Any] | None = None,
) -> AuditEntry:
    """Append an act to the chain. `actor` is None for the site itself.

    Call it in the transaction of the act, as its last statement, because all other writers of the
    audit wait until that commits. Put no names in `data`, because the rows stay when users have
    left.
    """
    key = audit_keys()[0]
    with transaction.atomic():
        AuditHead.objects.get_or_create(pk=1)
        head = AuditHead.objects.select_for_update().get(pk=1)
        entry = AuditEntry(
            number=head.number + 1,
            at=timezone.now(),
            actor=actor,
            act=act,
            about=about,
            table=table,
            # Convert the data as the database returns it, because the digest covers that form.
            data=json.loads(json.dumps(data or {}, cls=DjangoJSONEncoder)),
            previous=head.digest,
        )
        entry.digest = sealed_digest(entry, key)
        entry.save(force_insert=True)
        head.number, head.digest = entry.number, entry.digest
        head.save()
    # If logs are kept elsewhere, they also reveal a chain that was rebuilt from the start.
    logger.info("audit %d %s %s", entry.number, entry.act, entry.digest)
    return entry


def hide_from_audit(hidden: Hidden) -> None:
    """Register `hidden`, which returns the tables whose entries a reader must not see.

    Users must not learn what moderators do at a table where they play until its game is over.
    """
    if hidden not in _hidden:
        _hidden.append(hidden)


def entries_for(reader: User, words: str = "") -> QuerySet[AuditEntry]:
    """Return the entries that `reader` may read, the newest first.

    None for users below a senior moderator. `words` is an act, a person's name, the code of a table
    or a number, and leaves only its entries.
    """
    if rank(reader) < Rank.SENIOR:
        return AuditEntry.objects.none()
    entries = AuditEntry.objects.select_related("actor", "about")
    codes = {code for hidden in _hidden for code in hidden(reader)}
    if codes:
        entries = entries.exclude(table__in=codes)
    # PostgreSQL fails on a NUL.
    words = words.replace("\0", "").strip()
    if not words:
        return entries
    named = Q(act__icontains=words) | Q(table__iexact=words)
    people = User.objects.filter(username__iexact=words).values_list("pk", flat=True)
    named |= Q(actor__in=list(people)) | Q(about__in=list(people))
    if words.isascii() and words.isdigit() and len(words) < 18:
        named |= Q(number=int(words))
    return entries.filter(named)


def find_audit_break(*, start: int = 1) -> Break | None:
    """Return the first place where the chain is broken, or None if it holds.

    Reads all rows in the order in which they were written. Start at a later row, `start`, if the
    rows before it were sealed with a key that is lost. Raises ImproperlyConfigured without a key.
    """
    keys = audit_keys()
    # Read the head first: rows that are added meanwhile lie beyond it.
    head = _head()
    entries = AuditEntry.objects.filter(number__range=(start, head.number)).order_by("number")
    number, digest = start - 1, AuditHead._meta.get_field("digest").default
    if start > 1:
        first = entries.filter(number=start).first()
        digest = first.previous if first is not None else ""
    # Only rows at the start can be older than the key.
    may_be_plain = start == 1
    for entry in entries.iterator(chunk_size=500):
        if entry.number != number + 1:
            return Break(number + 1, "missing")
        if entry.previous != digest:
            return Break(entry.number, "does not follow from the one before")
        if is_sealed(entry, keys):
            # Otherwise the site's next act would confirm rows that an attacker forged.
            if may_be_plain and number and entry.act != SEALED_ACT:
                return Break(entry.number, "follows from rows without a seal")
            may_be_plain = False
        elif not may_be_plain or plain_digest(entry) != entry.digest:
            return Break(entry.number, "changed since it was written, or its key is another")
        number, digest = entry.number, entry.digest
    if number and may_be_plain:
        return Break(1, "without a seal, like all after it")
    if (number, digest) != (head.number, head.digest) and head.number >= start:
        return Break(number + 1, "missing at the end")
    beyond = AuditEntry.objects.filter(number__gt=head.number).order_by("number").first()
    if beyond is not None and beyond.number > _head().number:
        return Break(beyond.number, "added past the head")
    return None


def write_audit_anchor(*, now: datetime) -> None:
    """Log once a day how long the chain is and how it ends."""
    day = f"{now:%Y-%m-%d}"
    if cache.add(f"audit_anchor:{day}", 1, timeout=int(timedelta(days=2).total_seconds())):
        logger.info("audit anchor %s %s", day, head_line())


def head_line() -> str:
    """Return the number of rows and the digest of the last one."""
    head = _head()
    return f"{head.number}:{head.digest}"


def is_anchor(line: str) -> bool:
    """Return whether a line, of a log for example, contains an anchor."""
    return _ANCHOR.search(line) is not None


def find_anchor_break(line: str) -> Break | None:
    """Return how the chain differs from the anchor in `line`, or None if the chain has that row.

    Raises ValueError for a line without an anchor.
    """
    found = _ANCHOR.search(line)
    if found is None:
        raise ValueError(line)
    number, digest = int(found[1]), found[2]
    head = _head()
    if head.number < number:
        return Break(number, f"missing: the chain ends with entry {head.number}")
    entry = AuditEntry.objects.filter(number=number).first()
    known = entry.digest if entry is not None else AuditHead._meta.get_field("digest").default
    if known != digest:
        return Break(number, "another than the anchor knows")
    return None


def _head() -> AuditHead:
    return AuditHead.objects.filter(pk=1).first() or AuditHead()
