"""The search for finished games."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.forms.game_search import GameSearchForm
from games.selectors.game_search import Cursor, find_games


@require_safe
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """List the finished games that the viewer may find, a page at a time.

    `?before=` lists the games before a place, `?after=` those after it.
    """
    form = GameSearchForm(request.GET)
    filters = form.filters()
    before = Cursor.read(request.GET.get("before", ""))
    after = Cursor.read(request.GET.get("after", "")) if before is None else None
    viewer = request.user if request.user.is_authenticated else None
    found = find_games(filters, viewer, before=before, after=after)
    context = {
        "form": form,
        "filters": filters,
        "has_input": bool(filters) or bool(form.errors),
        "found": found,
        "is_beyond": before is not None or after is not None,
        "newest": filters.query(),
        "feed": reverse("games:games_feed") + filters.query(lang=request.LANGUAGE_CODE),
        "newer": filters.query(after=found.newer) if found.newer is not None else None,
        "older": filters.query(before=found.older) if found.older is not None else None,
    }
    response = render(request, "games/game_search.html", context)
    # It names people: search engines are not meant to keep it.
    response.headers["X-Robots-Tag"] = "noindex"
    return response
