"""Sanctions: imposing and lifting them, with immediate effect everywhere."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from accounts.auth.roles import Rank, may_act_on, rank
from accounts.models import Appeal, Notification, Sanction, User
from accounts.moderation.refusals import ModerationRefusal, ModerationRefused
from accounts.services.account_deletion import on_account_erased
from accounts.services.audit import write_audit
from accounts.services.exports import register_exporter
from accounts.services.notifications import notify
from accounts.services.signals import is_second_account

logger = logging.getLogger(__name__)

Kind = Sanction.Kind
# The end of a ban: a time that never comes.
NEVER: Final = datetime(9999, 1, 1, tzinfo=UTC)

Listener = Callable[[User], None]
_listeners: Final[list[Listener]] = []


def on_standing_changed(listener: Listener) -> None:
    """Register `listener`, called with each account whose standing or role has changed.

    It is called after the commit, because it takes locks of its own, table by table.
    """
    if listener not in _listeners:
        _listeners.append(listener)


def impose_sanction(
    *,
    actor: User,
    user: User,
    kind: str,
    reason: str,
    language: str,
    ends_at: datetime | None = None,
    case: int | None = None,
) -> Sanction:
    """Impose a sanction, which takes effect at once: audit, notification, mail, open sockets.

    `reason` is shown to the user, in `language`; `case` is the number of a case in the moderators'
    queue. Raises Refused: the user does not rank below the actor, no reason, an end that does not
    fit the kind, or a ban by an actor below a senior moderator.
    """
    now = timezone.now()
    reason = reason.strip()
    if not may_act_on(actor, user):
        raise ModerationRefused(ModerationRefusal.NOT_BELOW)
    if not reason:
        raise ModerationRefused(ModerationRefusal.NO_REASON)
    if kind == Kind.BAN and rank(actor) < Rank.SENIOR:
        raise ModerationRefused(ModerationRefusal.RANK_TOO_LOW)
    if ends_at is not None and kind in (Kind.NOTE, Kind.WARNING, Kind.BAN):
        raise ModerationRefused(ModerationRefusal.HAS_NO_END)
    if ends_at is None and kind == Kind.SUSPENSION:
        raise ModerationRefused(ModerationRefusal.NEEDS_END)
    if ends_at is not None and ends_at <= now:
        raise ModerationRefused(ModerationRefusal.ENDS_BEFORE)
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
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
        _write_standing(user, now)
        if kind != Kind.NOTE:
            notify_sanctioned(user, "imposed", sanction)
        write_audit(
            actor=actor,
            act="sanction_impose",
            about=user,
            data={
                "sanction": sanction.pk,
                "kind": sanction.kind,
                "ends_at": ends_at,
                "case": case,
                "reason": digest_of_words(reason),
            },
        )
    return sanction


def lift_sanction(*, actor: User, sanction: Sanction, reason: str) -> Sanction:
    """End a sanction before its time.

    Raises ModerationRefused: NOT_BELOW, also for another account of the same person, NO_REASON, or
    as `end_sanction`.
    """
    now = timezone.now()
    reason = reason.strip()
    if not may_act_on(actor, sanction.user) or is_second_account(actor, sanction.user):
        raise ModerationRefused(ModerationRefusal.NOT_BELOW)
    if not reason:
        raise ModerationRefused(ModerationRefusal.NO_REASON)
    return end_sanction(actor=actor, sanction=sanction, reason=reason, now=now)


def end_sanction(*, actor: User, sanction: Sanction, reason: str, now: datetime) -> Sanction:
    """Lift a sanction, like `lift_sanction`, after the caller has checked the actor's right to.

    With an empty `reason` it does not notify the user, because the decision of an appeal does that
    itself. Raises Refused: NOT_RUNNING.
    """
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=sanction.user_id)
        sanction = Sanction.objects.select_for_update().get(pk=sanction.pk)
        if not sanction.is_running(now):
            raise ModerationRefused(ModerationRefusal.NOT_RUNNING)
        sanction.lifted_at, sanction.lifted_by = now, actor
        sanction.lift_reason = reason
        sanction.save(update_fields=["lifted_at", "lifted_by", "lift_reason"])
        _write_standing(user, now)
        if sanction.kind != Kind.NOTE and reason:
            notify_sanctioned(user, "lifted", sanction)
        write_audit(
            actor=actor,
            act="sanction_lift",
            about=user,
            data={
                "sanction": sanction.pk,
                "kind": sanction.kind,
                "reason": digest_of_words(reason),
            },
        )
    return sanction


def expire_sanctions(*, now: datetime) -> int:
    """Notify users whose sanctions have ended, and update their sockets and chat.

    The end itself needs no task, because every check compares the time. Returns how many have
    ended.
    """
    over = Sanction.objects.filter(ends_at__lte=now, lifted_at=None, expired_at=None)
    expired = 0
    for pk, user_pk in list(over.values_list("pk", "user_id")):
        with transaction.atomic():
            user = User.objects.select_for_update(no_key=True).get(pk=user_pk)
            sanction = over.select_for_update().filter(pk=pk).first()
            if sanction is None:
                continue
            sanction.expired_at = now
            sanction.save(update_fields=["expired_at"])
            _write_standing(user, now)
            notify_sanctioned(user, "ended", sanction)
            write_audit(
                actor=None,
                act="sanction_end",
                about=user,
                data={"sanction": sanction.pk, "kind": sanction.kind},
            )
            expired += 1
    return expired


def mark_warnings_read(*, user: User, shown: set[int]) -> None:
    """Mark the warnings that a page has shown as read."""
    now = timezone.now()
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        unread = user.sanctions.filter(kind=Kind.WARNING, read_at=None)
        if unread.filter(pk__in=shown).update(read_at=now):
            _write_standing(user, now)


def notify_sanctioned(user: User, what: str, sanction: Sanction) -> None:
    """Notify the user, on the site and by a mail in the user's language."""
    notify(
        user_pk=user.pk,
        kind=Notification.Kind.STANDING,
        about=f"{what}-{sanction.pk}"[:20],
        data={"what": what, "kind": sanction.kind, "sanction": sanction.pk},
        ways=("mail",),
    )


