"""The paths whose answers are the same for everyone: the public API and the feeds."""

from collections.abc import Callable
from importlib import import_module

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse

from config.http.problems import CONTENT_TYPE, problem


def is_public_path(path: str) -> bool:
    """Return whether the answer at this path may not depend on who asks."""
    return settings.PUBLIC_PATHS.match(path) is not None


class PublicPathsMiddleware:
    """At settings.PUBLIC_PATHS, treats each request as that of a visitor without cookies.

    No cookie, session or token is read there, and none is set. Any page may read the answer, and
    any cache may keep it if the view allows that. Errors of the API are JSON.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_public_path(request.path_info):
            return self.get_response(request)
        request.COOKIES.clear()
        request.META.pop("HTTP_COOKIE", None)
        request.META.pop("HTTP_AUTHORIZATION", None)
        request.session = import_module(settings.SESSION_ENGINE).SessionStore()
        request.user = AnonymousUser()
        response = self.get_response(request)
        is_failure = response.status_code >= 400
        if (
            request.path_info.startswith(settings.TOKEN_PATHS)
            and is_failure
            and response.headers.get("Content-Type") != CONTENT_TYPE
        ):
            response = _as_problem(response)
        response.cookies.clear()
        # An error page may have made a CSRF token, for which a middleware outside sets a cookie.
        request.META.pop("CSRF_COOKIE_NEEDS_UPDATE", None)
        if not is_failure:
            # A feed's language stands in its address, and the API has only one.
            del response.headers["Vary"]
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = "ETag, Retry-After"
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response


def _as_problem(page: HttpResponse) -> HttpResponse:
    answer = problem(page.status_code)
    for name in ("Retry-After", "Allow"):
        if name in page.headers:
            answer.headers[name] = page.headers[name]
    return answer
