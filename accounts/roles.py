"""Who moderates: roles are groups of rights, and a rank is what the rights amount to."""

from enum import IntEnum
from typing import Final

from django.contrib.auth.models import AnonymousUser

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


def rank(user: User | AnonymousUser) -> Rank:
    """What this person may do to others; asks the database once for each object `user`."""
    if not user.is_active or not user.is_authenticated:
        return Rank.PERSON
    return next((rank for rank, right in _RIGHTS.items() if user.has_perm(right)), Rank.PERSON)


def may_act_on(actor: User, person: User) -> bool:
    """Never on oneself, on an equal or on a higher one."""
    return actor.pk != person.pk and rank(actor) > rank(person)
