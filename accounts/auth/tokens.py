"""Requests of programs: a bearer token says which bot account sends them."""

from collections.abc import Callable
from importlib import import_module
from typing import Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext

from accounts.auth.public_paths import is_public_path
from accounts.models import User
from accounts.services.bots import bot_with

_SCHEME: Final = "Bearer "
_CODES: Final = {
    400: "bad_request",
    401: "no_token",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_long",
    429: "too_many_requests",
}


class TokenMiddleware:
    """Below settings.TOKEN_PATHS, takes the user from the token instead of the session.

    Each answer there is JSON, is kept by no cache and sets no cookie. Elsewhere, and at
    settings.PUBLIC_PATHS, no token is read.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        path = request.path_info
        if not path.startswith(settings.TOKEN_PATHS) or is_public_path(path):
            return self.get_response(request)
        request.COOKIES.clear()
        # The session is empty, and nothing is saved, since it is not touched.
        request.session = import_module(settings.SESSION_ENGINE).SessionStore()
        request.user = _user_of(request) or AnonymousUser()
        response = self.get_response(request)
        if (
            response.status_code >= 300
            and response.status_code != 304
            and not isinstance(response, JsonResponse)
        ):
            response = _as_json(response)
        response.cookies.clear()
        response.headers["Cache-Control"] = "no-store"
        return response


def _user_of(request: HttpRequest) -> User | None:
    given = request.headers.get("Authorization", "")
    if not given.startswith(_SCHEME):
        return None
    return bot_with(given.removeprefix(_SCHEME))


def _as_json(page: HttpResponse) -> JsonResponse:
    status = 403 if page.status_code < 400 else page.status_code
    code = _CODES.get(status, "error")
    answer = JsonResponse({"error": code, "message": gettext("That didn’t work.")}, status=status)
    for name in ("Retry-After", "Allow"):
        if name in page.headers:
            answer.headers[name] = page.headers[name]
    return answer
