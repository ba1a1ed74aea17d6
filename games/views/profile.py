"""A user's public page, the link to it from a seat, and the site's statistics."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from games.panels.profile import VIEWS, page_of, person_at
from games.panels.statistics import site_statistics
from games.views.table_access import room_for


@require_safe
@never_cache
def person(request: HttpRequest, key: str) -> HttpResponse:
    """Show a user's page; 404 if it does not exist or is not shown to the viewer."""
    page = page_of(key, _viewer(request), seen_as=request.GET.get("as", ""))
    if page is None:
        raise Http404
    context = {"page": page, "views": VIEWS, "here": reverse("games:person", args=[key])}
    response = render(request, "games/person.html", context)
    # The page is meant for people, not for search engines.
    response.headers["X-Robots-Tag"] = "noindex"
    return response


@require_safe
@never_cache
def seat(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Redirect from a seat to its player's page; 404 if there is none that the viewer may see."""
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
