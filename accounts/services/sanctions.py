"""Sanctions: imposed and lifted, and felt at every door at once."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.mails import mail_person
from accounts.models import Appeal, Notification, Sanction, User
from accounts.refusals import Refusal, Refused
from accounts.roles import Rank, may_act_on, rank
from accounts.services.audit import audit_write
from accounts.services.departures import on_departure
from accounts.services.exports import provide
from accounts.services.notifications import notify

logger = logging.getLogger(__name__)

Kind = Sanction.Kind
# A ban, as a moment that never comes.
NEVER: Final = datetime(9999, 1, 1, tzinfo=UTC)

Listener = Callable[[User], None]
_listeners: Final[list[Listener]] = []


def on_standing(listener: Listener) -> None:
    """Has `listener` called with each account whose standing or role has changed, as it then is.

    After the commit: what it does takes locks of its own, table by table.
    """
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
        _standing_write(user, now)
        if kind != Kind.NOTE:
            tell(user, "imposed", sanction)
        audit_write(
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


def sanction_lift(*, actor: User, sanction: Sanction, reason: str) -> Sanction:
    """Ends it before its time. Raises Refused: the person is not below the actor, no reason, or
    it is no longer in force."""
    now = timezone.now()
    reason = reason.strip()
    if not may_act_on(actor, sanction.user):
        raise Refused(Refusal.NOT_BELOW)
    if not reason:
        raise Refused(Refusal.NO_REASON)
    return sanction_end(actor=actor, sanction=sanction, reason=reason, now=now)


def sanction_end(*, actor: User, sanction: Sanction, reason: str, now: datetime) -> Sanction:
    """As `sanction_lift`, for who has asked already whether the actor may: an appeal's decision
    tells the person itself, by an empty `reason`. Raises Refused: NOT_RUNNING."""
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=sanction.user_id)
        sanction = Sanction.objects.select_for_update().get(pk=sanction.pk)
        if not sanction.is_running(now):
            raise Refused(Refusal.NOT_RUNNING)
        sanction.lifted_at, sanction.lifted_by = now, actor
        sanction.lift_reason = reason
        sanction.save(update_fields=["lifted_at", "lifted_by", "lift_reason"])
        _standing_write(user, now)
        if sanction.kind != Kind.NOTE and reason:
            tell(user, "lifted", sanction)
        audit_write(
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


def sanctions_expire(*, now: datetime) -> int:
    """Tells those whose sanctions are over, and opens what waits to be told (their sockets, the
    chat). That they *are* over, every door knows by the clock. Returns how many."""
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
            _standing_write(user, now)
            tell(user, "ended", sanction)
            audit_write(
                actor=None,
                act="sanction_end",
                about=user,
                data={"sanction": sanction.pk, "kind": sanction.kind},
            )
            expired += 1
    return expired


def warnings_read(*, user: User, shown: set[int]) -> None:
    """Notes that the warnings which a page has shown have been read."""
    now = timezone.now()
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        unread = user.sanctions.filter(kind=Kind.WARNING, read_at=None)
        if unread.filter(pk__in=shown).update(read_at=now):
            _standing_write(user, now)


def tell(user: User, what: str, sanction: Sanction, **context: Any) -> None:
    """A notification, and a mail once it is committed, in the person's own language."""
    notify(
        user_pk=user.pk,
        kind=Notification.Kind.STANDING,
        about=f"{what}-{sanction.pk}"[:20],
        data={"what": what, "kind": sanction.kind},
    )
    mail = partial(
        mail_person,
        user,
        f"account/email/sanction_{what}",
        sanction=sanction,
        origin=settings.SITE_ORIGIN,
        **context,
    )
    transaction.on_commit(mail, robust=True)


def digest_of_words(text: str) -> str:
    """Stands for a text in the audit: the text may have to go one day, and the row may not; and
    what was written cannot be written otherwise later."""
    return sha256(text.encode()).hexdigest()


def tell_listeners(user: User) -> None:
    """Once it is committed, those who want to know hear of this account."""
    for listener in _listeners:
        transaction.on_commit(partial(listener, user), robust=True)


def _standing_write(user: User, now: datetime) -> None:
    """Writes to the account what every request asks of it, and has others told."""
    running = list(user.sanctions.running(now))
    shuts = [row.ends_at or NEVER for row in running if row.kind in (Kind.SUSPENSION, Kind.BAN)]
    user.shut_until = max(shuts, default=None)
    user.is_warned = any(row.kind == Kind.WARNING and row.read_at is None for row in running)
    user.save(update_fields=["shut_until", "is_warned"])
    tell_listeners(user)


def _standing_of(user: User) -> list[dict[str, Any]]:
    """For the export: what the person has been told. Notes are what others wrote about them."""
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
    """With the account goes what was said to it and by it; the audit keeps that it was."""
    Appeal.objects.filter(sanction__user=user).delete()
    user.sanctions.all().delete()
    user.signals.all().delete()


provide("standing", _standing_of)
on_departure(_depart)
