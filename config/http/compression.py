"""Compresses the public pages of visitors, and no other page.

The size of a compressed page tells what its text repeats. So a page of someone who is signed in is
never compressed: its size could depend on a role, a hand or a note. Public pages hold no secret but
the CSRF token, which is masked anew in each response, and Django adds a random length on top.
"""

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers


class PublicPagesMiddleware(GZipMiddleware):
    """Compresses pages of settings.INDEXED_VIEWS for visitors without a session."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        match = request.resolver_match
        if match is None or match.view_name not in settings.INDEXED_VIEWS:
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if request.method != "GET" or settings.SESSION_COOKIE_NAME in request.COOKIES:
            return response
        return super().process_response(request, response)
