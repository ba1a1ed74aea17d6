"""Moderators and owners for the tests, and sanctions that they impose."""

from datetime import timedelta

from django.contrib.auth.models import Group
from django.utils import timezone

from accounts.auth.roles import GROUPS, Rank
from accounts.models import Sanction, User
from accounts.services.sanctions import impose_sanction
from tests.accounts.conftest import a_user, signed_in
from tests.second_factor import with_second_factor

TOMORROW = timedelta(days=1)


def officer(name: str, rank: Rank) -> User:
    """Create a user with this role and the second factor that the role requires."""
    user = a_user(name)
    user.groups.add(Group.objects.get(name=GROUPS[rank]))
    return with_second_factor(user)


def owner(name: str = "Root") -> User:
    return with_second_factor(a_user(name, is_superuser=True, is_staff=True))


def sanctioned(
    user: User, kind: str, by: User, reason: str = "You shouted at Boris.", **how: object
) -> Sanction:
    if kind == "suspension":
        how.setdefault("ends_at", timezone.now() + TOMORROW)
    return impose_sanction(actor=by, user=user, kind=kind, reason=reason, language="en", **how)


def at_the_desk(user: User):
    """Return the officer's browser.

    It skips the sign-in form: the pages ask for a second factor, and most tests are not about it.
    """
    client = signed_in_by_force(user)
    assert client.session["_auth_user_id"] == str(user.pk)
    return client


def signed_in_by_force(user: User):
    from django.test import Client

    client = Client()
    client.force_login(user)
    return client


__all__ = ["TOMORROW", "at_the_desk", "officer", "owner", "sanctioned", "signed_in"]
