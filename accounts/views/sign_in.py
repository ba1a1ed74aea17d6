"""Signing in and out: the language, where to go back to, and who sees which form."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.views import LogoutView, login
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from accounts.profiles.languages import in_no_language, is_language, keep_language
from accounts.throttling import waiting_times
from accounts.throttling.too_many_requests import refuse


class SignOut(LogoutView):
    """Signs the user out, and clears what the browser has cached and stored for this site.

    Cookies stay: the session's is gone by then, and the others, such as the language for the next
    reader at this browser, are no secret.
    """

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().post(*args, **kwargs)
        response.headers["Clear-Site-Data"] = '"cache", "storage"'
        return response


def sign_in(request: HttpRequest) -> HttpResponse:
    """Show allauth's form; it sends users who are signed in on, and they learn why."""
    if request.user.is_authenticated and not request.user.is_trial:
        messages.info(request, gettext("You’re already signed in."))
    response: HttpResponse = login(request)
    return response


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Set the requested language in the account and in a cookie, and return to the page.

    An unknown language changes nothing.
    """
    # A language in the URL would undo the choice.
    response = HttpResponseRedirect(in_no_language(way_back(request, "/")))
    asked = request.POST.get("language", "")
    if is_language(asked):
        if request.user.is_authenticated:
            request.user.language = asked
            request.user.save(update_fields=["language"])
        translation.activate(asked)
        keep_language(response, asked)
    return response


def way_back(request: HttpRequest, otherwise: str) -> str:
    """Return the form's `next` URL if it is on this site, else `otherwise`."""
    back: str = request.POST.get("next", otherwise)
    is_ours = url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return back if is_ours else otherwise


def too_many_tries(request: HttpRequest) -> HttpResponse:
    """Return the response to a POST that exceeds one of allauth's own limits."""
    return refuse(request, waiting_times.wait_at(request))


def for_the_signed_out(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Redirect signed-in users to `next` or their account: the page does not apply to them."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method in ("GET", "HEAD") and request.user.is_authenticated:
            back = request.GET.get("next", "")
            is_ours = back and url_has_allowed_host_and_scheme(
                back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
            )
            return HttpResponseRedirect(back) if is_ours else redirect("account_overview")
        return view(request, *args, **kwargs)

    return wrapped


def with_mail(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Replace `view` by a page that says whom to contact, if no mail leaves the site."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if settings.MAIL_ARRIVES:
            return view(request, *args, **kwargs)
        return render(request, "account/no_mail.html", {"contact": settings.CONTACT})

    return wrapped
