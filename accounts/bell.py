"""The bell of the page's head: how much somebody has not read."""

from functools import cache

from django.http import HttpRequest

from accounts.services.notifications import unread_count


def unread(request: HttpRequest) -> dict[str, object]:
    """For templates: counted only by a page that has the bell, and once."""

    # Called by a template, for a number: plurals count with it, and a lazy object does not.
    @cache
    def count() -> int:
        user = getattr(request, "user", None)
        return unread_count(user.pk) if user is not None and user.is_authenticated else 0

    return {"unread_notifications": count}
