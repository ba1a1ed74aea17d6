import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, set_script_prefix
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext

from accounts.languages import keep_language, linked_language
from accounts.limits import Limit, check_limits, hit, who_is
from accounts.rights import has_second_factor, holds_office
from accounts.too_much import refuse, wait_of
from config.bounds import drop_long_cookies

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


class LanguageMiddleware:
    """Activates the account's language, else the URL's, the cookie's or the browser's.

    A language in the URL is stored in the cookie, so that the next pages and their sockets use it
    too. The account's own language takes precedence, so that users who share a link do not choose
    the language of others.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = request.user.language if request.user.is_authenticated else ""
        linked = "" if language else linked_language(request)
        # Django returns the value "EN" of a cookie in upper case, as it was written.
        language = language or linked or translation.get_language_from_request(request).lower()
        translation.activate(language)
        request.LANGUAGE_CODE = language
        response = self.get_response(request)
        if linked and request.method == "GET":
            keep_language(response, linked)
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        response.headers.setdefault("Content-Language", language)
        return response


class LimitsMiddleware:
    """Counts each request against one of accounts.limits.Limit, and answers 429 if it is over.

    A post counts by the name of its address (settings.LIMITS_OF_VIEWS), else as an action;
    a stranger's always as a stranger's. All else counts as a page, in this process's memory.
    A post that fails the CSRF check does not get here (config.csrf): another site uses up no limit.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        check_limits()
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        wait = hit(_counts_as(request), who_is(request))
        if wait is not None:
            return refuse(request, wait)
        response = self.get_response(request)
        # A form that a limit refused comes back with the user's input and the reason.
        wait = wait_of(request)
        if wait is not None and response.status_code == 200:
            response.status_code = 429
            response.headers["Retry-After"] = str(wait)
        return response


def _counts_as(request: HttpRequest) -> Limit:
    is_post = request.method == "POST"
    if is_post and not request.user.is_authenticated:
        return Limit.STRANGERS
    try:
        name = resolve(request.path_info).view_name
    except Resolver404:
        name = ""
    what = Limit(settings.LIMITS_OF_VIEWS.get(name, "actions"))
    if is_post or what is Limit.INVITATIONS:
        return what
    return Limit.PAGES


class SecondFactorMiddleware:
    """Sends moderators and staff without a second factor to the page that sets one up.

    settings.SECOND_FACTOR_PATHS and SECOND_FACTOR_VIEWS name the pages that do so. This is only
    a hint: accounts.rights refuses the rights themselves, here and everywhere else. Other users
    get the usual answer.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        is_guarded = request.path_info.startswith(settings.SECOND_FACTOR_PATHS) or (
            request.resolver_match.view_name in settings.SECOND_FACTOR_VIEWS
        )
        user = request.user
        if not (is_guarded and user.is_authenticated and holds_office(user)):
            return None
        if has_second_factor(user):
            return None
        messages.error(
            request,
            gettext("Your role needs two-factor authentication. Set it up first."),
        )
        return redirect("mfa_index")
