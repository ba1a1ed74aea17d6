"""Which parts of a user's page a viewer may see."""

from collections.abc import Container
from typing import Final

from accounts.models import User
from accounts.profiles.choices import PAGE_PARTS, Audience

_OF_FRIENDS: Final = frozenset({Audience.ALL, Audience.FRIENDS})
_OF_OTHERS: Final = frozenset({Audience.ALL})


def visible_parts(owner: User, *, is_friend: bool) -> frozenset[str]:
    """Return the parts of PAGE_PARTS that another user sees; none if the page is hidden from them.

    Whether the account is closed is for the caller to check.
    """
    audiences = _OF_FRIENDS if is_friend else _OF_OTHERS
    seen = frozenset(part for part in PAGE_PARTS if getattr(owner, f"shows_{part}") in audiences)
    return seen if "page" in seen else frozenset()


def shows_games(owner: User, viewer: User | None, friends: Container[int]) -> bool:
    """Return whether the owner's page shows its games to the viewer, who has these friends.

    `viewer` None is an anonymous one. A closed account, or one about to be closed, shows nothing.
    """
    if not owner.is_active or owner.closes_at is not None:
        return False
    if viewer is not None and viewer.pk == owner.pk:
        return True
    return "games" in visible_parts(owner, is_friend=owner.pk in friends)
