"""Inviting friends to a table, and telling people of tables where they are wanted."""

from collections.abc import Iterable

from accounts.models import Friendship, Notification, User
from accounts.services.notifications import notify, notify_only
from accounts.services.people import person_named
from games.models import Seat, Table
from games.refusals import Refusal, Refused
from games.services.live import announce_bell


def friend_invite(*, table: Table, user: User, name: str) -> None:
    """Tells the friend called `name` of a table that gathers and where `user` sits.

    Raises Refused: NOT_OPEN, NOT_SEATED, BLIND, NOT_A_FRIEND or ALREADY_HERE.
    """
    check_may_invite(table, user)
    friend = person_named(name)
    if friend is None or friend.pk not in Friendship.objects.friends_of(user.pk):
        raise Refused(Refusal.NOT_A_FRIEND)
    if table.seats.filter(user=friend).exists():
        raise Refused(Refusal.ALREADY_HERE)
    notify(
        user_pk=friend.pk,
        kind=Notification.Kind.INVITED,
        by=user.pk,
        about=table.code,
        data=_way_in(table),
    )


def check_may_invite(table: Table, user: User) -> None:
    """Raises Refused: NOT_OPEN, NOT_SEATED, or BLIND: at a blind table nobody is told who sits
    there, friends included."""
    if table.stage != Table.Stage.OPEN:
        raise Refused(Refusal.NOT_OPEN)
    if not table.seats.filter(user=user).exists():
        raise Refused(Refusal.NOT_SEATED)
    if table.is_blind:
        raise Refused(Refusal.BLIND)


def friends_to_invite(*, table: Table, user: User) -> list[User]:
    """One's friends who do not sit at the table, by name."""
    friends = User.objects.filter(
        pk__in=Friendship.objects.friends_of(user.pk), is_active=True
    ).exclude(seats__table=table)
    return list(friends.order_by("name_key"))


def announce_again(*, table: Table, again: Table, user: User) -> None:
    """Tells those who sat with `user` that they gather again. Nobody is named: the new
    table may be a blind one."""
    others = table.seats.exclude(user=user).exclude(user=None).values_list("user", flat=True)
    for other in others:
        assert other is not None
        notify(
            user_pk=other,
            kind=Notification.Kind.AGAIN,
            about=again.code,
            data=_way_in(again),
        )


def announce_turns(*, table: Table, seats: Iterable[Seat], to_act: Iterable[int]) -> None:
    """Where a move may take a day: tells those whose turn a new decision is, and the others
    no more."""
    wanted = set(to_act)
    users = {seat.user_id for seat in seats if seat.number in wanted and seat.user_id is not None}
    for user in notify_only(users=users, kind=Notification.Kind.TURN, about=table.code):
        announce_bell(user)


def _way_in(table: Table) -> dict[str, str]:
    return {"pass": table.invitation} if table.needs_invitation else {}
