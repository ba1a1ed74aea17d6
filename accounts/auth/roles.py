"""Moderators' roles, which are groups of rights, and ranks, which follow from the rights."""

from enum import IntEnum
from typing import Final

from django.contrib.auth.models import AnonymousUser, Group, Permission
from django.db.models import ExpressionWrapper, Q

from accounts.auth.rights import Right, granted, holding, holds_right, is_granted
from accounts.models import User


class Rank(IntEnum):
    PERSON = 0
    MODERATOR = 1
    SENIOR = 2
    ADMIN = 3


# From the highest to the lowest.
RIGHTS: Final = {
    Rank.ADMIN: Right.MODERATE_ALL,
    Rank.SENIOR: Right.MODERATE_MORE,
    Rank.MODERATOR: Right.MODERATE,
}

# The group that holds the rights of each role. A user with a role is in one of them.
GROUPS: Final = {
    Rank.MODERATOR: "Moderators",
    Rank.SENIOR: "Senior moderators",
    Rank.ADMIN: "Admins",
}
# By group. Each role also has what the roles below it have.
_GRANTED: Final = {
    Rank.MODERATOR: (Right.MODERATE, Right.REMOVE_MESSAGE),
    Rank.SENIOR: (Right.MODERATE_MORE,),
    Rank.ADMIN: (Right.MODERATE_ALL,),
}


def rank(user: User | AnonymousUser) -> Rank:
    """Return what this account may do to others now: nothing, without a second factor.

    Permissions are read once for each `user` object, the second factor each time.
    """
    return next((rank for rank, right in RIGHTS.items() if holds_right(user, right)), Rank.PERSON)


def role_of(user: User | AnonymousUser) -> Rank:
    """Return the role that this account was given, with or without a second factor.

    Use it for what others may do to the account and for what pages say about it, never for what
    the account may do.
    """
    return next((rank for rank, right in RIGHTS.items() if is_granted(user, right)), Rank.PERSON)


def moderating() -> "ExpressionWrapper[Q]":
    """Return `rank` as an expression for queries: whether an account moderates."""
    return holding(*RIGHTS.values())


def appointed() -> "ExpressionWrapper[Q]":
    """Return `role_of` as an expression for queries: whether an account was given a role."""
    return granted(*RIGHTS.values())


def may_act_on(actor: User, person: User) -> bool:
    """Return whether `actor` may act on `person`: never on oneself, an equal or a higher role.

    A moderator without a second factor can act on no one, and is still protected from those below.
    """
    return actor.pk != person.pk and rank(actor) > role_of(person)


def make_groups() -> None:
    """Create the groups of the roles and add the permissions that they lack.

    Call it after migrating, when the permissions exist. What an owner has added to a group stays.
    """
    granted: set[str] = set()
    for role, name in GROUPS.items():
        granted.update(_GRANTED[role])
        group, _ = Group.objects.get_or_create(name=name)
        named = Q()
        for right in granted:
            app, codename = right.split(".")
            named |= Q(content_type__app_label=app, codename=codename)
        group.permissions.add(*Permission.objects.filter(named))
