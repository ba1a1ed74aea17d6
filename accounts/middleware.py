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
from accounts.second_factor import has_second_factor, holds_office
from accounts.too_much import refuse, wait_of

# Neither a form nor htmx asks by another; and Django's admin, like allauth, takes whatever
# comes for a GET or a POST.
_METHODS = ("GET", "HEAD", "POST")
# As Django makes them; anything else is not a session, and PostgreSQL chokes on a NUL in it.
_SESSION_KEY = re.compile(r"[a-z0-9]{32}")


def is_session_key(key: str) -> bool:
    return _SESSION_KEY.fullmatch(key) is not None


class PlainRequestMiddleware:
    """Stops at the door what no browser sends and what would break further in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in _METHODS:
            return HttpResponseNotAllowed(_METHODS)
        # Our forms are UTF-8, whatever they say: Django decodes a multipart body by any codec
        # of Python's that it names, such as "hex", and fails.
        request.encoding = "utf-8"
        # Django reads it as a number wherever it reads a form. (As long as a disk is large.)
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not (length.isascii() and length.isdigit() and len(length) < 16):
            raise BadRequest("a length that is no number")
        # Daphne believes a header about where the site is mounted, and whoever sends it would
        # choose where our links lead, also those that are rendered once for everybody.
        set_script_prefix(settings.FORCE_SCRIPT_NAME or "/")
        if not is_session_key(request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")):
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        return self.get_response(request)


class LanguageMiddleware:
    """Activates the account's language, else the address's, the cookie's or the browser's.

    What an address asks for is kept in the cookie: the pages that follow, and their sockets,
    are in it too. An account's own language is stronger: whoever shares a link in theirs does
    not choose for others.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = request.user.language if request.user.is_authenticated else ""
        linked = "" if language else linked_language(request)
        # A cookie "EN" comes back as it was written.
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
    """Counts each request as one thing of accounts.limits.Limit, and answers 429 to too many.

    A post counts by the name of its address (settings.LIMITS_OF_VIEWS), else as an action;
    a stranger's always as a stranger's. All else counts as a page, in this process's memory.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        check_limits()
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        wait = hit(_counts_as(request), who_is(request))
        if wait is not None:
            return refuse(request, wait)
        response = self.get_response(request)
        # A form that was refused for a limit comes back with what was typed, and with why.
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
    """Sends whoever holds an office to set up a second factor, before they use it.

    settings.SECOND_FACTOR_PATHS and SECOND_FACTOR_VIEWS say where. Who holds none is answered
    there as ever. Nothing is looked up elsewhere.
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
