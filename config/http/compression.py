"""Compresses public pages of visitors, and pages of finished games, and no other page.

The size of a compressed page tells what its text repeats. So a page of someone who is signed in is
never compressed while it may hold a role, a hand or a note: its size could depend on them. Public
pages, and those of a finished game without the reader's notes, hold no secret but the CSRF token,
which is masked anew in each response, and Django adds a random length on top.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

_MARK = "hides_nothing"


def hiding_nothing(response: HttpResponse) -> HttpResponse:
    """Mark the page of a finished game, without private notes, as one that may be compressed."""
    setattr(response, _MARK, True)
    return response


class PublicPagesMiddleware(GZipMiddleware):
    """Compresses pages of settings.INDEXED_VIEWS for visitors without a session.

    It also compresses the pages marked by `hiding_nothing`, for everyone.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        match = request.resolver_match
        if getattr(response, _MARK, False) and request.method == "GET":
            return super().process_response(request, response)
        if match is None or match.view_name not in settings.INDEXED_VIEWS:
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if request.method != "GET" or settings.SESSION_COOKIE_NAME in request.COOKIES:
            return response
        return super().process_response(request, response)
