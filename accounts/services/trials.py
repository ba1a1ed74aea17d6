"""Trial accounts: play at once under a name, and register later or be forgotten."""

import secrets
from datetime import datetime, timedelta
from typing import Final

from allauth.usersessions.models import UserSession
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import get_language, pgettext

from accounts.models import NameChange, User
from accounts.services.account_deletion import erase_account
from accounts.services.names import TAKEN, clean_name

_NEW: Final = timedelta(hours=1)
_TRIES: Final = 20
_NUMBERS: Final = 10_000
# Accounts deleted in one run, so that no run takes long.
_ERASED_AT_ONCE: Final = 200


def create_trial(*, name: str = "") -> User:
    """Create a trial account with this name, or with a drawn one if the name is empty.

    Raises ValidationError for a name that a registered user may not have either.
    """
    name = clean_name(name) if name else _drawn_name()
    user = User(username=name, is_trial=True, language=get_language() or "")
    user.set_unusable_password()
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        # Another request took the name after it was checked.
        raise ValidationError(TAKEN, code="username_taken") from None
    return user


def keep_trial(*, user: User, name: str, password: str) -> User:
    """Turn a trial account into a registered one, with all its seats and games.

    Seats keep the name that they were taken under. Raises ValidationError, with the field in its
    dictionary, for a name or a password that is not allowed.
    """
    try:
        name = clean_name(name, user=user)
    except ValidationError as error:
        raise ValidationError({"username": error}) from None
    try:
        validate_password(password, user)
    except ValidationError as error:
        # One at a time: a bad password breaks several rules.
        raise ValidationError({"password": error.error_list[0]}) from None
    # The hash is slow, so it comes before the transaction: on SQLite all writers wait for that.
    hashed = make_password(password)
    try:
        with transaction.atomic():
            locked = User.objects.select_for_update().get(pk=user.pk)
            if not locked.is_trial:
                return locked
            old, locked.username = locked.username, name
            locked.password, locked.is_trial = hashed, False
            locked.save(update_fields=["username", "password", "is_trial"])
            if old != name:
                # The first name of one's own choice is no change: it may be changed at once.
                NameChange.objects.create(
                    user=locked, old=old, new=name, at=timezone.now(), is_counted=False
                )
    except IntegrityError:
        raise ValidationError({"username": TAKEN}) from None
    return locked


def erase_idle_trials(*, now: datetime) -> int:
    """Delete the trial accounts whose sessions have ended. Return how many.

    No one can sign in to them again. settings.TRIAL_DAYS is how long an idle session lasts. An
    account that was made just now may not have its session yet.
    """
    sessions = UserSession.objects.filter(user=OuterRef("pk"))
    idle = User.objects.filter(~Exists(sessions), is_trial=True, date_joined__lt=now - _NEW)
    gone = list(idle.order_by("pk")[:_ERASED_AT_ONCE])
    for user in gone:
        erase_account(user=user)
    return len(gone)


def _drawn_name() -> str:
    """Return a free name such as "Deputy4821", in the current language."""
    word = pgettext("name of a guest, before a number", "Deputy")
    for _try in range(_TRIES):
        name = f"{word}{secrets.randbelow(_NUMBERS):04}"
        try:
            return clean_name(name)
        except ValidationError:
            continue
    return clean_name(f"{word}{secrets.randbelow(_NUMBERS**2):08}")
