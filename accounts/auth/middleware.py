"""Middleware for odd requests, and for offices without a second factor."""

import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import set_script_prefix
from django.utils.translation import gettext

from accounts.auth.rights import holds_office
from config.http.bounds import drop_long_cookies

# Forms and htmx use no other method, and Django's admin and allauth treat any other as a GET or a
# POST.
_METHODS = ("GET", "HEAD", "POST")
# The format of Django's session keys. Anything else is not a session, and PostgreSQL fails on a NUL
# in it.
_SESSION_KEY = re.compile(r"[a-z0-9]{32}")


def is_session_key(key: str) -> bool:
    return _SESSION_KEY.fullmatch(key) is not None


class PlainRequestMiddleware:
    """Rejects or cleans up requests that no browser sends and that would break later code."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in _METHODS:
            return HttpResponseNotAllowed(_METHODS)
        # The site's forms are always UTF-8. Django decodes a multipart body by any Python codec
        # that the request names, such as "hex", and fails.
        request.encoding = "utf-8"
        # Django parses the length as a number wherever it reads a form. Fifteen digits are enough
        # for the size of any disk.
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not (length.isascii() and length.isdigit() and len(length) < 16):
            raise BadRequest("a length that is no number")
        # Daphne trusts a header that says where the site is mounted. Its sender could choose where
        # the site's links lead, even links that are rendered once for all users.
        set_script_prefix(settings.FORCE_SCRIPT_NAME or "/")
        drop_long_cookies(request)
        if not is_session_key(request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")):
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        return self.get_response(request)


class SecondFactorMiddleware:
    """Sends moderators and staff without a second factor to the page that sets one up.

    settings.SECOND_FACTOR_PATHS and SECOND_FACTOR_VIEWS name the pages that do so. This is only a
    hint: accounts.auth.rights refuses the rights themselves, here and everywhere else. Other users
    get the usual answer.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        match = request.resolver_match
        assert match is not None
        is_guarded = request.path_info.startswith(settings.SECOND_FACTOR_PATHS) or (
            match.view_name in settings.SECOND_FACTOR_VIEWS
        )
        user = request.user
        if not (is_guarded and user.is_authenticated and holds_office(user)):
            return None
        if user.has_second_factor():
            return None
        messages.error(
            request,
            gettext("Your role needs two-factor authentication. Set it up first."),
        )
        return redirect("mfa_index")
