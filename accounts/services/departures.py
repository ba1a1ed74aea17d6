"""People who leave for good: a time to come back in, and then as little as can stay.

Other apps say what becomes of theirs: `on_departure(people_of_games)` in their
AppConfig.ready. In games a seat stays, its person does not.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.utils import timezone

from accounts.mails import mail_person
from accounts.models import User
from accounts.services.entries import sessions_end

Departure = Callable[[User], None]
_departures: Final[list[Departure]] = []

logger = logging.getLogger(__name__)


def on_departure(departure: Departure) -> None:
    """Has `departure` called with each account that goes, in the transaction in which it goes."""
    if departure not in _departures:
        _departures.append(departure)


def closing_begin(*, user: User) -> datetime:
    """The account goes in some days. Signs out everywhere; signing in again takes it back."""
    user.closes_at = timezone.now() + timedelta(days=settings.ACCOUNT_GRACE_DAYS)
    user.save(update_fields=["closes_at"])
    mail_person(user, "account/email/account_closing", closes_at=user.closes_at)
    sessions_end(user=user)
    return user.closes_at


def closing_cancel(*, user: User) -> bool:
    """Whether the account was about to go; it no longer is."""
    if user.closes_at is None:
        return False
    user.closes_at = None
    user.save(update_fields=["closes_at"])
    return True


def due_erase(*, now: datetime) -> int:
    """Erases each account whose time is over. Returns how many."""
    erased = 0
    for pk in User.objects.filter(closes_at__lte=now).values_list("pk", flat=True):
        try:
            with transaction.atomic():
                user = User.objects.select_for_update().filter(pk=pk, closes_at__lte=now).first()
                if user is not None:
                    _erase(user)
                    erased += 1
        except Exception:
            # One that cannot go must not keep the others.
            logger.exception("the account %s could not be erased", pk)
    return erased


def account_erase(*, user: User) -> None:
    """The account goes at once, as one goes whose time is over. For the admin."""
    with transaction.atomic():
        _erase(User.objects.select_for_update().get(pk=user.pk))


def _erase(user: User) -> None:
    """What must outlast the account loses its name first; then the account goes."""
    for departure in _departures:
        departure(user)
    LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk)
    ).update(object_repr="—")
    user.delete()
