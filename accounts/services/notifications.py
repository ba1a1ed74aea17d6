"""Notices to users: posting and listing them, marking them as read, and taking them back.

The bell shows them at once. A worker sends their mails and pushes: see `outbox`.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import Block, Notification
from accounts.services.notices import WAYS, settings_of

MOST_SHOWN: Final = 50
_KEPT: Final = timedelta(days=60)
# Notices of which a mail or a push has yet to be sent.
UNSENT: Final = Q(mail_at__isnull=False) | Q(push_at__isnull=False)
# Notices that were not read, or that are still sent.
LIVE: Final = UNSENT | Q(read_at__isnull=True)


def notify(
    *,
    user_pk: int,
    kind: Notification.Kind,
    by: int | None = None,
    about: str = "",
    data: Mapping[str, Any] | None = None,
    ways: Collection[str] = (),
    expires_at: datetime | None = None,
    now: datetime | None = None,
) -> None:
    """Notify a user, unless the same notification is still unread.

    `by` is the primary key of the user who caused it: nothing is created if the recipient has
    blocked that user. `about` names the subject, such as the code of a table, and `data` holds what
    else the text needs. A worker also sends it by `ways`, until `expires_at`.
    """
    if by is not None and Block.objects.filter(blocker=user_pk, blocked=by).exists():
        return
    same = Notification.objects.filter(
        user=user_pk, kind=kind, by=by, about=about, read_at__isnull=True
    )
    if same.exists():
        return
    now = now or timezone.now()
    Notification.objects.create(
        user_id=user_pk,
        kind=kind,
        by_id=by,
        about=about,
        data=dict(data or {}),
        at=now,
        mail_at=now if "mail" in ways else None,
        push_at=now if "push" in ways else None,
        expires_at=expires_at,
    )


def post(
    *,
    users: Iterable[int],
    kind: Notification.Kind,
    about: str,
    topic: str,
    data: Mapping[str, Any] | None = None,
    ways: Collection[str] = WAYS,
    now: datetime,
    wait: timedelta = timedelta(),
    expires_at: datetime | None = None,
) -> set[int]:
    """Post a notice in the ways that each of these users has chosen for the `topic`.

    Return those whose bell has to ring: the caller updates it. `ways` are those that make sense.
    Mails and pushes are due after `wait`, and of no more use at `expires_at`. Two queries.
    """
    users = sorted(users)
    chosen = settings_of(users)
    belled = {pk for pk in users if "bell" in ways and chosen[pk].wants(topic, "bell")}
    Notification.objects.bulk_create(
        Notification(
            user_id=pk,
            kind=kind,
            about=about,
            data=dict(data or {}),
            topic=topic,
            at=now,
            on_bell=pk in belled,
            mail_at=now + wait if "mail" in ways else None,
            push_at=now + wait if "push" in ways else None,
            expires_at=expires_at,
        )
        for pk in users
    )
    return belled


def newest_of(user_pk: int) -> QuerySet[Notification]:
    """Return a user's latest notifications, newest first."""
    mine = Notification.objects.filter(user=user_pk, on_bell=True).select_related("by")
    return mine[:MOST_SHOWN]


def mark_read(*, user_pk: int, pk: int | None = None) -> None:
    """Mark the user's notification `pk` as read, or all of them without `pk`."""
    unread = Notification.objects.filter(user=user_pk, on_bell=True, read_at__isnull=True)
    if pk is not None:
        unread = unread.filter(pk=pk)
    unread.update(read_at=timezone.now())


def mark_answered(*, user_pk: int, kinds: Collection[Notification.Kind], about: str) -> None:
    """Mark a user's notifications of these kinds about one subject as read."""
    Notification.objects.filter(
        user=user_pk, kind__in=kinds, about=about, read_at__isnull=True
    ).update(read_at=timezone.now())


def take_back(
    *, kind: Notification.Kind, user_pk: int | None = None, by: int | None = None, about: str = ""
) -> None:
    """Delete unread notifications that are no longer true."""
    stale = Notification.objects.filter(kind=kind, about=about, read_at__isnull=True)
    if user_pk is not None:
        stale = stale.filter(user=user_pk)
    if by is not None:
        stale = stale.filter(by=by)
    stale.delete()


def withdraw(*, kinds: Iterable[Notification.Kind], about: str, users: Iterable[int]) -> set[int]:
    """Delete these users' unread notices, and send the read ones no more.

    Return the users who had any.
    """
    rows = Notification.objects.filter(LIVE, kind__in=set(kinds), about=about, user__in=users)
    had = set(rows.values_list("user", flat=True))
    if had:
        rows.filter(read_at__isnull=True).delete()
        rows.filter(UNSENT).update(mail_at=None, push_at=None)
    return had


def delete_old_notifications(*, now: datetime) -> int:
    """Delete notifications that are two months old. Return how many."""
    deleted, _ = Notification.objects.filter(at__lt=now - _KEPT).delete()
    return deleted
