"""The audit: what those with power did, in rows that nobody can change unseen."""

import hashlib
import json
import logging
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils import timezone

from accounts.models import AuditEntry, AuditHead, User

logger = logging.getLogger(__name__)


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
