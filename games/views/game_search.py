"""The search for finished games."""

from typing import Final

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.auth.requests import HtmxRequest
from accounts.models import User
from accounts.profiles.languages import linked_language
from games.selectors.game_filters import GameFilters
from games.selectors.game_search import MOST_COUNTED, Cursor, find_games, names_beginning

# The least number of fields for names: a player, and whom they played with.
_LEAST_NAMES: Final = 2


@require_safe
@never_cache
def page(request: HtmxRequest) -> HttpResponse:
    """List the finished games that the viewer may find, a page at a time.

    `?before=` lists the games behind a place, `?after=` those before it. A form without values
    leads to its short address, and so do `?q=` and `?name=` of old, which are a name.
    """
    given = request.GET.copy()
    old = [name for name in ("q", "name") if name in given]
    for name in old:
        given.appendlist("player", given.pop(name)[-1])
    filters = GameFilters(given)
    before = Cursor.read(given.get("before", ""))
    after = Cursor.read(given.get("after", "")) if before is None else None
    search = reverse("games:game_search")
    if (old or "" in given.values()) and not filters.errors:
        pages = {"before": before, "after": after, "lang": linked_language(request)}
        return HttpResponseRedirect(search + filters.query(**pages))
    is_beyond = before is not None or after is not None
    found = find_games(
        filters, _viewer(request), before=before, after=after, is_counted=not is_beyond
    )
    if after is not None and found.games and found.newer is None:
        # The first page has one address.
        return HttpResponseRedirect(search + filters.query())
    names = given.getlist("player")
    folded = [each for each in filters.form.visible_fields() if each.name != "sort"]
    context = {
        "filters": filters,
        "form": filters.form,
        "names": [*names, *[""] * (_LEAST_NAMES - len(names))],
        "folded": folded,
        "told": filters.words_of(*(each.name for each in folded)),
        "is_wrong": any(each.errors for each in folded),
        "found": found,
        "most_counted": MOST_COUNTED,
        "is_beyond": is_beyond,
        "first": filters.query(),
        "newer": filters.query(after=found.newer),
        "older": filters.query(before=found.older),
        "feed": reverse("games:games_feed") + filters.query(sort="", lang=request.LANGUAGE_CODE),
    }
    return _unindexed(render(request, "games/game_search.html", context))


@require_safe
@never_cache
def names(request: HtmxRequest) -> HttpResponse:
    """Return the names that begin like `?player=`, as options of a list."""
    found = names_beginning(request.GET.get("player", ""), _viewer(request))
    return _unindexed(render(request, "games/_search_names.html", {"names": found}))


def _viewer(request: HtmxRequest) -> User | None:
    return request.user if request.user.is_authenticated else None


def _unindexed(response: HttpResponse) -> HttpResponse:
    """Keep search engines from keeping a page that names people."""
    response.headers["X-Robots-Tag"] = "noindex"
    return response
