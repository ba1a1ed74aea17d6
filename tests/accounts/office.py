"""The cast of those who keep order, and what they do."""

from datetime import timedelta

from django.contrib.auth.models import Group
from django.utils import timezone

from accounts.models import Sanction, User
from accounts.roles import GROUPS, Rank
from accounts.services.sanctions import sanction_impose
from tests.accounts.conftest import a_user, signed_in
from tests.second_factor import with_second_factor

TOMORROW = timedelta(days=1)


def officer(name: str, rank: Rank) -> User:
    """Somebody with a role, and with the second factor that it takes."""
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
    return sanction_impose(actor=by, user=user, kind=kind, reason=reason, language="en", **how)


def at_the_desk(user: User):
    """Their browser. By force: the second factor is asked of the pages, not of the test."""
    client = signed_in_by_force(user)
    assert client.session["_auth_user_id"] == str(user.pk)
    return client


def signed_in_by_force(user: User):
    from django.test import Client

    client = Client()
    client.force_login(user)
    return client


__all__ = ["TOMORROW", "at_the_desk", "officer", "owner", "sanctioned", "signed_in"]
