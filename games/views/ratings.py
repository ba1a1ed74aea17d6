"""The leaderboards."""

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import push_url

from accounts.auth.requests import AuthenticatedHttpRequest, HtmxRequest
from accounts.models import Friendship
from games.models import Pace, RatedTempo
from games.rating import LEAST_GAMES, season_of
from games.selectors import ratings as selector
from games.services import ratings as service
from games.views.fragments import sign_in_first


@require_safe
@never_cache
def leaderboard(request: HtmxRequest) -> HttpResponse:
    """Show a page of a leaderboard: `?after=` is where it begins.

    A filter that changes asks by htmx; the answer's address is the short one.
    """
    viewer = request.user if request.user.is_authenticated else None
    seasons = selector.archived_seasons()
    filters = selector.BoardFilters.read(request.GET.dict(), seasons=seasons)
    after = request.GET.get("after", "")
    shown = selector.board(filters, viewer, after)
    most_games = 0 if viewer is None else selector.most_rated_games(viewer)
    may_have_friends = viewer is not None and not viewer.is_trial
    choice = selector.BoardFilterSet(request.GET, seasons=seasons, is_signed_in=may_have_friends)
    context = {
        "board": shown,
        "filters": filters,
        "form": choice.form,
        "narrowed": choice.narrowed,
        "season": filters.season or season_of(timezone.now()),
        "here": reverse("games:ratings") + filters.query(),
        "play": _address_to_play(filters),
        "first": filters.query() if after else "",
        "next": filters.query(after=shown.after) if shown.after else "",
        "has_rating": most_games > 0,
        "is_rated": most_games >= LEAST_GAMES,
        "progress": selector.games_to_rating(filters, viewer),
        "least_games": LEAST_GAMES,
        "is_listed": viewer is not None and selector.is_listed(viewer),
        "shown_to": None if viewer is None else selector.audience_of(viewer),
        "is_friendless": filters.friends
        and viewer is not None
        and not viewer.is_trial
        and not Friendship.objects.friends_of(viewer.pk),
    }
    response = render(request, "games/ratings.html", context)
    if request.htmx:
        response = push_url(response, reverse("games:ratings") + filters.query(after=after))
    # It names people: search engines are not meant to keep it.
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _address_to_play(filters: selector.BoardFilters) -> str:
    """Return where one finds or opens a table whose game counts for this leaderboard."""
    kind, _colon, value = filters.scope.partition(":")
    query = {"players" if kind == "size" else kind: value} if kind else {}
    if filters.tempo == RatedTempo.DAYS:
        page, query = reverse("games:open_table"), {"pace": Pace.DAILY.value, **query}
    elif kind == "edition":
        # The search follows the language.
        page = reverse("games:open_table")
    else:
        page = reverse("games:find_game")
    return f"{page}?{urlencode(query)}" if query else page


@require_POST
@never_cache
@sign_in_first
def listing(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Put the user on leaderboards, or take them off.

    The query string is that of the leaderboard they look at, to which the answer leads back.
    """
    is_listed = request.POST.get("listed") == "yes"
    service.choose_listing(user=request.user, is_listed=is_listed)
    messages.success(
        request,
        gettext("You no longer keep yourself off the leaderboards.")
        if is_listed
        else gettext("You won’t appear on the leaderboards."),
    )
    seasons = selector.archived_seasons()
    filters = selector.BoardFilters.read(request.GET.dict(), seasons=seasons)
    return HttpResponseRedirect(reverse("games:ratings") + filters.query(), status=303)
