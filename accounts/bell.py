"""What a page's head says to whoever is signed in: how much they have not read, and where they
keep order."""

from functools import cache
from typing import NamedTuple

from django.db.models import Count, Q
from django.http import HttpRequest

from accounts.models import User
from accounts.roles import moderating


class _Head(NamedTuple):
    unread: int = 0
    is_moderator: bool = False


def head(request: HttpRequest) -> dict[str, object]:
    """For templates: `unread_notifications` and `is_moderator`, asked for together by the first
    page that shows one of them; one statement."""

    # Called by a template, for a number: plurals count with it, and a lazy object does not.
    @cache
    def found() -> _Head:
        user = getattr(request, "user", None)
        return _head_of(user.pk) if user is not None and user.is_authenticated else _Head()

    return {
        "unread_notifications": lambda: found().unread,
        "is_moderator": lambda: found().is_moderator,
    }


def _head_of(user_pk: int) -> _Head:
    unread = Count("notifications", filter=Q(notifications__read_at__isnull=True))
    rows = (
        User.objects.filter(pk=user_pk)
        .annotate(unread=unread, moderates=moderating())
        .values_list("unread", "moderates")
    )
    return _Head(*rows.first() or _Head())
