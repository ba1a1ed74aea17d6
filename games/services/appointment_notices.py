"""Telling the players of scheduled tables about the date: by the bell, by mail and by Web Push.

A notice is stored once for each user, kind and revision of the date, and rings the bell at once. A
worker (games/tasks.py) writes the reminders, and sends mails and pushes outside quiet hours. None
of it names a player, so blind tables stay blind.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final, assert_never

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.models import NoticeSettings, Notification, User
from accounts.services import notices, web_push
from accounts.services.notifications import notify
from games.models import IS_AHEAD, AppointmentNotice, Sat, Seat, Table
from games.services.announcements import announce_bell

Kind = AppointmentNotice.Kind

# How long before the date each reminder is due, and how long before it the reminder is too late.
_REMINDERS: Final = (
    (Kind.DAY, timedelta(days=1), timedelta(hours=1)),
    (Kind.SOON, timedelta(minutes=15), timedelta(0)),
)
# A table that did not take place is worth a mail for this long, so that quiet hours can pass.
_KNOWN_FOR: Final = timedelta(hours=12)
_KEPT: Final = timedelta(days=30)
_AT_ONCE: Final = 500
_BELLS: Final = {
    Kind.DAY: Notification.Kind.REMINDED,
    Kind.SOON: Notification.Kind.REMINDED,
    Kind.NOW: Notification.Kind.REMINDED,
    Kind.MOVED: Notification.Kind.MOVED,
    Kind.CANCELLED: Notification.Kind.CANCELLED,
    Kind.FAILED: Notification.Kind.CANCELLED,
    Kind.MISSED: Notification.Kind.MISSED,
}
# A mail that arrives when the table meets is late. Users who missed it learn so on the site.
_WITHOUT_MAIL: Final = frozenset({Kind.NOW, Kind.MISSED})
_WITHOUT_PUSH: Final = frozenset({Kind.MISSED})


def announce(*, table: Table, users: Iterable[int], kind: Kind, now: datetime) -> int:
    """Tell these users about a locked scheduled table. Return how many had not been told."""
    users = sorted(users)
    chosen = notices.settings_of(users)
    told = 0
    for user in users:
        told += _write(table, user, kind, chosen[user], now)
    return told


def write_reminders(now: datetime) -> int:
    """Write the reminders that are due. Return how many.

    A user who sat down, or learnt of the date, after a reminder was due does not get it.
    """
    written = 0
    for kind, ahead, too_late in _REMINDERS:
        had = AppointmentNotice.objects.filter(
            user=OuterRef("user"),
            table=OuterRef("table"),
            kind=kind,
            sequence=OuterRef("table__schedule_sequence"),
        )
        knew = Sat.objects.filter(
            table=OuterRef("table"),
            user=OuterRef("user"),
            at__lte=OuterRef("table__scheduled_at") - ahead,
        )
        due = (
            Seat.objects.filter(
                table__in=Table.objects.filter(
                    IS_AHEAD,
                    scheduled_at__gt=now + too_late,
                    scheduled_at__lte=now + ahead,
                    schedule_changed_at__lte=F("scheduled_at") - ahead,
                    frozen_at__isnull=True,
                ),
                user__is_active=True,
            )
            .filter(Exists(knew) & ~Exists(had))
            .select_related("table")
            .order_by("table__scheduled_at", "pk")[:_AT_ONCE]
        )
        rows = list(due)
        chosen = notices.settings_of(row.user_id for row in rows if row.user_id is not None)
        for row in rows:
            assert row.user_id is not None
            with transaction.atomic():
                written += _write(row.table, row.user_id, kind, chosen[row.user_id], now)
    return written


def send_due(now: datetime) -> None:
    """Send the mails and pushes that are due. Each is claimed first, so nothing goes twice."""
    seated = Seat.objects.filter(table=OuterRef("table"), user=OuterRef("user"))
    due = (
        AppointmentNotice.objects.filter(Q(mailed_at__isnull=True) | Q(pushed_at__isnull=True))
        .filter(expires_at__gt=now, user__is_active=True, user__bot_account=None)
        .annotate(is_seated=Exists(seated))
        .select_related("user", "table")
        .order_by("expires_at", "pk")
    )
    rows = list(due)
    chosen = notices.settings_of(row.user_id for row in rows)
    for row in rows:
        if not _is_true(row):
            AppointmentNotice.objects.filter(pk=row.pk).update(mailed_at=now, pushed_at=now)
            continue
        _send(row, row.user, chosen[row.user_id], now)


def withdraw_bells(*, table: Table, user: User) -> None:
    """Withdraw what the bell says about a scheduled table: the user is there."""
    if _unread(table, user.pk).delete()[0]:
        announce_bell(user.pk)


def delete_old(now: datetime) -> None:
    """Delete the notices of dates that have long passed."""
    AppointmentNotice.objects.filter(expires_at__lt=now - _KEPT).delete()


def _write(table: Table, user_pk: int, kind: Kind, chosen: NoticeSettings, now: datetime) -> bool:
    """Store a notice and ring the bell. Return False if the user has had it."""
    assert table.scheduled_at is not None
    defaults: dict[str, Any] = {
        "scheduled_at": table.scheduled_at,
        "made_at": now,
        "expires_at": _expiry(table.scheduled_at, kind, now),
        "mailed_at": None if kind not in _WITHOUT_MAIL else now,
        "pushed_at": None if kind not in _WITHOUT_PUSH else now,
    }
    _, is_new = AppointmentNotice.objects.get_or_create(
        user_id=user_pk,
        table=table,
        kind=kind,
        sequence=table.schedule_sequence,
        defaults=defaults,
    )
    if is_new:
        # Only the latest notice about a table is true.
        _unread(table, user_pk).delete()
        if chosen.wants("scheduled", "bell"):
            data = {"at": table.scheduled_at.isoformat(), "what": str(kind)}
            if kind == Kind.MISSED and table.needs_invitation:
                # Without a seat, only the invitation leads back.
                data["pass"] = table.invitation
            notify(user_pk=user_pk, kind=_BELLS[kind], about=table.code, data=data, now=now)
    return is_new


def _unread(table: Table, user_pk: int) -> QuerySet[Notification]:
    return Notification.objects.filter(
        user=user_pk, kind__in=set(_BELLS.values()), about=table.code, read_at__isnull=True
    )


def _expiry(at: datetime, kind: Kind, now: datetime) -> datetime:
    match kind:
        case Kind.DAY:
            return at - timedelta(hours=1)
        case Kind.SOON | Kind.MOVED:
            return at
        case Kind.NOW:
            return now + timedelta(seconds=settings.ROLL_CALL_SECONDS)
        case Kind.CANCELLED:
            return max(at, now + _KNOWN_FOR)
        case Kind.FAILED | Kind.MISSED:
            return now + _KNOWN_FOR
        case _:
            assert_never(kind)


def _is_true(row: AppointmentNotice) -> bool:
    """Return whether what the notice says still holds. `is_seated` is annotated."""
    is_seated: bool = getattr(row, "is_seated", False)
    match kind := Kind(row.kind):
        case Kind.DAY | Kind.SOON | Kind.MOVED:
            is_newest = row.sequence == row.table.schedule_sequence
            return is_seated and is_newest and row.table.is_ahead
        case Kind.NOW:
            return is_seated and row.table.is_calling_roll
        case Kind.CANCELLED | Kind.FAILED | Kind.MISSED:
            return True
        case _:
            assert_never(kind)


def _send(row: AppointmentNotice, user: User, chosen: NoticeSettings, now: datetime) -> None:
    for column, way in (("mailed_at", "mail"), ("pushed_at", "push")):
        if not chosen.wants("scheduled", way):
            _claim(row, column, now)
    if notices.is_quiet(chosen, user, now):
        return
    path = row.table.get_absolute_url()
    if _claim(row, "pushed_at", now):
        web_push.push_appointment(
            user=user,
            what=row.kind,
            table=row.table.code,
            url=path,
            at=row.scheduled_at,
            kept=int((row.expires_at - now).total_seconds()),
        )
    if _claim(row, "mailed_at", now) and notices.can_mail(user):
        notices.mail_appointment(user=user, what=row.kind, path=path, at=row.scheduled_at)


def _claim(row: AppointmentNotice, column: str, now: datetime) -> bool:
    """Set the column if it is still empty. Return whether this call set it."""
    if getattr(row, column) is not None:
        return False
    free = AppointmentNotice.objects.filter(pk=row.pk, **{f"{column}__isnull": True})
    setattr(row, column, now)
    return bool(free.update(**{column: now}))
