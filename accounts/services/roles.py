"""Roles: given and taken by admins; an admin's, by who owns the site."""

from django.contrib.auth.models import Group
from django.db import transaction

from accounts.models import User
from accounts.refusals import Refusal, Refused
from accounts.roles import GROUPS, Rank, may_act_on, rank
from accounts.services.audit import audit_write
from accounts.services.sanctions import tell_listeners


def role_give(*, actor: User, user: User, role: Rank) -> None:
    """Makes `role` the role of `user`; Rank.PERSON takes it away. Raises Refused."""
    if not may_give(actor=actor, user=user):
        raise Refused(Refusal.NOT_BELOW)
    if role == Rank.ADMIN and not actor.is_superuser:
        raise Refused(Refusal.OWNER_ONLY)
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        before = rank(user)
        if before == role:
            return
        user.groups.remove(*Group.objects.filter(name__in=GROUPS.values()))
        if role != Rank.PERSON:
            user.groups.add(Group.objects.get(name=GROUPS[role]))
        tell_listeners(user)
        audit_write(
            actor=actor,
            act="role_give",
            about=user,
            data={"from": before.name.lower(), "to": role.name.lower()},
        )


def may_give(*, actor: User, user: User) -> bool:
    """An admin to those below; a superuser, who owns the site, to all who are none."""
    if actor.is_superuser:
        return actor.is_active and actor.pk != user.pk and not user.is_superuser
    return rank(actor) == Rank.ADMIN and may_act_on(actor, user)
