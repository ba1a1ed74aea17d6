"""Restricts suspended and banned users to the page of their standing."""

from collections.abc import Callable
from time import time
from typing import Any, Final

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from accounts.auth.devices import keep_device
from accounts.auth.requests import HtmxRequest
from accounts.models import User
from accounts.moderation.sanctions import is_shut_out, may_enter

# The views that stay open to users who may not enter the rest of the site.
_OPEN: Final = frozenset(
    {
        "account_standing",
        "account_standing_read",
        "account_appeal",
        "account_logout",
        "account_language",
    }
)
# The session key, for visitors who are not signed in, of the account whose standing they may read,
# and the time since when.
_NOTED: Final = "standing_of"
_SECONDS_NOTED: Final = 60 * 60


class SanctionMiddleware:
    """Redirects users who are shut out, or have a warning to read, to their standing page.

    Users who are shut out are also signed out. None of this makes a query, because the account's
    own row holds the answer.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        keep_device(request, response)
        return response

    def process_view(
        self, request: HtmxRequest, view: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        user, now = request.user, timezone.now()
        if not user.is_authenticated or may_enter(user, now):
            return None
        is_shut = is_shut_out(user, now)
        # An htmx request for a panel makes the browser load the page anew; sign out on that load.
        if is_shut and not request.htmx:
            sign_out_banned(request, user)
        match = request.resolver_match
        if match is not None and match.view_name in _OPEN:
            return None
        page = reverse("account_standing")
        if not is_shut and request.method in ("GET", "HEAD") and not request.htmx:
            page = f"{page}?{urlencode({'next': request.get_full_path()})}"
        return _sent_on(request, page)


def sign_out_banned(request: HttpRequest, user: User) -> None:
    """End the session, if there is one. For an hour this browser may read the reason."""
    logout(request)
    request.session[_NOTED] = [user.pk, int(time())]


def sanctioned_user(request: HttpRequest) -> User | None:
    """Return the user whose standing this browser may read, or None.

    That is the signed-in user, or the one who was just turned away.
    """
    if request.user.is_authenticated:
        return request.user
    match request.session.get(_NOTED):
        case [int(pk), int(since)] if 0 <= time() - since < _SECONDS_NOTED:
            return User.objects.filter(pk=pk, is_active=True).first()
    return None


def _sent_on(request: HtmxRequest, page: str) -> HttpResponse:
    if request.htmx and request.htmx.current_url:
        # A plain redirect would put the whole page where a panel belongs.
        response = HttpResponse(status=204)
        response.headers["HX-Redirect"] = page
        return response
    return HttpResponseRedirect(page, status=303 if request.method == "POST" else 302)
