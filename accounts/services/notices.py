"""How users are told that it is their turn: their choices, quiet hours, and the mail about it."""

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
from accounts.profiles.locale_names import zone_of

WAYS: Final = ("bell", "mail", "push")
_BETWEEN_MAILS: Final = timedelta(hours=1)
_SALT: Final = "accounts.turn-mails"


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
    hour = timezone.localtime(now, zone_of(user.time_zone) or timezone.get_default_timezone()).hour
    return start <= hour < end if start < end else hour >= start or hour < end


def may_mail(chosen: NoticeSettings, user: User, now: datetime) -> bool:
    """Return whether a mail may go out now: to a confirmed address, at most one an hour.

    The mail links to the site, so the site has to have a public address.
    """
    if not (settings.SITE_ORIGIN and settings.MAIL_ARRIVES):
        return False
    if chosen.mailed_at is not None and chosen.mailed_at > now - _BETWEEN_MAILS:
        return False
    return has_address(user)


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
    stop = settings.SITE_ORIGIN + stop_path(user.pk)
    with timezone.override(zone_of(user.time_zone) or timezone.get_default_timezone()):
        mail_user(
            user,
            "account/email/turns",
            headers={
                # RFC 8058: one press in the mail program ends these mails.
                "List-Unsubscribe": f"<{stop}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            },
            tables=[(settings.SITE_ORIGIN + path, until) for path, until in waiting],
            stop=stop,
        )


def change_settings(*, user: User, chosen: Mapping[str, Any], zone: str = "") -> None:
    """Save the user's choices: values of the columns of NoticeSettings.

    Quiet hours need a time zone: an account without one gets `zone`, the browser's.
    """
    NoticeSettings.objects.update_or_create(user=user, defaults=chosen)
    if chosen.get("quiet_from") is not None and not user.time_zone and zone_of(zone):
        user.time_zone = zone
        user.save(update_fields=["time_zone"])


def stop_path(user_pk: int) -> str:
    """Return the signed path at which a mail's reader ends these mails, without signing in."""
    return reverse("account_stop_turn_mails", args=[signing.dumps(user_pk, salt=_SALT)])


def stop_mails(signed: str) -> bool:
    """End the mails of the user whom the signed value names. Return whether it names one."""
    user = user_of(signed)
    if user is None:
        return False
    NoticeSettings.objects.update_or_create(
        user=user, defaults={"daily_mail": False, "untimed_mail": False}
    )
    return True


def user_of(signed: str) -> User | None:
    """Return the user whom a value signed by `stop_path` names."""
    try:
        pk = signing.loads(signed, salt=_SALT)
    except signing.BadSignature:
        return None
    return User.objects.filter(pk=pk, is_active=True).first()
