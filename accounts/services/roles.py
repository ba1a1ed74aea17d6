"""Roles: admins give and take them; only superusers give the role of admin."""

from django.contrib.auth.models import Group
from django.db import transaction

from accounts.auth.rights import Right, holds_right, is_granted
from accounts.auth.roles import GROUPS, Rank, may_act_on, rank, role_of
from accounts.models import User
from accounts.moderation.refusals import ModerationRefusal, ModerationRefused
from accounts.services.audit import write_audit
from accounts.services.sanctions import notify_listeners


def assign_role(*, actor: User, user: User, role: Rank) -> None:
    """Give `user` the role `role`; Rank.PERSON takes any role away. Raises Refused."""
    if not may_assign_role(actor=actor, user=user):
        raise ModerationRefused(ModerationRefusal.NOT_BELOW)
    if role == Rank.ADMIN and not holds_right(actor, Right.OWN_SITE):
        raise ModerationRefused(ModerationRefusal.OWNER_ONLY)
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        before = role_of(user)
        if before == role:
            return
        user.groups.remove(*Group.objects.filter(name__in=GROUPS.values()))
        if role != Rank.PERSON:
            user.groups.add(Group.objects.get(name=GROUPS[role]))
        notify_listeners(user)
        write_audit(
            actor=actor,
            act="role_give",
            about=user,
            data={"from": before.name.lower(), "to": role.name.lower()},
        )


def may_assign_role(*, actor: User, user: User) -> bool:
    """Return whether `actor` may change the role of `user`.

    Admins may change those of lower ranks. Superusers, who own the site, may change those of all
    users who are not superusers.
    """
    if holds_right(actor, Right.OWN_SITE):
        return actor.pk != user.pk and not is_granted(user, Right.OWN_SITE)
    return rank(actor) == Rank.ADMIN and may_act_on(actor, user)
