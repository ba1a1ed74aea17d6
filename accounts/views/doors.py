from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.views import LogoutView
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from accounts import tries
from accounts.languages import in_no_language, is_language, keep_language
from accounts.too_much import refuse


class SignOut(LogoutView):
    """Signs out, and has the browser forget what it showed and kept.

    Not its cookies: the session's is gone by then, and the others are the language that
    whoever sits here next reads, and nobody's secret.
    """

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        response = super().post(*args, **kwargs)
        response.headers["Clear-Site-Data"] = '"cache", "storage"'
        return response


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Sets the language asked for, in the account and in a cookie, and goes back to the page.

    An unknown language changes nothing.
    """
    # An address that asks for a language would take the choice back.
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
    """Where a form says that it stands; only ever a page of this site."""
    back: str = request.POST.get("next", otherwise)
    is_ours = url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return back if is_ours else otherwise


def too_many_tries(request: HttpRequest) -> HttpResponse:
    """What allauth answers to too many posts to one of its pages."""
    return refuse(request, tries.wait_at(request))


def for_the_signed_out(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Sends whoever is signed in to their account: what such a page says is not true of them."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method in ("GET", "HEAD") and request.user.is_authenticated:
            return redirect("account_overview")
        return view(request, *args, **kwargs)

    return wrapped


def with_mail(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Where no mail leaves the site: a page that says whom to ask, in place of `view`."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if settings.MAIL_ARRIVES:
            return view(request, *args, **kwargs)
        return render(request, "account/no_mail.html", {"contact": settings.CONTACT})

    return wrapped
