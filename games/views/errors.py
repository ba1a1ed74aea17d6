"""Error pages in one style, in the viewer's language."""

from functools import cache
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache

from config.http.csrf import FOREIGN, has_passed_csrf

# The page shown is not the one requested, so the masthead must not mark a page as current.
_FAILED: Final = {"has_failed": True}


@never_cache
def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if not has_passed_csrf(request):
        return _plain(request, "400.html", status=400)
    return render(request, "400.html", _FAILED, status=400)


@never_cache
def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "403.html", _FAILED, status=403)


@never_cache
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without its token, or from another site."""
    template = "403_foreign.html" if reason == FOREIGN else "403_csrf.html"
    return _plain(request, template, status=403)


@never_cache
def not_found(
    request: HttpRequest, exception: Exception | None = None, **named: str
) -> HttpResponse:
    """Answer with 404. `named` are the URL arguments of a known pattern without a match."""
    return render(request, "404.html", _FAILED, status=404)


@never_cache
def server_error(request: HttpRequest) -> HttpResponse:
    return render(request, "500.html", _FAILED, status=500)


def _plain(request: HttpRequest, template: str, status: int) -> HttpResponse:
    """Return a page for a request that has not passed the CSRF check.

    Another site may have chosen everything in the request, so the page repeats nothing. The user
    is not known yet, so the language is the browser's, or the one that its cookie names.
    """
    language = translation.get_language_from_request(request).lower()
    response = HttpResponse(_plain_page(template, language), status=status)
    response.headers["Content-Language"] = language
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


# Room for a few templates in each language of the site.
@cache
def _plain_page(template: str, language: str) -> bytes:
    with translation.override(language):
        return render_to_string(template, {"frame": "base_plain.html"}).encode()
