"""The rights of staff and moderators, and which accounts hold them.

This is the only module that asks Django for permissions and for the flags of staff and
superusers. A right counts only with a second factor: an account without one has been granted
its rights but holds none of them. `holds_right` decides what an account may do now;
`is_granted` tells what it was given, which protects it from moderators of a lower rank.

A new right is a new member of `Right`. tests/secrecy/test_office.py then requires the acts that
need it, and tries each without a second factor.
"""

from enum import StrEnum
from typing import Final, TypeGuard

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, Permission
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from accounts.models import SECOND_FACTORS, User

_BACKEND: Final = "django.contrib.auth.backends.ModelBackend"


class Right(StrEnum):
    """A permission by its full name, or a flag of the account."""

    MODERATE = "accounts.moderate"
    MODERATE_MORE = "accounts.moderate_more"
    MODERATE_ALL = "accounts.moderate_all"
    # Rights of other apps, named here so that they need not be imported.
    REMOVE_MESSAGE = "games.remove_message"
    # Django's admin.
    USE_ADMIN = "is_staff"
    # Includes every permission.
    OWN_SITE = "is_superuser"


_FLAGS: Final = (Right.USE_ADMIN, Right.OWN_SITE)
# Only these make an office: the other permissions matter within Django's admin only.
_OFFICES: Final = ("games.", "accounts.moderate")


def holds_right(user: AbstractBaseUser | AnonymousUser, right: Right) -> TypeGuard[User]:
    """Return whether `user` may use `right` now: granted, account active, second factor set up."""
    if not isinstance(user, User) or not user.is_active:
        return False
    if right in _FLAGS:
        return bool(getattr(user, right)) and user.has_second_factor()
    # `has_perm` checks the second factor itself.
    return user.has_perm(right)


def is_granted(user: AbstractBaseUser | AnonymousUser, right: Right) -> bool:
    """Return whether `user` was given `right`, with or without a second factor."""
    if not isinstance(user, User) or not user.is_active:
        return False
    if right in _FLAGS:
        return bool(getattr(user, right))
    return user.is_superuser or right in user.get_all_permissions()


def holds_office(user: User) -> bool:
    """Return whether the account needs a second factor: staff, superusers and moderators."""
    if user.is_staff or user.is_superuser:
        return True
    return any(right.startswith(_OFFICES) for right in user.get_all_permissions())


def has_any_grant(user: User) -> bool:
    """Return whether `user` is staff, a superuser, in a group, or has any permission."""
    if user.is_staff or user.is_superuser:
        return True
    return user.user_permissions.exists() or user.groups.exists()


def holding(*rights: Right) -> "ExpressionWrapper[Q]":
    """Return `holds_right` as an expression for queries: whether an account holds any of these."""
    factors = Authenticator.objects.filter(user=OuterRef("pk"), type__in=SECOND_FACTORS)
    return _boolean(_granted(rights) & Q(Exists(factors)))


def granted(*rights: Right) -> "ExpressionWrapper[Q]":
    """Return `is_granted` as an expression for queries: whether an account was given any."""
    return _boolean(_granted(rights))


def users_granted(right: Right) -> QuerySet[User]:
    """Return the active accounts that were given this permission, directly or by a group."""
    return User.objects.with_perm(right, backend=_BACKEND)


def _granted(rights: tuple[Right, ...]) -> Q:
    named = Q()
    for right in rights:
        app, codename = right.split(".")
        named |= Q(content_type__app_label=app, codename=codename)
    permissions = Permission.objects.filter(
        named, Q(user=OuterRef("pk")) | Q(group__user=OuterRef("pk"))
    )
    return Q(is_active=True) & (Q(is_superuser=True) | Q(Exists(permissions)))


def _boolean(found: Q) -> "ExpressionWrapper[Q]":
    return ExpressionWrapper(found, output_field=BooleanField())
