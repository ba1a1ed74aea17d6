"""Friends, and people whom one does not want to hear of.

Asking a name is answered alike whether nobody has it, its owner has blocked the asker, or the
request is on its way: nobody learns by it who is registered and who has blocked them.
"""

from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Block, Friendship, Notification, User, name_key
from accounts.services.notifications import notify, take_back

MOST_FRIENDS: Final = 500
MOST_REQUESTS: Final = 50


class NotPossible(Exception):
    """Nothing was changed, for this reason: one that the asker may know."""

    OWN_NAME = "own_name"
    ALREADY = "already"
    BLOCKED_BY_YOU = "blocked_by_you"
    TOO_MANY = "too_many"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def person_named(name: str) -> User | None:
    """Who has this name, in whatever case; None where nobody has or the account is closed."""
    return User.objects.filter(name_key=name_key(name.strip()), is_active=True).first()


def friend_ask(*, user: User, name: str) -> None:
    """Asks the person called `name` to be a friend; where they have asked before, accepts.

    Does the same, to whoever looks, where nobody has that name. Raises NotPossible.
    """
    if name_key(name.strip()) == user.name_key:
        raise NotPossible(NotPossible.OWN_NAME)
    pending = Friendship.objects.filter(asked_by=user, accepted_at__isnull=True).count()
    if pending >= MOST_REQUESTS or len(Friendship.objects.friends_of(user.pk)) >= MOST_FRIENDS:
        raise NotPossible(NotPossible.TOO_MANY)
    asked = person_named(name)
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
            # There is a row of these two: asked before, friends by now, or asked the other way.
            known = Friendship.objects.between(user.pk, asked.pk).first()
            if known is not None and known.accepted_at is not None:
                raise NotPossible(NotPossible.ALREADY) from None
            if known is not None and known.asked_id == user.pk:
                friend_accept(user=user, other=asked)
            return
        notify(user_pk=asked.pk, kind=Notification.Kind.ASKED, by=user.pk)


def friend_accept(*, user: User, other: User) -> bool:
    """Accepts what `other` has asked of `user`. Whether there was anything to accept."""
    with transaction.atomic():
        accepted = Friendship.objects.filter(
            asked_by=other, asked=user, accepted_at__isnull=True
        ).update(accepted_at=timezone.now())
        if accepted:
            take_back(kind=Notification.Kind.ASKED, user_pk=user.pk, by=other.pk)
            notify(user_pk=other.pk, kind=Notification.Kind.ACCEPTED, by=user.pk)
    return bool(accepted)


def friend_decline(*, user: User, other: User) -> None:
    """Lets the request of `other` fall; they are not told."""
    with transaction.atomic():
        Friendship.objects.filter(asked_by=other, asked=user, accepted_at__isnull=True).delete()
        take_back(kind=Notification.Kind.ASKED, user_pk=user.pk, by=other.pk)


def friend_remove(*, user: User, other: User) -> None:
    """Ends a friendship, or takes a request back; the other is not told."""
    with transaction.atomic():
        Friendship.objects.between(user.pk, other.pk).delete()
        take_back(kind=Notification.Kind.ASKED, user_pk=other.pk, by=user.pk)


def person_block(*, user: User, name: str) -> None:
    """From now on `user` does not hear of the person called `name`, who is no friend any more.

    Does nothing where nobody has that name. Raises NotPossible for one's own.
    """
    if name_key(name.strip()) == user.name_key:
        raise NotPossible(NotPossible.OWN_NAME)
    other = person_named(name)
    if other is None:
        return
    with transaction.atomic():
        Friendship.objects.between(user.pk, other.pk).delete()
        Block.objects.bulk_create([Block(blocker=user, blocked=other)], ignore_conflicts=True)
        Notification.objects.filter(user=user, by=other).delete()
        take_back(kind=Notification.Kind.ASKED, user_pk=other.pk, by=user.pk)


def person_unblock(*, user: User, other: User) -> None:
    Block.objects.filter(blocker=user, blocked=other).delete()
