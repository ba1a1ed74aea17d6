"""The door that a sanction closes: all of the site, but the page that says so."""

from collections.abc import Callable
from time import time
from typing import Any, Final

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from accounts.devices import keep_device
from accounts.models import User
from accounts.sanctions import is_shut_out, may_enter

# What is open to whom the rest is closed.
_OPEN: Final = frozenset(
    {
        "account_standing",
        "account_standing_read",
        "account_appeal",
        "account_logout",
        "account_language",
    }
)
# In the session of somebody who is not signed in: whose standing they may read, and since when.
_NOTED: Final = "standing_of"
_SECONDS_NOTED: Final = 60 * 60


class StandingMiddleware:
    """Sends whoever is shut out, or has a warning to read, to the page of their standing.

    Whoever is shut out is signed out there and then. No statement is made for anybody: what is
    asked stands in the account's own row.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        keep_device(request, response)
        return response

    def process_view(
        self, request: HttpRequest, view: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        user, now = request.user, timezone.now()
        if not user.is_authenticated or may_enter(user, now):
            return None
        is_shut = is_shut_out(user, now)
        # A script that asks for a panel has the page loaded anew: that is the moment.
        if is_shut and not request.htmx:
            sign_out_shut(request, user)
        if request.resolver_match.view_name in _OPEN:
            return None
        page = reverse("account_standing")
        if not is_shut and request.method in ("GET", "HEAD") and not request.htmx:
            page = f"{page}?{urlencode({'next': request.get_full_path()})}"
        return _sent_on(request, page)


def sign_out_shut(request: HttpRequest, user: User) -> None:
    """Ends the session, if there is one; for an hour this browser may read why."""
    logout(request)
    request.session[_NOTED] = [user.pk, int(time())]


def person_standing(request: HttpRequest) -> User | None:
    """Whose standing this browser may read: who is signed in, or was just turned away."""
    if request.user.is_authenticated:
        return request.user
    match request.session.get(_NOTED):
        case [int(pk), int(since)] if 0 <= time() - since < _SECONDS_NOTED:
            return User.objects.filter(pk=pk, is_active=True).first()
    return None


def _sent_on(request: HttpRequest, page: str) -> HttpResponse:
    if request.htmx and request.htmx.current_url:
        # Or the page would be put where a panel belongs.
        response = HttpResponse(status=204)
        response.headers["HX-Redirect"] = page
        return response
    return HttpResponseRedirect(page, status=303 if request.method == "POST" else 302)
