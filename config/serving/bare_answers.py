"""Answers that the server gives without Django's middleware: a busy site, an unreadable request.

They have the headers of all other answers, and their pages are in the reader's language.
"""

from functools import cache
from io import BytesIO
from typing import Any, Final

from csp.middleware import CSPMiddleware
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, parse_cookie
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.security import SecurityMiddleware
from django.template.loader import render_to_string
from django.utils import translation
from django_permissions_policy import PermissionsPolicyMiddleware

from config.http.middleware import KeptPrivateMiddleware

Headers = list[tuple[bytes, bytes]]

# The middleware that adds headers to each of Django's answers, innermost first.
_MIDDLEWARE: Final = (
    PermissionsPolicyMiddleware,
    CSPMiddleware,
    XFrameOptionsMiddleware,
    KeptPrivateMiddleware,
    SecurityMiddleware,
)


def bare_page(
    status: int, *, cookies: str, languages: str, is_post: bool = False
) -> tuple[Headers, bytes]:
    """Return the headers and the body of the page of an error: 400, 413, 500 or 503.

    `cookies` and `languages` are the request's headers Cookie and Accept-Language.
    """
    # Django's own cookie parser and rules choose the language, as for every other page.
    request = HttpRequest()
    request.COOKIES = parse_cookie(cookies)
    request.META["HTTP_ACCEPT_LANGUAGE"] = languages
    language = translation.get_language_from_request(request).lower()
    headers = [
        *bare_headers(),
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-language", language.encode()),
    ]
    return headers, _rendered(status, language, is_post)


@cache
def _rendered(status: int, language: str, is_post: bool) -> bytes:
    context = {"frame": "base_plain.html", "is_post": is_post}
    with translation.override(language):
        return render_to_string(f"{status}.html", context).encode()


@cache
def bare_headers() -> tuple[tuple[bytes, bytes], ...]:
    """Return the headers that the middleware gives to each answer, without Content-Type."""
    scheme = "https" if settings.IS_SECURE else "http"
    scope = {"method": "GET", "path": "/", "query_string": b"", "scheme": scheme}
    scope["headers"] = [(b"x-forwarded-proto", scheme.encode())]
    respond: Any = _empty
    for layer in _MIDDLEWARE:
        respond = layer(respond)
    response = respond(ASGIRequest(scope, BytesIO()))
    del response.headers["Content-Type"]
    return tuple((name.lower().encode(), value.encode()) for name, value in response.items())


def _empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse()
