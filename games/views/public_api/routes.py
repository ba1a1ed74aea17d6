"""The routes of the public API. All of them answer as to a visitor who is not signed in."""

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from config.http.origin import site_origin
from games.models import Dump, Table
from games.panels.profile import page_of
from games.panels.statistics import site_statistics
from games.rating import season_of
from games.rules.record import record_json
from games.selectors.audiences import shows_games
from games.selectors.game_filters import GameFilters
from games.selectors.game_search import Cursor, find_games, find_public_game
from games.selectors.ratings import archived_seasons
from games.selectors.ratings import board as board_of
from games.services import records
from games.views.public_api import written
from games.views.public_api.answers import public
from games.views.public_api.document import document
from games.views.public_api.parameters import (
    FILTERS,
    OF_A_BOARD,
    OF_A_LIST,
    read_board,
    read_page,
    read_search,
)
from games.wording.refusals import Refused

_MINUTE = 60
_HOUR = 3600
# Twenty years of months.
_MOST_DUMPS = 240


@public(seconds=_HOUR)
def openapi(request: HttpRequest) -> dict[str, Any]:
    """Return the OpenAPI document."""
    return document(site_origin(request))


@public(seconds=_MINUTE, parameters=(*FILTERS, *OF_A_LIST))
def games(request: HttpRequest) -> dict[str, Any]:
    """List the public finished games, newest first."""
    filters, before, limit = read_search(request)
    return _list(request, "games:v1_games", [], filters, before, limit)


@public(seconds=_MINUTE)
def game(request: HttpRequest, code: str) -> dict[str, Any]:
    """Return one public finished game."""
    found = find_public_game(code)
    if found is None:
        raise Http404
    return written.game_json(found, site_origin(request))


@public(seconds=_MINUTE)
def record(request: HttpRequest, code: str) -> dict[str, Any]:
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


@public(seconds=_MINUTE)
def person(request: HttpRequest, key: str) -> dict[str, Any]:
    """Return a person's page as everyone sees it."""
    page = page_of(key, None)
    if page is None:
        raise Http404
    return written.person_json(page, site_origin(request))


@public(seconds=_MINUTE, parameters=OF_A_LIST)
def person_games(request: HttpRequest, key: str) -> dict[str, Any]:
    """List a person's public games, if the page shows them to everyone."""
    filters = GameFilters({"player": [public_player(key).username]})
    return _list(request, "games:v1_person_games", [key], filters, *read_page(request))


@public(seconds=_MINUTE, parameters=OF_A_BOARD)
def leaderboards(request: HttpRequest) -> dict[str, Any]:
    """Return a page of a leaderboard."""
    filters, after = read_board(request)
    board = board_of(filters, None, after)
    address = site_origin(request) + reverse("games:v1_leaderboards")
    season = filters.season or season_of(timezone.now())
    return {
        "side": filters.side,
        "tempo": filters.tempo,
        "scope": filters.scope or None,
        "season": season,
        "rows": written.board_json(board, site_origin(request)),
        "next": address + filters.query(after=board.after) if board.after else None,
    }


@public(seconds=_MINUTE)
def seasons(request: HttpRequest) -> dict[str, Any]:
    """List the seasons of the leaderboards, newest first."""
    running = season_of(timezone.now())
    known = (running, *(season for season in archived_seasons() if season != running))
    return {"seasons": [written.season_json(each, is_running=each == running) for each in known]}


@public(seconds=_MINUTE)
def statistics(request: HttpRequest) -> dict[str, Any]:
    """Return the site's statistics."""
    return written.statistics_json(site_statistics())


@public(seconds=_MINUTE)
def dumps(request: HttpRequest) -> dict[str, Any]:
    """List the monthly files of public games, newest first."""
    made = Dump.objects.filter(shown__isnull=False, made_at__isnull=False)[:_MOST_DUMPS]
    origin = site_origin(request)
    return {"dumps": [written.dump_json(dump, origin) for dump in made]}


def public_player(key: str) -> User:
    """Return the owner of a page that shows its games to everyone. Raises Http404."""
    owner = User.objects.filter(person_key=key).first()
    if owner is None or not shows_games(owner, None, ()):
        raise Http404
    return owner


def _list(
    request: HttpRequest,
    view: str,
    arguments: list[str],
    filters: GameFilters,
    before: Cursor | None,
    limit: int,
) -> dict[str, Any]:
    found = find_games(filters, None, before=before, most=limit)
    origin = site_origin(request)
    following = None
    if found.older is not None:
        query = request.GET.copy()
        query["before"] = str(found.older)
        following = f"{origin}{reverse(view, args=arguments)}?{query.urlencode()}"
    return {
        "games": [written.game_json(each, origin) for each in found.games],
        "next": following,
    }
