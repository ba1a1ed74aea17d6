"""Sanctions: imposed and lifted, and felt at every door at once."""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import Sanction, User
from accounts.refusals import Refusal, Refused
from accounts.roles import Rank, may_act_on, rank
from accounts.services.audit import audit_write

Kind = Sanction.Kind
# A ban, as a moment that never comes.
NEVER: Final = datetime(9999, 1, 1, tzinfo=UTC)

Listener = Callable[[User], None]
_listeners: Final[list[Listener]] = []


def on_standing(listener: Listener) -> None:
    """Has `listener` called with each account whose standing changes, in that transaction."""
    if listener not in _listeners:
        _listeners.append(listener)


def sanction_impose(
    *,
    actor: User,
    user: User,
    kind: str,
    reason: str,
    language: str,
    ends_at: datetime | None = None,
    case: int | None = None,
) -> Sanction:
    """Imposes it at once: audit, notification, mail, open sockets.

    `reason` is what the person reads, in `language`; `case` is the queue's. Raises Refused: the
    person is not below the actor, no reason, an end that does not fit the kind, or a ban by a
    mere moderator.
    """
    now = timezone.now()
    reason = reason.strip()
    if not may_act_on(actor, user):
        raise Refused(Refusal.NOT_BELOW)
    if not reason:
        raise Refused(Refusal.NO_REASON)
    if kind == Kind.BAN and rank(actor) < Rank.SENIOR:
        raise Refused(Refusal.RANK_TOO_LOW)
    if ends_at is not None and kind in (Kind.NOTE, Kind.WARNING, Kind.BAN):
        raise Refused(Refusal.HAS_NO_END)
    if ends_at is None and kind == Kind.SUSPENSION:
        raise Refused(Refusal.NEEDS_END)
    if ends_at is not None and ends_at <= now:
        raise Refused(Refusal.ENDS_BEFORE)
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)
        sanction = Sanction.objects.create(
            user=user,
            kind=Kind(kind),
            reason=reason,
            language=language,
            by=actor,
            at=now,
            ends_at=ends_at,
            report=case,
        )
        _standing_write(user, now)
        audit_write(
            actor=actor,
            act="sanction_impose",
            about=user,
            data={
                "sanction": sanction.pk,
                "kind": sanction.kind,
                "ends_at": ends_at,
                "case": case,
                "reason": hashlib.sha256(reason.encode()).hexdigest(),
            },
        )
    return sanction


def sanction_lift(*, actor: User, sanction: Sanction, reason: str) -> Sanction:
    """Ends it before its time. Raises Refused: the person is not below the actor, no reason, or
    it is no longer in force."""
    now = timezone.now()
    reason = reason.strip()
    if not may_act_on(actor, sanction.user):
        raise Refused(Refusal.NOT_BELOW)
    if not reason:
        raise Refused(Refusal.NO_REASON)
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=sanction.user_id)
        sanction = Sanction.objects.select_for_update().get(pk=sanction.pk)
        if not sanction.is_running(now):
            raise Refused(Refusal.NOT_RUNNING)
        sanction.lifted_at, sanction.lifted_by = now, actor
        sanction.lift_reason = reason
        sanction.save(update_fields=["lifted_at", "lifted_by", "lift_reason"])
        _standing_write(user, now)
        audit_write(
            actor=actor,
            act="sanction_lift",
            about=user,
            data={
                "sanction": sanction.pk,
                "kind": sanction.kind,
                "reason": hashlib.sha256(reason.encode()).hexdigest(),
            },
        )
    return sanction


def _standing_write(user: User, now: datetime) -> None:
    """Writes to the account what every request asks of it, and has others told."""
    running = list(user.sanctions.running(now))
    shuts = [row.ends_at or NEVER for row in running if row.kind in (Kind.SUSPENSION, Kind.BAN)]
    user.shut_until = max(shuts, default=None)
    user.is_warned = any(row.kind == Kind.WARNING and row.read_at is None for row in running)
    user.save(update_fields=["shut_until", "is_warned"])
    for listener in _listeners:
        listener(user)
