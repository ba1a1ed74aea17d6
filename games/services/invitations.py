"""Inviting friends to a table, and notifying former companions of a new one."""

from typing import Final

from django.db.models import QuerySet

from accounts.models import Friendship, Notification, User
from accounts.services.friends import user_named
from accounts.services.notifications import mark_answered, notify
from games.models import Table
from games.wording.refusals import Refusal, Refused

# The notices that are answered by taking a seat. calls.py takes calls back.
_INVITES: Final = (Notification.Kind.INVITED, Notification.Kind.AGAIN)


def invite_friend(*, table: Table, user: User, name: str) -> None:
    """Invite the friend called `name` to a table that still gathers and where `user` sits.

    Raises Refused: NOT_OPEN, NOT_SEATED, BLIND, NOT_A_FRIEND or ALREADY_HERE.
    """
    check_may_invite(table, user)
    friend = user_named(name)
    if friend is None or friend.pk not in Friendship.objects.friends_of(user.pk):
        raise Refused(Refusal.NOT_A_FRIEND)
    if table.seats.filter(user=friend).exists():
        raise Refused(Refusal.ALREADY_HERE)
    notify(
        user_pk=friend.pk,
        kind=Notification.Kind.INVITED,
        by=user.pk,
        about=table.code,
        data=_invitation_url(table),
    )


def check_may_invite(table: Table, user: User) -> None:
    """Check that `user` may invite friends to `table`.

    Raises Refused: NOT_OPEN, NOT_SEATED, or BLIND: at a blind table, not even friends may learn who
    sits there.
    """
    if table.stage != Table.Stage.OPEN:
        raise Refused(Refusal.NOT_OPEN)
    if not table.seats.filter(user=user).exists():
        raise Refused(Refusal.NOT_SEATED)
    if table.is_blind:
        raise Refused(Refusal.BLIND)


def friends_to_invite(*, table: Table, user: User) -> QuerySet[User]:
    """Return the friends of `user` who do not sit at the table, ordered by name."""
    friends = User.objects.filter(
        pk__in=Friendship.objects.friends_of(user.pk), is_active=True
    ).exclude(seats__table=table)
    return friends.order_by("name_key")


def announce_again(*, table: Table, again: Table, user: User) -> None:
    """Notify the players who sat with `user` that a new table gathers.

    The notification names no player, because the new table may be a blind one.
    """
    others = table.seats.exclude(user=user).exclude(user=None).values_list("user", flat=True)
    for other in others:
        assert other is not None
        notify(
            user_pk=other,
            kind=Notification.Kind.AGAIN,
            about=again.code,
            data=_invitation_url(again),
        )


def note_seated(*, table: Table, user: User) -> None:
    """Mark what invited `user` to this table as read."""
    mark_answered(user_pk=user.pk, kinds=_INVITES, about=table.code)


def _invitation_url(table: Table) -> dict[str, str]:
    return {"pass": table.invitation} if table.needs_invitation else {}
