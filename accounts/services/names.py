"""Names: which ones a user may have, and how a user changes theirs."""

from datetime import datetime, timedelta
from typing import Final

from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import COPY_MARK, NameChange, User
from accounts.profiles.names import name_key, normal_name, skeleton, validate_name

BETWEEN_CHANGES: Final = timedelta(days=90)
# As long as an unconfirmed account is kept: `sessions.delete_unconfirmed_accounts`.
HELD_FOR: Final = timedelta(hours=24)

TAKEN: Final = gettext_lazy("That name is taken. Try another one.")
LOOKS_TAKEN: Final = gettext_lazy(
    "This name looks too much like one that’s already taken. Try another one."
)


def clean_name(name: str, *, user: User | None = None) -> str:
    """Return the name as it is stored. Raises ValidationError if `user` may not have it.

    A name that collides only with the user's own is allowed, for example a change of case.
    """
    validate_name(name)
    return is_name_free(name, held=held_names(name), user=user)


def held_names(name: str) -> frozenset[str]:
    """Return which of the name's key and skeleton are held for others. Reads the cache."""
    name = normal_name(name)
    forms = {_held(form): form for form in (name_key(name), skeleton(name))}
    return frozenset(forms[held] for held in cache.get_many(forms))


def is_name_free(name: str, *, held: frozenset[str], user: User | None = None) -> str:
    """Clean a name like `clean_name`, inside a transaction: `held` was read before it began."""
    validate_name(name)
    name = normal_name(name)
    key, looks = name_key(name), skeleton(name)
    others = User.objects.all() if user is None else User.objects.exclude(pk=user.pk)
    if others.filter(name_key=key).exists() or key in held:
        raise ValidationError(TAKEN, code="username_taken")
    alike = Q(skeleton=looks) | Q(skeleton__startswith=f"{looks}{COPY_MARK}")
    if others.filter(alike).exists() or looks in held:
        raise ValidationError(LOOKS_TAKEN, code="username_looks_taken")
    return name


def hold_name(name: str) -> None:
    """Reserve a name for as long as an unconfirmed account would.

    Registering with an address that is taken creates no account and does not say so. If the name
    were free afterwards, that would reveal it.
    """
    seconds = HELD_FOR.total_seconds()
    cache.set_many({_held(name_key(name)): 1, _held(skeleton(name)): 1}, timeout=int(seconds))


def next_change(user: User) -> datetime | None:
    """Return when the user may next change their name, or None if they may now."""
    last = user.name_changes.filter(is_counted=True).order_by("-at").first()
    if last is None or last.at + BETWEEN_CHANGES <= timezone.now():
        return None
    return last.at + BETWEEN_CHANGES


def change_name(*, user: User, name: str) -> User:
    """Change a user's name and record the old one. Raises ValidationError.

    Seats keep the name that they were taken under, so the names at a table do not change.
    """
    # This reads the cache, so it comes before the transaction. If the name is taken meanwhile,
    # the unique columns refuse it.
    name = clean_name(name, user=user)
    with transaction.atomic():
        locked = User.objects.select_for_update().get(pk=user.pk)
        if name == locked.username:
            raise ValidationError(_("That’s already your name."), code="same_name")
        later = next_change(locked)
        if later is not None:
            raise ValidationError(
                _("You can change your name again from %(date)s.")
                % {"date": date_format(timezone.localtime(later), "DATE_FORMAT")},
                code="too_soon",
            )
        old, locked.username = locked.username, name
        try:
            with transaction.atomic():
                locked.save(update_fields=["username"])
        except IntegrityError:
            raise ValidationError(TAKEN, code="username_taken") from None
        NameChange.objects.create(user=locked, old=old, new=name, at=timezone.now())
    return locked


def _held(name: str) -> str:
    return f"accounts:held:{name.encode().hex()}"
