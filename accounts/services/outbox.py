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
from accounts.throttling.limits import Limit, hit

Kind = Notification.Kind

logger = logging.getLogger(__name__)


class Verdict(NamedTuple):
    """What is to be done about a notice now, and the moment that its mail names."""

    moment: datetime | None = None
    waits: bool = False
    is_stale: bool = False


WAITS: Final = Verdict(waits=True)
STALE: Final = Verdict(is_stale=True)

# Maps each of these notices to its verdict.
Check = Callable[[list[Notification], datetime], Mapping[Notification, Verdict]]
_checks: Final[dict[Check, frozenset[str]]] = {}


def register_check(kinds: Iterable[Kind], check: Check) -> None:
    """Register `check`, which is called with all notices of these kinds before they go."""
    _checks[check] = frozenset(kinds)


def send_due(now: datetime) -> None:
    """Send what is due, to users who want it, outside their quiet hours."""
    Notification.objects.filter(UNSENT, expires_at__lte=now).update(mail_at=None, push_at=None)
    due = (
        Notification.objects.filter(Q(mail_at__lte=now) | Q(push_at__lte=now))
        .filter(user__is_active=True, user__bot_account=None)
        .select_related("user")
        .order_by("at", "pk")
    )
    rows: defaultdict[User, list[Notification]] = defaultdict(list)
    for row in due:
        rows[row.user].append(row)
    chosen = notices.settings_of(user.pk for user in rows)
    verdicts: dict[Notification, Verdict] = {}
    for check, kinds in _checks.items():
        if checked := [row for row in due if row.kind in kinds]:
            verdicts.update(check(checked, now))
    for user, theirs in rows.items():
        try:
            _send(user, chosen[user.pk], theirs, verdicts, now)
        except Exception:
            # One user's error must not keep the others waiting.
            logger.exception("a notice was not sent")


def _send(
    user: User,
    chosen: NoticeSettings,
    rows: list[Notification],
    verdicts: Mapping[Notification, Verdict],
    now: datetime,
) -> None:
    can_mail = any(row.mail_at for row in rows) and notices.can_mail(user)
    reaches = {"mail": can_mail, "push": True}
    for row in rows:
        for way, reaches_user in reaches.items():
            if row.topic and not (reaches_user and chosen.wants(row.topic, way)):
                _claim(row, way)
    if notices.is_quiet(chosen, user, now):
        rows = [row for row in rows if row.kind == Kind.STANDING]
    may_mail_turns = notices.may_mail_turns(chosen, now)
    turns = []
    for row in rows:
        verdict = verdicts.get(row, Verdict())
        if verdict.is_stale:
            _claim(row, "mail")
            _claim(row, "push")
        if verdict.is_stale or verdict.waits:
            continue
        if _may_send(row, "push") and _claim(row, "push"):
            _push(row, verdict.moment, now)
        if row.kind != Kind.TURN:
            if _may_send(row, "mail") and _claim(row, "mail"):
                _mail(row, verdict.moment)
        elif may_mail_turns and _claim(row, "mail"):
            # They share a mail, and have a limit of their own.
            turns.append((_path(row), verdict.moment))
    if turns:
        notices.mail_turns(chosen, user, turns, now)


def _may_send(row: Notification, way: str) -> bool:
    """Return whether the user may be sent one more this way. If not, the notice waits."""
    if getattr(row, f"{way}_at") is None or row.kind == Kind.STANDING:
        return getattr(row, f"{way}_at") is not None
    return hit(Limit.NOTICES, f"{way}:user:{row.user_id}") is None


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