def digest_of_words(text: str) -> str:
    """Return the digest that stands for a text in the audit.

    The text may have to be deleted one day, but the row must stay. And a later change of the text
    does not match the digest.
    """
    return sha256(text.encode()).hexdigest()


def notify_listeners(user: User) -> None:
    """Call the listeners with this account after the commit."""
    for listener in _listeners:
        transaction.on_commit(partial(listener, user), robust=True)


def _write_standing(user: User, now: datetime) -> None:
    """Update the columns that every request reads, and call the listeners."""
    running = list(user.sanctions.running(now))
    shuts = [row.ends_at or NEVER for row in running if row.kind in (Kind.SUSPENSION, Kind.BAN)]
    user.shut_until = max(shuts, default=None)
    user.is_warned = any(row.kind == Kind.WARNING and row.read_at is None for row in running)
    user.save(update_fields=["shut_until", "is_warned"])
    notify_listeners(user)


def _standing_of(user: User) -> list[dict[str, Any]]:
    """Return, for the export, the sanctions that the user was notified of.

    Notes are left out, because others wrote them about the user.
    """
    return [
        {
            "kind": row.kind,
            "reason": row.reason,
            "at": row.at,
            "ends_at": row.ends_at,
            "lifted_at": row.lifted_at,
            "appeal": row.appeal.text if hasattr(row, "appeal") else None,
            "answer": row.appeal.answer if hasattr(row, "appeal") else None,
        }
        for row in user.sanctions.exclude(kind=Kind.NOTE).select_related("appeal")
    ]


def _depart(user: User) -> None:
    """Delete sanctions, appeals and signals with the account; the audit keeps a record of them."""
    Appeal.objects.filter(sanction__user=user).delete()
    user.sanctions.all().delete()
    user.signals.all().delete()


register_exporter("standing", _standing_of)
on_account_erased(_depart)
