"""The routes of the public API. All of them answer as to a visitor who is not signed in."""

from dataclasses import replace
from typing import Annotated, Any

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils import timezone
from ninja import Query
from ninja.params.functions import Path

from accounts.models import User
from config.http.origin import site_origin
from games.models import Dump, Table
from games.panels.profile import page_of
from games.panels.statistics import site_statistics
from games.rating import season_of
from games.rules.record import record_json
from games.selectors.audiences import shows_games
from games.selectors.game_filters import GameFilters
from games.selectors.game_search import find_games, find_public_game
from games.selectors.ratings import archived_seasons
from games.selectors.ratings import board as board_of
from games.services import records
from games.views.public_api import answers
from games.views.public_api.api import document, route, urls
from games.views.public_api.parameters import BoardPage, Page, Search, read_board, read_filters
from games.wording.refusals import Refused

Json = dict[str, Any]
Code = Annotated[str, Path(description="A game's code, as in the address of its table.")]
Key = Annotated[str, Path(description="A person's key, as in the address of their page.")]

_HOUR = 3600
# Twenty years of months.
_MOST_DUMPS = 240


@route("openapi.json", Json, seconds=_HOUR)
def openapi(request: HttpRequest) -> Json:
    """Return this document."""
    return document(site_origin(request))


@route("games/", answers.Games, Search)
def games(request: HttpRequest, asked: Query[Search]) -> Json:
    """List the public finished games, newest first."""
    return _list(request, "games:v1_games", [], read_filters(request), asked)


@route("games/{slug:code}/", answers.Game)
def game(request: HttpRequest, code: Code) -> Any:
    """Return one public finished game."""
    found = find_public_game(code)
    if found is None:
        raise Http404
    return found


@route("games/{slug:code}/record/", answers.Record)
def record(request: HttpRequest, code: Code) -> Json:
    """Return the record of a public finished game, with the names that everyone may see."""
    found = find_public_game(code)
    table = Table.objects.select_related("game").filter(code=code).first()
    if found is None or table is None:
        raise Http404
    try:
        whole = records.record_of(table)
    except Refused:
        raise Http404 from None
    named = {player.number: player.name for player in found.named}
    seats = tuple(named.get(number, f"Player {number + 1}") for number in range(len(whole.seats)))
    return record_json(replace(whole, seats=seats))


@route("people/{slug:key}/", answers.Person)
def person(request: HttpRequest, key: Key) -> Any:
    """Return a person's page as everyone sees it."""
    page = page_of(key, None)
    if page is None:
        raise Http404
    return page


@route("people/{slug:key}/games/", answers.Games, Page)
def person_games(request: HttpRequest, key: Key, asked: Query[Page]) -> Json:
    """List a person's public games, if the page shows them to everyone."""
    filters = GameFilters({"player": [public_player(key).username]})
    return _list(request, "games:v1_person_games", [key], filters, asked)


@route("leaderboards/", answers.Leaderboard, BoardPage)
def leaderboards(request: HttpRequest, asked: Query[BoardPage]) -> Json:
    """Return a page of a leaderboard."""
    filters = read_board(asked)
    board = board_of(filters, None, asked.after)
    address = site_origin(request) + reverse("games:v1_leaderboards")
    return {
        "side": filters.side,
        "tempo": filters.tempo,
        "scope": filters.scope,
        "season": filters.season or season_of(timezone.now()),
        "rows": board.rows,
        "next": address + filters.query(after=board.after) if board.after else None,
    }


@route("seasons/", answers.Seasons)
def seasons(request: HttpRequest) -> Json:
    """List the seasons of the leaderboards, newest first."""
    running = season_of(timezone.now())
    known = (running, *(season for season in archived_seasons() if season != running))
    return {
        "seasons": [
            {
                "season": season,
                "year": season // 10,
                "quarter": season % 10,
                "is_running": season == running,
            }
            for season in known
        ]
    }


@route("statistics/", answers.Statistics)
def statistics(request: HttpRequest) -> Any:
    """Return which side wins how often on this site."""
    return site_statistics()


@route("dumps/", answers.Dumps)
def dumps(request: HttpRequest) -> Json:
    """List the monthly files of public games, newest first."""
    made = Dump.objects.filter(shown__isnull=False, made_at__isnull=False)
    return {"dumps": list(made[:_MOST_DUMPS])}


def public_player(key: str) -> User:
    """Return the owner of a page that shows its games to everyone. Raises Http404."""
    owner = User.objects.filter(person_key=key).first()
    if owner is None or not shows_games(owner, None, ()):
        raise Http404
    return owner


def _list(
    request: HttpRequest, view: str, arguments: list[str], filters: GameFilters, asked: Page
) -> Json:
    found = find_games(filters, None, before=asked.before, most=asked.limit)
    following = None
    if found.older is not None:
        query = request.GET.copy()
        query["before"] = str(found.older)
        address = site_origin(request) + reverse(view, args=arguments)
        following = f"{address}?{query.urlencode()}"
    return {"games": found.games, "next": following}


# After the routes above.
urlpatterns = urls()
