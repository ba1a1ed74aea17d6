"""What the page header shows: unread notifications, a moderators' link, and the way back."""

from functools import cache
from typing import Final, NamedTuple

from allauth.account.internal.stagekit import get_pending_stage
from django.conf import settings
from django.db.models import Count, Q
from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.urls import reverse

from accounts.auth.roles import appointed
from accounts.models import User

# The pages between a right password and a signed-in session.
_STAGES: Final = ("mfa_authenticate", "account_email_verification_sent")


class _Header(NamedTuple):
    unread: int = 0
    is_moderator: bool = False


def head(request: HttpRequest) -> dict[str, object]:
    """Context processor that adds `unread_notifications`, `is_moderator` and `way_back`.

    One query loads the first two when a page first uses one of them. `way_back` is where signing in
    or registering leads from this page; "" for the lobby.
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
        "way_back": _way_back(request),
    }


def _way_back(request: HttpRequest) -> str:
    """Return the page's own path, or what a page of the account was given to return to.

    After a POST, a view that shows its form again says `here` instead.
    """
    front_page = resolve_url(settings.LOGIN_REDIRECT_URL)
    if request.path in map(reverse, _STAGES):
        # These pages have no `next` in their address: the session keeps it.
        stage = get_pending_stage(request)
        back = stage.login.redirect_url if stage is not None else None
        return "" if back is None or back == front_page else back
    if request.path.startswith(reverse("account_overview")):
        return request.POST.get("next") or request.GET.get("next", "")
    if request.method not in ("GET", "HEAD") or request.path == front_page:
        return ""
    return request.get_full_path()


def _header_of(user_pk: int) -> _Header:
    # A moderator without a second factor sees the link too: it leads to where to set one up.
    unread = Count("notifications", filter=Q(notifications__read_at__isnull=True))
    rows = (
        User.objects.filter(pk=user_pk)
        .annotate(unread=unread, moderates=appointed())
        .values_list("unread", "moderates")
    )
    return _Header(*rows.first() or _Header())
