"""Somebody's page, the way to it from a seat, and what all games of the site came to."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from games.screens.person import VIEWS, page_of, person_at
from games.screens.statistics import site_statistics
from games.views.seen import room_for


@require_safe
@never_cache
def person(request: HttpRequest, key: str) -> HttpResponse:
    """404 for a page that is not there and for one that is not shown to whoever asks."""
    page = page_of(key, _viewer(request), seen_as=request.GET.get("as", ""))
    if page is None:
        raise Http404
    context = {"page": page, "views": VIEWS, "here": reverse("games:person", args=[key])}
    response = render(request, "games/person.html", context)
    # Shown to people; no search engine keeps it.
    response.headers["X-Robots-Tag"] = "noindex"
    return response


@require_safe
@never_cache
def seat(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """From a seat to the page of whoever sits there; 404 where there is none to be seen."""
    key = person_at(room_for(request, code).table, number)
    if key is None or page_of(key, _viewer(request)) is None:
        raise Http404
    return HttpResponseRedirect(reverse("games:person", args=[key]))


@require_safe
@never_cache
def statistics(request: HttpRequest) -> HttpResponse:
    return render(request, "games/statistics.html", {"statistics": site_statistics()})


def _viewer(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated else None
