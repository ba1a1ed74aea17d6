"""Sending the mails and pushes of notices that are due.

Each is claimed first, so nothing goes out twice: not by two workers, and not after a crash between
the claim and the sending. Other apps say what is still true: `register_check`.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Final, NamedTuple

from django.conf import settings
from django.db.models import Q
from django.urls import reverse

from accounts.mail.messages import mail_user
from accounts.models import NoticeSettings, Notification, Sanction, User
from accounts.services import notices, web_push
from accounts.services.notifications import UNSENT

Kind = Notification.Kind

logger = logging.getLogger(__name__)


class Checked(NamedTuple):
    """Which notices may go out now, and which never. The others wait."""

    # By the notice's key, the moment that its mail names.
    ready: Mapping[int, datetime | None]
    stale: Iterable[int]


Check = Callable[[list[Notification], datetime], Checked]
_checks: Final[dict[Kind, Check]] = {}


def register_check(kinds: Iterable[Kind], check: Check) -> None:
    """Register `check`, which is called with unsent notices of these kinds just before they go."""
    _checks.update(dict.fromkeys(kinds, check))


def send_due(now: datetime) -> None:
    """Send what is due, to users who want it, outside their quiet hours."""
    Notification.objects.filter(UNSENT, expires_at__lte=now).update(mail_at=None, push_at=None)
    due = (
        Notification.objects.filter(Q(mail_at__lte=now) | Q(push_at__lte=now))
        .filter(user__is_active=True, user__bot_account=None)
        .select_related("user")
        .order_by("at", "pk")
    )
    rows = list(due)
    moments = _moments(rows, now)
    theirs: defaultdict[User, list[Notification]] = defaultdict(list)
    for row in rows:
        if row.pk in moments:
            theirs[row.user].append(row)
    chosen = notices.settings_of(user.pk for user in theirs)
    for user, ready in theirs.items():
        try:
            _send(user, chosen[user.pk], ready, moments, now)
        except Exception:
            # One user's error must not keep the others waiting.
            logger.exception("a notice was not sent")


def _moments(rows: list[Notification], now: datetime) -> dict[int, datetime | None]:
    """Return the notices that may go out now, with the moments that they name."""
    by_check: defaultdict[Check | None, list[Notification]] = defaultdict(list)
    for row in rows:
        by_check[_checks.get(Kind(row.kind))].append(row)
    moments: dict[int, datetime | None] = {row.pk: None for row in by_check.pop(None, ())}
    for check, checked in by_check.items():
        assert check is not None
        ready, stale = check(checked, now)
        moments.update(ready)
        Notification.objects.filter(pk__in=stale).update(mail_at=None, push_at=None)
    return moments


def _send(
    user: User,
    chosen: NoticeSettings,
    rows: list[Notification],
    moments: Mapping[int, datetime | None],
    now: datetime,
) -> None:
    reaches = {"mail": notices.can_mail(user), "push": True}
    for row in rows:
        for way, reaches_user in reaches.items():
            if row.topic and not (reaches_user and chosen.wants(row.topic, way)):
                _claim(row, way)
    if notices.is_quiet(chosen, user, now):
        rows = [row for row in rows if row.kind == Kind.STANDING]
    for row in rows:
        if _claim(row, "push"):
            _push(row, moments[row.pk], now)
    turns = [row for row in rows if row.kind == Kind.TURN and row.mail_at is not None]
    if turns and notices.may_mail_turns(chosen, now):
        waiting = [(_path(row), moments[row.pk]) for row in turns if _claim(row, "mail")]
        if waiting:
            notices.mail_turns(chosen, user, waiting, now)
    for row in rows:
        if row.kind != Kind.TURN and _claim(row, "mail"):
            _mail(row, moments[row.pk])


def _claim(row: Notification, way: str) -> bool:
    """Note that a notice needs no more sending this way. Return whether this call did."""
    column = f"{way}_at"
    if getattr(row, column) is None:
        return False
    setattr(row, column, None)
    unsent = Notification.objects.filter(pk=row.pk, **{f"{column}__isnull": False})
    return bool(unsent.update(**{column: None}))


def _push(row: Notification, moment: datetime | None, now: datetime) -> None:
    if row.kind == Kind.TURN:
        web_push.push_turn(user=row.user, table=row.about, url=_path(row))
    elif row.kind == Kind.CALLED:
        web_push.push_call(user=row.user, table=row.about, url=_path(row))
    elif moment is not None and row.expires_at is not None:
        web_push.push_appointment(
            user=row.user,
            what=row.data["what"],
            table=row.about,
            url=_path(row),
            at=moment,
            kept=int((row.expires_at - now).total_seconds()),
        )


def _mail(row: Notification, moment: datetime | None) -> None:
    if row.kind == Kind.STANDING:
        sanction = Sanction.objects.filter(pk=row.data["sanction"]).first()
        if sanction is not None:
            mail_user(
                row.user,
                f"account/email/sanction_{row.data['what']}",
                sanction=sanction,
                appeal=getattr(sanction, "appeal", None),
                origin=settings.SITE_ORIGIN,
            )
    elif moment is not None:
        notices.mail_appointment(user=row.user, what=row.data["what"], path=_path(row), at=moment)


def _path(row: Notification) -> str:
    """Return the path of the table that the notice is about."""
    return reverse("games:table", args=[row.about])
