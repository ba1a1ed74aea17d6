"""How users are told of their turns and dates: their choices, quiet hours, and the mails."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils import timezone

from accounts.mail.messages import mail_user
from accounts.models import NoticeSettings, User
from accounts.profiles.instants import zone_for
from accounts.profiles.locale_names import zone_of

WAYS: Final = ("bell", "mail", "push")
_BETWEEN_MAILS: Final = timedelta(hours=1)
# The mails that a link ends, by the salt of its signature: the columns of NoticeSettings.
_SALTS: Final = {
    "accounts.turn-mails": ("daily_mail", "untimed_mail"),
    "accounts.date-mails": ("scheduled_mail",),
}
_TURNS, _DATES = _SALTS


def settings_of(users: Iterable[int]) -> dict[int, NoticeSettings]:
    """Return each user's choices; those of a user who made none are the defaults. One query."""
    pks = set(users)
    found = NoticeSettings.objects.in_bulk(pks) if pks else {}
    return {pk: found.get(pk) or NoticeSettings(user_id=pk) for pk in pks}


def is_quiet(chosen: NoticeSettings, user: User, now: datetime) -> bool:
    """Return whether it is a quiet hour of the user. A quiet time may pass midnight."""
    start, end = chosen.quiet_from, chosen.quiet_until
    if start is None or end is None or start == end:
        return False
    hour = timezone.localtime(now, zone_for(user)).hour
    return start <= hour < end if start < end else hour >= start or hour < end


def may_mail_turns(chosen: NoticeSettings, now: datetime) -> bool:
    """Return whether the user may get a mail about turns now: at most one an hour."""
    return chosen.mailed_at is None or chosen.mailed_at <= now - _BETWEEN_MAILS


def can_mail(user: User) -> bool:
    """Return whether a mail with a link to the site reaches a confirmed address of the user."""
    return sends_mail() and has_address(user)


def sends_mail() -> bool:
    """Return whether the site sends notices by mail: it needs a mail server and an origin."""
    return bool(settings.SITE_ORIGIN and settings.MAIL_IS_CONFIGURED)


def has_address(user: User) -> bool:
    """Return whether the user has a confirmed address."""
    return bool(EmailAddress.objects.filter(user=user, primary=True, verified=True).exists())


def mail_turns(
    chosen: NoticeSettings,
    user: User,
    waiting: Sequence[tuple[str, datetime | None]],
    now: datetime,
) -> None:
    """Send one mail about all tables that wait: pairs of a path and the end of the time."""
    NoticeSettings.objects.update_or_create(user=user, defaults={"mailed_at": now})
    tables = [(settings.SITE_ORIGIN + path, until) for path, until in waiting]
    _mail(user, "account/email/turns", stop_path(user.pk), tables=tables)


def mail_appointment(*, user: User, what: str, path: str, at: datetime) -> None:
    """Send a mail about a scheduled table: `what` is "day", "soon", "moved", and so on.

    `path` leads to the table, which meets at `at`.
    """
    link = settings.SITE_ORIGIN + path
    stop = stop_path(user.pk, _DATES)
    _mail(user, "account/email/appointment", stop, what=what, link=link, at=at)


def _mail(user: User, template: str, stop: str, **context: Any) -> None:
    """Send a mail that its reader can end at the path `stop`."""
    stop = settings.SITE_ORIGIN + stop
    mail_user(
        user,
        template,
        headers={
            # RFC 8058: one press in the mail program ends these mails.
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        stop=stop,
        **context,
    )


def change_settings(*, user: User, chosen: Mapping[str, Any], zone: str = "") -> None:
    """Save the user's choices: values of the columns of NoticeSettings.

    Quiet hours need a time zone: an account without one gets `zone`, the browser's.
    """
    NoticeSettings.objects.update_or_create(user=user, defaults=chosen)
    if chosen.get("quiet_from") is not None and not user.time_zone and zone_of(zone):
        user.time_zone = zone
        user.save(update_fields=["time_zone"])


def stop_path(user_pk: int, salt: str = _TURNS) -> str:
    """Return the signed path at which a mail's reader ends these mails, without signing in."""
    return reverse("account_stop_turn_mails", args=[signing.dumps(user_pk, salt=salt)])


def stop_mails(signed: str) -> bool:
    """End the mails that the signed value names. Return whether it names any."""
    user, salt = _read(signed)
    if user is None:
        return False
    NoticeSettings.objects.update_or_create(user=user, defaults=dict.fromkeys(_SALTS[salt], False))
    return True


def user_of(signed: str) -> User | None:
    """Return the user whom a value signed by `stop_path` names."""
    return _read(signed)[0]


def is_about_dates(signed: str) -> bool:
    """Return whether the signed value ends the mails about scheduled tables."""
    return _read(signed)[1] == _DATES


def _read(signed: str) -> tuple[User | None, str]:
    """Return the user whom a signed value names, and the salt of its signature."""
    for salt in _SALTS:
        try:
            pk = signing.loads(signed, salt=salt)
        except signing.BadSignature:
            continue
        return User.objects.filter(pk=pk, is_active=True).first(), salt
    return None, ""
