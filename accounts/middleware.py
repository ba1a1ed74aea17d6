import re
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.urls import set_script_prefix
from django.utils import translation
from django.utils.cache import patch_vary_headers

# As Django makes them; anything else is not a session, and PostgreSQL chokes on a NUL in it.
_SESSION_KEY = re.compile(r"[a-z0-9]{32}")


def is_session_key(key: str) -> bool:
    return _SESSION_KEY.fullmatch(key) is not None


class PlainRequestMiddleware:
    """Stops at the door what no browser sends and what would break further in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
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
    """Activates the account's language; before sign-in the cookie's or the browser's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = request.user.language if request.user.is_authenticated else ""
        # A cookie "EN" comes back as it was written.
        language = language or translation.get_language_from_request(request).lower()
        translation.activate(language)
        request.LANGUAGE_CODE = language
        response = self.get_response(request)
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        response.headers.setdefault("Content-Language", language)
        return response
