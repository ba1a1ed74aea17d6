"""Telling players that it is their turn at slow tables: by the bell, by mail and by Web Push.

At the other tables all are there, except perhaps when the game begins: then it calls them.

A move only notes whose turn it is, which is public. A worker (games/tasks.py) sends mails and
pushes later, to players who still have not moved and do not look at the table.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse

from accounts.models import NoticeSettings, Notification, User
from accounts.services import notices, web_push
from accounts.services.notifications import notify, notify_only
from games.models import Pace, Presence, Seat, Table, TurnNotice, Vacation
from games.services.announcements import announce_bell
from games.services.presence import STALE

# The paces for which users choose how they are told; the columns of NoticeSettings.
SLOW: Final = frozenset({Pace.DAILY, Pace.UNTIMED})
# Time to move at once, without a mail about it.
_GRACE: Final = timedelta(minutes=1)


def announce_turns(
    *, table: Table, seats: Iterable[Seat], to_act: Iterable[int], now: datetime
) -> None:
    """Note whose turn a new decision is, and withdraw the notices of the others."""
    wanted = set(to_act)
    users = {seat.user_id for seat in seats if seat.number in wanted and seat.user_id is not None}
    rows = TurnNotice.objects.filter(table=table)
    rows.exclude(user__in=users).delete()
    chosen = notices.settings_of(users)
    known = set(rows.values_list("user", flat=True)) if users else set()
    TurnNotice.objects.bulk_create(
        [TurnNotice(user_id=pk, table=table, since=now) for pk in sorted(users - known)],
        ignore_conflicts=True,
    )
    belled = {pk for pk in users if chosen[pk].wants(table.pace, "bell")}
    for user in notify_only(users=belled, kind=Notification.Kind.TURN, about=table.code):
        announce_bell(user)


def call_absent(*, table: Table, seats: Iterable[Seat], now: datetime) -> None:
    """Call the players who are not at their table when its game begins.

    Where a move may take a day, no one has to come at once. The worker that calls users to tables
    takes the calls back when they come: see `calls`.
    """
    if table.pace == Pace.DAILY:
        return
    for seat in seats:
        if seat.user_id is not None and not seat.is_connected:
            notify(user_pk=seat.user_id, kind=Notification.Kind.CALLED, about=table.code, now=now)
            announce_bell(seat.user_id)


def end_turns(*, table: Table, users: set[int]) -> None:
    """Withdraw the notices of users who have moved."""
    TurnNotice.objects.filter(table=table, user__in=users).delete()
    Notification.objects.filter(
        kind=Notification.Kind.TURN, about=table.code, user__in=users, read_at__isnull=True
    ).delete()


def delete_stale() -> None:
    """Delete the notices of games that were stopped."""
    TurnNotice.objects.exclude(table__stage=Table.Stage.RUNNING).delete()


def send_due(now: datetime) -> None:
    """Send the mails and pushes that are due. Each row is claimed first, so nothing goes twice.

    A vacation holds them back where it stops the clock.
    """
    away = Vacation.objects.filter(user=OuterRef("user"), ends_at__gt=now)
    looks = Presence.objects.filter(
        user=OuterRef("user"), table=OuterRef("table"), seen_at__gt=now - STALE
    )
    due = (
        TurnNotice.objects.filter(Q(mailed_at__isnull=True) | Q(pushed_at__isnull=True))
        .filter(since__lte=now - _GRACE, table__stage=Table.Stage.RUNNING)
        .filter(table__frozen_at__isnull=True, user__is_active=True, user__bot_account=None)
        .exclude(Exists(looks))
        .exclude(Exists(away), table__is_blind=False)
        .select_related("user", "table__game")
        .order_by("since", "pk")
    )
    rows: defaultdict[User, list[TurnNotice]] = defaultdict(list)
    for row in due:
        rows[row.user].append(row)
    chosen = notices.settings_of(user.pk for user in rows)
    for user, theirs in rows.items():
        _send(user, chosen[user.pk], theirs, now)


def _send(user: User, chosen: NoticeSettings, rows: list[TurnNotice], now: datetime) -> None:
    unwanted = [row for row in rows if not chosen.wants(row.table.pace, "push")]
    _claim(unwanted, "pushed_at", now)
    unwanted = [row for row in rows if not chosen.wants(row.table.pace, "mail")]
    _claim(unwanted, "mailed_at", now)
    if notices.is_quiet(chosen, user, now):
        return
    pushed = [row for row in rows if chosen.wants(row.table.pace, "push")]
    for row in _claim(pushed, "pushed_at", now):
        web_push.push_turn(user=user, table=row.table.code, url=row.table.get_absolute_url())
    mailed = [row for row in rows if chosen.wants(row.table.pace, "mail")]
    if mailed and notices.may_mail(chosen, user, now):
        claimed = _claim(mailed, "mailed_at", now)
        if claimed:
            waiting = [
                (reverse("games:table", args=[row.table.code]), row.table.game.deadline)
                for row in claimed
            ]
            notices.mail_turns(chosen, user, waiting, now)


def _claim(rows: list[TurnNotice], column: str, now: datetime) -> list[TurnNotice]:
    """Set the column where it is still empty, and return the rows in which this call set it."""
    return [
        row
        for row in rows
        if getattr(row, column) is None
        and TurnNotice.objects.filter(pk=row.pk, **{f"{column}__isnull": True}).update(
            **{column: now}
        )
    ]
