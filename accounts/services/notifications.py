"""Notifications: creating and listing them, and marking them as read."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Block, Notification

MOST_SHOWN: Final = 50
_KEPT: Final = timedelta(days=60)


def notify(
    *,
    user_pk: int,
    kind: Notification.Kind,
    by: int | None = None,
    about: str = "",
    data: Mapping[str, Any] | None = None,
    now: datetime | None = None,
) -> None:
    """Notify a user, unless the same notification is still unread.

    `by` is the primary key of the user who caused it: nothing is created if the recipient has
    blocked that user. `about` names the subject, such as the code of a table, and `data` holds what
    else the text needs.
    """
    if by is not None and Block.objects.filter(blocker=user_pk, blocked=by).exists():
        return
    same = Notification.objects.filter(
        user=user_pk, kind=kind, by=by, about=about, read_at__isnull=True
    )
    if same.exists():
        return
    Notification.objects.create(
        user_id=user_pk,
        kind=kind,
        by_id=by,
        about=about,
        data=dict(data or {}),
        at=now or timezone.now(),
    )


def notify_only(*, users: set[int], kind: Notification.Kind, about: str) -> set[int]:
    """Notify exactly these users, and delete the unread notifications of all others.

    Returns the users to whom it is new; the caller updates their bells. At most three queries.
    """
    unread = Notification.objects.filter(kind=kind, about=about, read_at__isnull=True)
    unread.exclude(user__in=users).delete()
    news = users - set(unread.values_list("user", flat=True)) if users else set()
    now = timezone.now()
    Notification.objects.bulk_create(
        Notification(user_id=pk, kind=kind, about=about, at=now) for pk in sorted(news)
    )
    return news


def newest_of(user_pk: int) -> QuerySet[Notification]:
    """Return a user's latest notifications, newest first."""
    mine = Notification.objects.filter(user=user_pk).select_related("by")
    return mine[:MOST_SHOWN]


def mark_read(*, user_pk: int, pk: int | None = None) -> None:
    """Mark the user's notification `pk` as read, or all of them without `pk`."""
    unread = Notification.objects.filter(user=user_pk, read_at__isnull=True)
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


def delete_old_notifications(*, now: datetime) -> int:
    """Delete notifications that are two months old. Return how many."""
    deleted, _ = Notification.objects.filter(at__lt=now - _KEPT).delete()
    return deleted
