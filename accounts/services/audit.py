"""The audit: what those with power did, in rows that nobody can change unseen."""

import hashlib
import json
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import AuditEntry, AuditHead, User

# By reader: the codes of the tables of which they must not read.
Hidden = Callable[[User], Collection[str]]
_hidden: Final[list[Hidden]] = []

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Break:
    """Where the chain is not what it was, and how."""

    number: int
    what: str


def audit_write(
    *,
    actor: User | None,
    act: str,
    about: User | None = None,
    table: str = "",
    data: dict[str, Any] | None = None,
) -> AuditEntry:
    """Adds an act to the chain; `actor` None is the site itself.

    Call it in the transaction of the act, as its last statement: until that commits, whoever
    else writes here waits. No names in `data`: rows stay when people have left.
    """
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
            # As it comes back from the database: the digest is of that.
            data=json.loads(json.dumps(data or {}, cls=DjangoJSONEncoder)),
            previous=head.digest,
        )
        entry.digest = digest_of(entry)
        entry.save(force_insert=True)
        head.number, head.digest = entry.number, entry.digest
        head.save()
    # Where logs are kept elsewhere, a chain that was written anew from the start shows too.
    logger.info("audit %d %s %s", entry.number, entry.act, entry.digest)
    return entry


def digest_of(entry: AuditEntry) -> str:
    """SHA-256, in hexadecimal, of all that the row says and of the digest before it."""
    said = [
        entry.number,
        entry.at.isoformat(timespec="microseconds"),
        entry.actor_id,
        entry.act,
        entry.about_id,
        entry.table,
        entry.data,
        entry.previous,
    ]
    text = json.dumps(said, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def audit_hide(hidden: Hidden) -> None:
    """Has `hidden` say of which tables a reader must not read: whoever plays somewhere learns
    nothing of what moderators do there before it is over."""
    if hidden not in _hidden:
        _hidden.append(hidden)


def entries_for(reader: User, words: str = "") -> QuerySet[AuditEntry]:
    """The entries that `reader` may read, the newest first; with `words`, those of an act, a
    person (by name), a table (by code) or a number."""
    entries = AuditEntry.objects.select_related("actor", "about")
    codes = {code for hidden in _hidden for code in hidden(reader)}
    if codes:
        entries = entries.exclude(table__in=codes)
    # PostgreSQL chokes on a NUL.
    words = words.replace("\0", "").strip()
    if not words:
        return entries
    named = Q(act__icontains=words) | Q(table__iexact=words)
    people = User.objects.filter(username__iexact=words).values_list("pk", flat=True)
    named |= Q(actor__in=list(people)) | Q(about__in=list(people))
    if words.isascii() and words.isdigit() and len(words) < 18:
        named |= Q(number=int(words))
    return entries.filter(named)


def audit_break() -> Break | None:
    """The first place at which the chain is broken, or None where it holds.

    Reads all of it, in the order in which it was written.
    """
    number, digest = 0, AuditHead._meta.get_field("digest").default
    # The head first: what is added meanwhile lies behind it.
    head = AuditHead.objects.filter(pk=1).first() or AuditHead()
    entries = AuditEntry.objects.filter(number__lte=head.number).order_by("number")
    for entry in entries.iterator(chunk_size=500):
        if entry.number != number + 1:
            return Break(number + 1, "missing")
        if entry.previous != digest:
            return Break(entry.number, "does not follow from the one before")
        if digest_of(entry) != entry.digest:
            return Break(entry.number, "changed since it was written")
        number, digest = entry.number, entry.digest
    if (number, digest) != (head.number, head.digest):
        return Break(number + 1, "missing at the end")
    beyond = AuditEntry.objects.filter(number__gt=head.number).order_by("number").first()
    now = AuditHead.objects.filter(pk=1).first() or AuditHead()
    if beyond is not None and beyond.number > now.number:
        return Break(beyond.number, "added past the head")
    return None
