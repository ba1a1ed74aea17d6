"""Names: who may go by which, and how one takes another."""

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
from accounts.names import name_key, normal_name, skeleton, validate_name

BETWEEN_CHANGES: Final = timedelta(days=90)
# As long as an account that nobody confirmed is kept: `entries.unconfirmed_forget`.
HELD_FOR: Final = timedelta(hours=24)

TAKEN: Final = gettext_lazy("Somebody already has that name.")
LOOKS_TAKEN: Final = gettext_lazy("This name looks too much like one that is already taken.")


def name_clean(name: str, *, user: User | None = None) -> str:
    """The name as it is kept. Raises ValidationError for one that `user` may not have.

    Somebody's own name, or one that differs from it in looks only by case, is theirs.
    """
    name = normal_name(name)
    validate_name(name)
    key, looks = name_key(name), skeleton(name)
    others = User.objects.all() if user is None else User.objects.exclude(pk=user.pk)
    if others.filter(name_key=key).exists() or cache.get(_held(key)):
        raise ValidationError(TAKEN, code="username_taken")
    alike = Q(skeleton=looks) | Q(skeleton__startswith=f"{looks}{COPY_MARK}")
    if others.filter(alike).exists() or cache.get(_held(looks)):
        raise ValidationError(LOOKS_TAKEN, code="username_looks_taken")
    return name


def name_hold(name: str) -> None:
    """Keeps a name from others as an account would that was never confirmed.

    Whoever registers with somebody's address gets no account and is not told; that the name is
    free afterwards would tell.
    """
    seconds = HELD_FOR.total_seconds()
    cache.set_many({_held(name_key(name)): 1, _held(skeleton(name)): 1}, timeout=int(seconds))


def next_change(user: User) -> datetime | None:
    """When this person may take another name; None: now."""
    last = user.name_changes.order_by("-at").first()
    if last is None or last.at + BETWEEN_CHANGES <= timezone.now():
        return None
    return last.at + BETWEEN_CHANGES


def name_change(*, user: User, name: str) -> User:
    """Gives somebody another name and writes the old one down. Raises ValidationError.

    Seats keep the name that was taken there: a table does not change its people.
    """
    with transaction.atomic():
        locked = User.objects.select_for_update().get(pk=user.pk)
        name = name_clean(name, user=locked)
        if name == locked.username:
            raise ValidationError(_("That is your name already."), code="same_name")
        later = next_change(locked)
        if later is not None:
            raise ValidationError(
                _("You can change your name again from %(date)s.")
                % {"date": date_format(later, "DATE_FORMAT")},
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
