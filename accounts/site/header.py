"""What the page header shows signed-in users: unread notifications, and a moderators' link."""

from functools import cache
from typing import NamedTuple

from django.db.models import Count, Q
from django.http import HttpRequest

from accounts.auth.roles import appointed
from accounts.models import User


class _Header(NamedTuple):
    unread: int = 0
    is_moderator: bool = False


def head(request: HttpRequest) -> dict[str, object]:
    """Context processor that adds `unread_notifications` and `is_moderator`.

    One query loads both when a page first uses one of them.
    """

    # Templates call these functions and get a plain number: plurals need one, and a lazy object
    # does not work there.
    @cache
    def found() -> _Header:
        user = getattr(request, "user", None)
        return _header_of(user.pk) if user is not None and user.is_authenticated else _Header()

    return {
        "unread_notifications": lambda: found().unread,
        "is_moderator": lambda: found().is_moderator,
    }


def _header_of(user_pk: int) -> _Header:
    # A moderator without a second factor sees the link too: it leads to where to set one up.
    unread = Count("notifications", filter=Q(notifications__read_at__isnull=True))
    rows = (
        User.objects.filter(pk=user_pk)
        .annotate(unread=unread, moderates=appointed())
        .values_list("unread", "moderates")
    )
    return _Header(*rows.first() or _Header())
