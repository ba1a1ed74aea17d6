"""Who moderates: roles are groups of rights, and a rank is what the rights amount to."""

from enum import IntEnum
from typing import Final

from django.contrib.auth.models import AnonymousUser, Group, Permission
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q

from accounts.models import User


class Rank(IntEnum):
    PERSON = 0
    MODERATOR = 1
    SENIOR = 2
    ADMIN = 3


_RIGHTS: Final = {
    Rank.ADMIN: "accounts.moderate_all",
    Rank.SENIOR: "accounts.moderate_more",
    Rank.MODERATOR: "accounts.moderate",
}

# The groups that hold the rights of a role; a role is to be in one of them.
GROUPS: Final = {
    Rank.MODERATOR: "Moderators",
    Rank.SENIOR: "Senior moderators",
    Rank.ADMIN: "Admins",
}
# By group: the rights within this app, and those of other apps, named so that they need not be
# imported. Each role has what the ones below it have.
_GRANTED: Final = {
    Rank.MODERATOR: ("accounts.moderate", "games.remove_message", "games.break_glass"),
    Rank.SENIOR: ("accounts.moderate_more",),
    Rank.ADMIN: ("accounts.moderate_all",),
}


def rank(user: User | AnonymousUser) -> Rank:
    """What this person may do to others; asks the database once for each object `user`."""
    if not user.is_active or not user.is_authenticated:
        return Rank.PERSON
    return next((rank for rank, right in _RIGHTS.items() if user.has_perm(right)), Rank.PERSON)


def moderating() -> "ExpressionWrapper[Q]":
    """Of an account, as `rank` has it: whether it moderates. For statements that ask it beside
    something else."""
    rights = Permission.objects.filter(
        Q(user=OuterRef("pk")) | Q(group__user=OuterRef("pk")),
        content_type__app_label="accounts",
        codename__in=[right.partition(".")[2] for right in _RIGHTS.values()],
    )
    found = Q(is_active=True) & (Q(is_superuser=True) | Q(Exists(rights)))
    return ExpressionWrapper(found, output_field=BooleanField())


def may_act_on(actor: User, person: User) -> bool:
    """Never on oneself, on an equal or on a higher one."""
    return actor.pk != person.pk and rank(actor) > rank(person)


def make_groups() -> None:
    """Makes the groups of the roles, and gives them the rights that they lack; after migrating,
    when the rights are there. What an owner has added to a group stays."""
    granted: set[str] = set()
    for role, name in GROUPS.items():
        granted.update(_GRANTED[role])
        group, _ = Group.objects.get_or_create(name=name)
        named = Q()
        for right in granted:
            app, codename = right.split(".")
            named |= Q(content_type__app_label=app, codename=codename)
        group.permissions.add(*Permission.objects.filter(named))
