"""What people are told, and that they have read it."""

from collections.abc import Mapping
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
    """Tells a person something; once, as long as they have not read it.

    `by` is the primary key of whose doing it is: nothing is told of somebody whom this person
    has blocked. `about` is the code of a table, `data` what the sentence needs besides.
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
    """Has exactly these people hear of it: the others, where they have not read it, no more.

    Returns whom it is news to: their bells are the caller's to ring. Three statements at most.
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
    """What a person was told last, the newest first."""
    mine = Notification.objects.filter(user=user_pk).select_related("by")
    return mine[:MOST_SHOWN]


def mark_read(*, user_pk: int, pk: int | None = None) -> None:
    """Notes that a person has read one of their notifications, or, without `pk`, all."""
    unread = Notification.objects.filter(user=user_pk, read_at__isnull=True)
    if pk is not None:
        unread = unread.filter(pk=pk)
    unread.update(read_at=timezone.now())


def take_back(
    *, kind: Notification.Kind, user_pk: int | None = None, by: int | None = None, about: str = ""
) -> None:
    """Forgets what is true no more and has not been read."""
    stale = Notification.objects.filter(kind=kind, about=about, read_at__isnull=True)
    if user_pk is not None:
        stale = stale.filter(user=user_pk)
    if by is not None:
        stale = stale.filter(by=by)
    stale.delete()


def forget_old(*, now: datetime) -> int:
    """Forgets what was told two months ago. Returns how many."""
    deleted, _ = Notification.objects.filter(at__lt=now - _KEPT).delete()
    return deleted
