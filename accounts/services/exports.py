"""Exports: the data that the site keeps about a user, as JSON, for that user only.

Other apps register what they keep: `register_exporter("games", games_of)` in AppConfig.ready.
"""

import json
import logging
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import Q
from django.forms import model_to_dict
from django.urls import reverse
from django.utils import timezone

from accounts.mail.messages import mail_user
from accounts.models import Export, Friendship, User
from accounts.services.friends import blocked_names
from accounts.services.notices import settings_of
from config.celery import offer_task, task_named
from config.observability.logs import describe_exception

KEPT_FOR: Final = timedelta(days=7)
# The minimum time between two requests for an export.
BETWEEN: Final = timedelta(days=1)
# A worker that has not written an export by then was lost.
PATIENCE: Final = timedelta(minutes=10)
# By name, because the task calls this module.
WRITE_EXPORT: Final = "accounts.tasks.write_export"

_FAILED: Final = "null"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")

logger = logging.getLogger(__name__)

Provider = Callable[[User], Any]
_providers: Final[dict[str, Provider]] = {}


class TooSoon(Exception):
    """The last export was requested less than a day ago, and has not failed."""


def register_exporter(section: str, provider: Provider) -> None:
    """Register `provider`, which returns its app's data about a user, for the key `section`.

    It returns what JSON can hold (datetimes too), about this user only: never what a game hides
    from the user, nor what others wrote about them.
    """
    _providers[section] = provider


def request_export(*, user: User, origin: str) -> Export:
    """Request an export, which a worker writes.

    `origin` ("https://play.example") begins the link in the mail. Raises TooSoon.
    """
    now = timezone.now()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if user.exports.filter(asked_at__gt=now - BETWEEN).exclude(_has_failed(now)).exists():
            raise TooSoon
        export = Export.objects.create(user=user, asked_at=now, expires_at=now + KEPT_FOR)
        transaction.on_commit(partial(_hand_over, export, origin))
    return export


def _hand_over(export: Export, origin: str) -> None:
    # What no worker will write must not stand in the way of the next request.
    if not offer_task(task_named(WRITE_EXPORT), (export.pk, origin)):
        Export.objects.filter(pk=export.pk).update(content=_FAILED)


def write_export(*, export_pk: int, origin: str) -> None:
    """Write a requested export and notify the user. Running it twice is harmless.

    Of an error only the kind and the place are logged: its text may quote all that was to be
    written.
    """
    export = Export.objects.select_related("user").filter(pk=export_pk, content="").first()
    if export is None or not export.user.is_active:
        return
    try:
        content = _written(export_data_of(export.user))
        is_new = Export.objects.filter(pk=export.pk, content="").update(content=content)
    except Exception as error:
        logger.error("an export could not be written: %s", describe_exception(error))
        Export.objects.filter(pk=export.pk, content="").update(content=_FAILED)
        return
    if is_new:
        link = origin + reverse("account_export_file", args=[export.code])
        mail_user(export.user, "account/email/export_ready", link=link, days=KEPT_FOR.days)


def export_of(*, user: User, code: str) -> Export | None:
    """Return the user's export with this code, or None if it is not written or has expired."""
    if not code.isprintable():
        # PostgreSQL fails on a NUL.
        return None
    mine = Export.objects.filter(user=user, code=code, expires_at__gt=timezone.now())
    return mine.exclude(content__in=("", _FAILED)).first()


def exports_of(*, user: User) -> list[tuple[Export, str]]:
    """Return the user's exports with their state: "ready", "failed" or "waiting"."""
    now = timezone.now()
    mine = user.exports.filter(expires_at__gt=now)
    failed = set(mine.filter(_has_failed(now)).values_list("pk", flat=True))
    waiting = set(mine.filter(content="").values_list("pk", flat=True))
    return [
        (one, "failed" if one.pk in failed else "waiting" if one.pk in waiting else "ready")
        for one in mine.defer("content")
    ]


def delete_old_exports(*, now: datetime) -> None:
    Export.objects.filter(expires_at__lte=now).delete()


def export_data_of(user: User) -> dict[str, Any]:
    """Return all data about a user, by section."""
    return {section: provider(user) for section, provider in _providers.items()}


def _has_failed(now: datetime) -> Q:
    return Q(content=_FAILED) | Q(content="", asked_at__lte=now - PATIENCE)


def _written(data: Any) -> str:
    """Return JSON that UTF-8 can encode: a lone surrogate in an old row stays an escape."""
    text = json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, allow_nan=False)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _account(user: User) -> dict[str, Any]:
    # New columns of `User` are included automatically; the keys made from the name are not.
    hidden = {"id", "password", "name_key", "skeleton", "first_name", "last_name"}
    fields = {
        field.name: getattr(user, field.attname)
        for field in user._meta.concrete_fields
        if field.name not in hidden
    }
    addresses = EmailAddress.objects.filter(user=user).values("email", "verified", "primary")
    changes = user.name_changes.values("old", "new", "at")
    factors = Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")
    sessions = UserSession.objects.filter(user=user).values(
        "created_at", "last_seen_at", "ip", "user_agent"
    )
    return fields | {
        "addresses": list(addresses),
        "name_changes": list(changes),
        "second_factors": list(factors),
        "sessions": list(sessions),
        "turn_notices": model_to_dict(settings_of([user.pk])[user.pk], exclude=["user"]),
        "push_devices": list(user.push_devices.values("endpoint", "added_at")),
    }


def _people(user: User) -> dict[str, Any]:
    """Return friends and blocked names, but not who has blocked this user."""
    friends = User.objects.filter(pk__in=Friendship.objects.friends_of(user.pk))
    return {
        "friends": list(friends.values_list("username", flat=True)),
        # As the friends page lists them.
        "blocked": [name for name, _ in blocked_names(user)],
    }


def _notices(user: User) -> list[Any]:
    """Return what the site has told this user, without who caused it."""
    return list(user.notifications.values("kind", "about", "at", "read_at"))


register_exporter("account", _account)
register_exporter("notices", _notices)
register_exporter("people", _people)
