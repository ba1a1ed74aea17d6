"""Deletion of accounts: a grace period, and then all data goes that need not stay.

Other apps register what happens to their data, in AppConfig.ready:
`on_account_erased(people_of_games)`. In games a seat stays, but without its user.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.mail.messages import mail_user
from accounts.models import User
from accounts.services.sessions import end_sessions

Departure = Callable[[User], None]
_departures: Final[list[Departure]] = []

logger = logging.getLogger(__name__)


def on_account_erased(departure: Departure) -> None:
    """Register `departure`, called with each account that is deleted, in the same transaction."""
    if departure not in _departures:
        _departures.append(departure)


def begin_deletion(*, user: User) -> datetime:
    """Schedule the deletion of the account in some days, and return the date.

    Signs the user out everywhere. Signing in again cancels the deletion.
    """
    user.closes_at = timezone.now() + timedelta(days=settings.ACCOUNT_GRACE_DAYS)
    user.save(update_fields=["closes_at"])
    mail_user(user, "account/email/account_closing", closes_at=user.closes_at)
    end_sessions(user=user)
    return user.closes_at


def cancel_deletion(*, user: User) -> bool:
    """Cancel the scheduled deletion of the account. Return whether there was one."""
    if user.closes_at is None:
        return False
    user.closes_at = None
    user.save(update_fields=["closes_at"])
    return True


def erase_due_accounts(*, now: datetime) -> int:
    """Delete each account whose grace period is over. Return how many."""
    erased = 0
    for pk in User.objects.filter(closes_at__lte=now).values_list("pk", flat=True):
        try:
            with transaction.atomic():
                user = _locked().filter(pk=pk, closes_at__lte=now).first()
                if user is not None:
                    _erase(user)
                    erased += 1
        except Exception:
            # One account that cannot be deleted must not block the others.
            logger.exception("the account %s could not be erased", pk)
    return erased


def erase_account(*, user: User) -> None:
    """Delete the account at once, in the same way as after the grace period. For the admin."""
    with transaction.atomic():
        _erase(_locked().get(pk=user.pk))


def _locked() -> QuerySet[User]:
    """Lock users, but let rows that refer to them be written: a worker may hold a game's lock."""
    return User.objects.select_for_update(no_key=True)


def _erase(user: User) -> None:
    """Remove the name from the data that outlasts the account, then delete the account."""
    for bot in User.objects.filter(bot_account__owner=user):
        _erase(bot)
    for departure in _departures:
        departure(user)
    LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk)
    ).update(object_repr="—")
    user.delete()
