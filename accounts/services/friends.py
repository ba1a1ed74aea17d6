"""Friends, and blocked users.

A friend request gets the same answer whether no account has the name, its owner has blocked the
sender, or the request was sent. So it reveals neither who is registered nor who has blocked the
sender.
"""

from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import Block, BlockedName, Friendship, Notification, User, name_key
from accounts.profiles.names import KEY_LENGTH
from accounts.services.notifications import notify, take_back

MOST_FRIENDS: Final = 500
MOST_REQUESTS: Final = 50
MOST_BLOCKED: Final = 500


class NotPossible(Exception):
    """Nothing was changed, for the reason `reason`, which the user may be shown."""

    OWN_NAME = "own_name"
    ALREADY = "already"
    BLOCKED_BY_YOU = "blocked_by_you"
    TOO_MANY = "too_many"
    BLOCKED_ENOUGH = "blocked_enough"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def user_named(name: str) -> User | None:
    """Return the active user with this name, in any case, or None."""
    return User.objects.filter(name_key=name_key(name.strip()), is_active=True).first()


def request_friendship(*, user: User, name: str) -> None:
    """Ask the user called `name` to be a friend, or accept if that user has asked before.

    If no account has the name, the result looks the same. Raises NotPossible.
    """
    if name_key(name.strip()) == user.name_key:
        raise NotPossible(NotPossible.OWN_NAME)
    pending = Friendship.objects.filter(asked_by=user, accepted_at__isnull=True).count()
    if pending >= MOST_REQUESTS or len(Friendship.objects.friends_of(user.pk)) >= MOST_FRIENDS:
        raise NotPossible(NotPossible.TOO_MANY)
    if user.blocked_names.filter(name_key=_typed_key(name)).exists():
        raise NotPossible(NotPossible.BLOCKED_BY_YOU)
    asked = user_named(name)
    if asked is None:
        return
    blocks = set(Block.objects.between(user.pk, asked.pk).values_list("blocker", flat=True))
    if user.pk in blocks:
        raise NotPossible(NotPossible.BLOCKED_BY_YOU)
    if blocks:
        return
    _ask(user, asked)


def _ask(user: User, asked: User) -> None:
    with transaction.atomic():
        try:
            with transaction.atomic():
                Friendship.objects.create(asked_by=user, asked=asked)
        except IntegrityError:
            # The two users have a row already: asked before, friends by now, or asked the other way
            # round.
            known = Friendship.objects.between(user.pk, asked.pk).first()
            if known is not None and known.accepted_at is not None:
                raise NotPossible(NotPossible.ALREADY) from None
            if known is not None and known.asked_id == user.pk:
                accept_friend(user=user, other=asked)
            return
        notify(user_pk=asked.pk, kind=Notification.Kind.ASKED, by=user.pk)


def accept_friend(*, user: User, other: User) -> bool:
    """Accept the friend request of `other` to `user`. Return whether there was one."""
    with transaction.atomic():
        accepted = Friendship.objects.filter(
            asked_by=other, asked=user, accepted_at__isnull=True
        ).update(accepted_at=timezone.now())
        if accepted:
            take_back(kind=Notification.Kind.ASKED, user_pk=user.pk, by=other.pk)
            notify(user_pk=other.pk, kind=Notification.Kind.ACCEPTED, by=user.pk)
    return bool(accepted)


def decline_friend(*, user: User, other: User) -> None:
    """Delete the friend request of `other`, who is not notified."""
    with transaction.atomic():
        Friendship.objects.filter(asked_by=other, asked=user, accepted_at__isnull=True).delete()
        take_back(kind=Notification.Kind.ASKED, user_pk=user.pk, by=other.pk)


def remove_friend(*, user: User, other: User) -> None:
    """End a friendship or withdraw a request. The other user is not notified."""
    with transaction.atomic():
        Friendship.objects.between(user.pk, other.pk).delete()
        take_back(kind=Notification.Kind.ASKED, user_pk=other.pk, by=user.pk)


def block_user(*, user: User, name: str) -> None:
    """Block the person called `name`, and keep the name in the list as it was typed.

    Does the same, as far as `user` can see, if no account has that name. Raises NotPossible.
    """
    key = _typed_key(name)
    if key == user.name_key:
        raise NotPossible(NotPossible.OWN_NAME)
    with transaction.atomic():
        # Locks the blocker's row, so that two requests at once cannot exceed the limit.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        typed = user.blocked_names.filter(name_key=key).first()
        if typed is None:
            if user.blocked_names.count() >= MOST_BLOCKED:
                raise NotPossible(NotPossible.BLOCKED_ENOUGH)
            typed = BlockedName(blocker=user, name=name.strip(), name_key=key)
        typed.person = user_named(name)
        typed.save()
        if typed.person is not None:
            block_account(user=user, other=typed.person)


def block_account(*, user: User, other: User) -> None:
    """Block `other`: `user` no longer hears of them, and they are no longer friends."""
    with transaction.atomic():
        Friendship.objects.between(user.pk, other.pk).delete()
        Block.objects.bulk_create([Block(blocker=user, blocked=other)], ignore_conflicts=True)
        Notification.objects.filter(user=user, by=other).delete()
        take_back(kind=Notification.Kind.ASKED, user_pk=other.pk, by=user.pk)


def unblock_user(*, user: User, name: str) -> None:
    """Unblock a name, as it was typed or as its owner is called now, and the account behind it."""
    key = _typed_key(name)
    typed = user.blocked_names.filter(Q(name_key=key) | Q(person__name_key=key))
    with transaction.atomic():
        people = set(typed.exclude(person=None).values_list("person", flat=True))
        # Persons who were blocked at a table are in the list by their name.
        others = Q(blocked__in=people) | Q(blocked__name_key=key)
        Block.objects.filter(others, blocker=user).delete()
        typed.delete()


def _typed_key(name: str) -> str:
    # What was typed need not be a valid name, and one character may become eighteen.
    return name_key(name.strip())[:KEY_LENGTH]


def blocked_names(user: User) -> list[tuple[str, str]]:
    """Return the list of blocked people, by name: each name, and the key of its page if known.

    A typed name is listed as it was typed, without a page. A person who was blocked at a table,
    where their name was visible, has both.
    """
    typed = list(user.blocked_names.values_list("name_key", "name", "person"))
    known = {person for _, _, person in typed}
    met = user.blocks.exclude(blocked__in=known - {None}).values_list(
        "blocked__name_key", "blocked__username", "blocked__person_key"
    )
    rows = [(key, name, "") for key, name, _ in typed] + list(met)
    return [(name, page) for _, name, page in sorted(rows)]
