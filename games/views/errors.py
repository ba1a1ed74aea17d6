"""Error pages of one hand, in the reader's language."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

# The page that was asked for is not the one that is shown: none in the masthead is the present one.
_FAILED: Final = {"has_failed": True}


@never_cache
def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "400.html", _FAILED, status=400)


@never_cache
def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "403.html", _FAILED, status=403)


@never_cache
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "403_csrf.html", _FAILED, status=403)


@never_cache
def not_found(
    request: HttpRequest, exception: Exception | None = None, **named: str
) -> HttpResponse:
    """`named` are the parts of an address that is known and leads nowhere."""
    return render(request, "404.html", _FAILED, status=404)


@never_cache
def server_error(request: HttpRequest) -> HttpResponse:
    return render(request, "500.html", _FAILED, status=500)
