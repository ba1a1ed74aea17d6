"""Error pages of one hand, in the reader's language."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache


@never_cache
def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "400.html", status=400)


@never_cache
def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "403.html", status=403)


@never_cache
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "403_csrf.html", status=403)


@never_cache
def not_found(
    request: HttpRequest, exception: Exception | None = None, **named: str
) -> HttpResponse:
    """`named` are the parts of an address that is known and leads nowhere."""
    return render(request, "404.html", status=404)


@never_cache
def server_error(request: HttpRequest) -> HttpResponse:
    return render(request, "500.html", status=500)
