"""Telling players of their turns and of the dates of scheduled tables, and calling them to tables.

What is told here is public, or known to everyone at the table, and names no player: so blind tables
stay blind. The notices are accounts.Notification; a worker sends their mails and pushes (accounts,
`outbox`), and asks here what is still true.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction

from accounts.models import Notification
from accounts.services.notices import WAYS
from accounts.services.notifications import LIVE, notify, post, withdraw
from accounts.services.outbox import STALE, WAITS, Verdict, register_check
from games.models import IS_AHEAD, Pace, Presence, Seat, Table, Vacation
from games.services.announcements import announce_bell
from games.services.presence import STALE as GONE_AFTER

Kind = Notification.Kind

# The paces for which users choose how they are told; the topics of their choices.
SLOW: Final = frozenset({Pace.DAILY, Pace.UNTIMED})
# Time to move at once, without a mail about it.
_GRACE: Final = timedelta(minutes=1)
# How long before a date players are reminded, by the word for it, and how long before the date the
# reminder is too late.
_REMINDERS: Final = {
    "day": (timedelta(days=1), timedelta(hours=1)),
    "soon": (timedelta(minutes=15), timedelta(0)),
}
# The notices about a date: the kind that the bell shows, and the ways if not all. When the table
# meets, a mail is too late; those who missed it need no mail.
_DATES: Final = {
    "day": Kind.REMINDED,
    "soon": Kind.REMINDED,
    "now": Kind.REMINDED,
    "moved": Kind.MOVED,
    "cancelled": Kind.CANCELLED,
    "failed": Kind.CANCELLED,
    "missed": Kind.MISSED,
}
_WAYS: Final = {"now": ("bell", "push"), "missed": ("bell",)}
# A host who tries several dates sends one mail: each move withdraws the unsent notice of the last.
_MOVES_SETTLE: Final = timedelta(minutes=5)
# A table that did not take place is worth a mail for this long, so that quiet hours can pass.
_KNOWN_FOR: Final = timedelta(hours=12)
# A push to come to a table is of no more use after this long.
_CALLED_FOR: Final = timedelta(minutes=10)
_AT_ONCE: Final = 100


# Turns at slow tables -----------------------------------------------------------------------------


def announce_turns(
    *, table: Table, seats: Iterable[Seat], to_act: Iterable[int], now: datetime
) -> None:
    """Tell the players whose turn a new decision is, and withdraw the notices of the others."""
    wanted = set(to_act)
    users = {seat.user_id for seat in seats if seat.number in wanted and seat.user_id is not None}
    live = Notification.objects.filter(LIVE, kind=Kind.TURN, about=table.code)
    told = set(live.values_list("user", flat=True))
    if told - users:
        withdraw(kinds=(Kind.TURN,), about=table.code, users=told - users)
    if users - told:
        belled = post(
            users=users - told,
            kind=Kind.TURN,
            about=table.code,
            topic=table.pace,
            now=now,
            wait=_GRACE,
        )
        for user in belled:
            announce_bell(user)


def end_turns(*, table: Table, users: set[int]) -> None:
    """Withdraw the notices of users who have moved."""
    withdraw(kinds=(Kind.TURN,), about=table.code, users=users)


def _check_turns(rows: list[Notification], now: datetime) -> dict[Notification, Verdict]:
    """Hold back while a player looks, the table is frozen, or a vacation stops the clock.

    Three queries.
    """
    codes, users = {row.about for row in rows}, {row.user_id for row in rows}
    running = Table.objects.filter(code__in=codes, stage=Table.Stage.RUNNING)
    tables = {table.code: table for table in running.select_related("game")}
    present = Presence.objects.filter(user__in=users, seen_at__gt=now - GONE_AFTER)
    looks = set(present.values_list("user", "table__code"))
    away = set(
        Vacation.objects.filter(user__in=users, ends_at__gt=now).values_list("user", flat=True)
    )

    def verdict(row: Notification) -> Verdict:
        table = tables.get(row.about)
        if table is None:
            return STALE
        is_away = row.user_id in away and not table.is_blind
        if table.is_frozen or is_away or (row.user_id, row.about) in looks:
            return WAITS
        return Verdict(table.game.deadline)

    return {row: verdict(row) for row in rows}


# Calls --------------------------------------------------------------------------------------------


def call_user(*, user_pk: int, table: Table, now: datetime, pushes: bool = False) -> None:
    """Call a user to a table, on every page; with `pushes` also on devices, unless it is quiet.

    The worker that serves those who look for a game takes calls back when they come: see `calls`.
    """
    notify(
        user_pk=user_pk,
        kind=Kind.CALLED,
        about=table.code,
        ways=("push",) if pushes else (),
        expires_at=now + _CALLED_FOR,
        now=now,
    )


def call_absent(*, table: Table, seats: Iterable[Seat], now: datetime) -> None:
    """Call the players who are not at their table when its game begins.

    Where a move may take a day, no one has to come at once.
    """
    if table.pace == Pace.DAILY:
        return
    for seat in seats:
        if seat.user_id is not None and not seat.is_connected:
            call_user(user_pk=seat.user_id, table=table, now=now)


# Dates --------------------------------------------------------------------------------------------


def next_reminder(scheduled_at: datetime, now: datetime) -> datetime | None:
    """Return when players are next reminded of a date, or None if it is too near for that."""
    times = (scheduled_at - ahead for ahead, _ in _REMINDERS.values())
    return min((at for at in times if at > now), default=None)


def remind_due(now: datetime) -> int:
    """Remind the players of the tables at which it is time. Return how many tables there were."""
    due = Table.objects.filter(IS_AHEAD, reminds_at__lte=now, frozen_at__isnull=True)
    reminded = 0
    for pk in due.order_by("reminds_at").values_list("pk", flat=True)[:_AT_ONCE]:
        with transaction.atomic():
            # Another worker may have been first, or the host has set another date.
            table = due.select_for_update().filter(pk=pk).first()
            if table is not None:
                _remind(table, now)
                reminded += 1
    return reminded


def _remind(table: Table, now: datetime) -> None:
    assert table.scheduled_at is not None
    left = table.scheduled_at - now
    table.reminds_at = next_reminder(table.scheduled_at, now)
    table.save(update_fields=["reminds_at"])
    for what, (ahead, too_late) in _REMINDERS.items():
        if too_late < left <= ahead:
            users = table.seats.filter(user__is_active=True).values_list("user", flat=True)
            announce_date(table=table, users=set(users), what=what, now=now)


def announce_date(*, table: Table, users: Iterable[int | None], what: str, now: datetime) -> None:
    """Tell these users about the date of a locked table: `what` is a key of _DATES.

    Only the latest notice about a table is true, so the earlier ones are withdrawn.
    """
    assert table.scheduled_at is not None
    people = {user for user in users if user is not None}
    data: dict[str, Any] = {"at": table.scheduled_at.isoformat(), "what": what}
    if what == "missed" and table.needs_invitation:
        # Without a seat, only the invitation leads back.
        data["pass"] = table.invitation
    withdraw(kinds=_DATES.values(), about=table.code, users=people)
    belled = post(
        users=people,
        kind=_DATES[what],
        about=table.code,
        topic="scheduled",
        data=data,
        ways=_WAYS.get(what, WAYS),
        now=now,
        wait=_MOVES_SETTLE if what == "moved" else timedelta(0),
        expires_at=_expiry(table, what, now),
    )
    for user in belled:
        announce_bell(user)


def _expiry(table: Table, what: str, now: datetime) -> datetime | None:
    at = table.scheduled_at
    assert at is not None
    if what in _REMINDERS:
        return at - _REMINDERS[what][1]
    if what == "now":
        return table.asked_until
    return at if what == "moved" else max(at, now + _KNOWN_FOR)


def withdraw_dates(*, table: Table, users: Iterable[int]) -> None:
    """Withdraw the notices about a date from these users, who have come."""
    for user in withdraw(kinds=_DATES.values(), about=table.code, users=set(users)):
        announce_bell(user)


def _check_dates(rows: list[Notification], now: datetime) -> dict[Notification, Verdict]:
    """Send only what still holds: to players who have a seat, about the date that the table has.

    One query.
    """
    seats = Seat.objects.filter(table__code__in={row.about for row in rows}).select_related("table")
    tables = {(seat.user_id, seat.table.code): seat.table for seat in seats}

    def verdict(row: Notification) -> Verdict:
        at = datetime.fromisoformat(row.data["at"])
        if row.kind == Kind.CANCELLED:
            return Verdict(at)
        table = tables.get((row.user_id, row.about))
        if table is None:
            return STALE
        if row.data["what"] == "now":
            return Verdict(at) if table.is_meeting else STALE
        return Verdict(at) if table.is_ahead and table.scheduled_at == at else STALE

    return {row: verdict(row) for row in rows}


def _check_calls(rows: list[Notification], now: datetime) -> dict[Notification, Verdict]:
    """Send no call that was answered on the site. One query."""
    present = Presence.objects.filter(user__in={row.user_id for row in rows})
    there = set(present.values_list("user", "table__code"))
    return {
        row: STALE if row.read_at is not None or (row.user_id, row.about) in there else Verdict()
        for row in rows
    }


def register_checks() -> None:
    """Have the worker that sends notices ask what is still true of tables."""
    register_check((Kind.CALLED,), _check_calls)
    register_check((Kind.TURN,), _check_turns)
    register_check(_DATES.values(), _check_dates)
