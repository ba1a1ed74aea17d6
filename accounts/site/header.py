"""What the page header shows: unread notifications, a call, a moderators' link, the way back."""

from datetime import timedelta
from functools import cache
from typing import Final, NamedTuple

from allauth.account.internal.stagekit import get_pending_stage
from django.conf import settings
from django.db.models import Count, OuterRef, Q, Subquery
from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils import timezone

from accounts.auth.roles import appointed
from accounts.models import Notification, User

# How long an unread call to a table stands above every page.
_CALLED_FOR: Final = timedelta(hours=1)
# The pages between a right password and a signed-in session.
_STAGES: Final = ("mfa_authenticate", "account_email_verification_sent")


class _Header(NamedTuple):
    unread: int = 0
    is_moderator: bool = False
    # The newest unread call: the notification's key and the table's code.
    call: int | None = None
    called_to: str | None = None


def head(request: HttpRequest) -> dict[str, object]:
    """Context processor that adds `unread_notifications`, `is_moderator`, `called` and `way_back`.

    One query loads all but the last when a page first uses one of them. `called` is the code of a
    table to which the user was just called, with the key of the notification, or None. `way_back`
    is where signing in or registering leads from this page; "" for the lobby.
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
        "called": lambda: (
            {"pk": found().call, "code": found().called_to} if found().called_to else None
        ),
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
    unread = Count(
        "notifications",
        filter=Q(notifications__read_at__isnull=True, notifications__on_bell=True),
    )
    calls = Notification.objects.filter(
        user=OuterRef("pk"),
        kind=Notification.Kind.CALLED,
        read_at__isnull=True,
        at__gt=timezone.now() - _CALLED_FOR,
    ).order_by("-at", "-pk")
    rows = (
        User.objects.filter(pk=user_pk)
        .annotate(
            unread=unread,
            moderates=appointed(),
            call=Subquery(calls.values("pk")[:1]),
            called_to=Subquery(calls.values("about")[:1]),
        )
        .values_list("unread", "moderates", "call", "called_to")
    )
    return _Header(*rows.first() or _Header())
