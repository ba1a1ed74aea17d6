"""A user's own finished games."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.auth.requests import AuthenticatedHttpRequest
from games.selectors.own_games import OwnGamesFilters, game_number, own_games
from games.views.fragments import sign_in_first


@require_safe
@never_cache
@sign_in_first
def page(request: AuthenticatedHttpRequest) -> HttpResponse:
    """List the user's own games, a page at a time: `?before=` is where it begins."""
    filters = OwnGamesFilters(request.GET)
    before = game_number(request.GET.get("before", ""))
    shown = own_games(request.user, filters, before=before)
    context = {
        "shown": shown,
        "filters": filters,
        "newest": filters.query() if before is not None else None,
        "older": None if shown.older is None else filters.query(before=shown.older),
    }
    return render(request, "games/own_games.html", context)
