"""The parameters of the public API's lists."""

from typing import Any, Final

from django.http import HttpRequest
from django.utils import timezone

from games.models import RatedTempo
from games.rating import Side, season_of
from games.selectors.game_filters import GameFilters
from games.selectors.game_search import GAMES_ON_A_PAGE, Cursor
from games.selectors.ratings import SCOPES, BoardFilters, archived_seasons, read_board_cursor
from games.views.public_api.answers import BadParameters

Errors = list[tuple[str, str]]

MOST_GAMES: Final = 100
FILTERS: Final = (
    *("player", "result", "role", "edition", "players", "company", "winner", "ending", "moment"),
    *("length", "pace", "language", "since", "until"),
)
OF_A_LIST: Final = ("before", "limit")
OF_A_BOARD: Final = ("side", "tempo", "scope", "season", "after")
_NO_PAGE: Final = "Not a place in the list. Take it from `next` of an answer."


def read_search(request: HttpRequest) -> tuple[GameFilters, Cursor | None, int]:
    """Return the filters of the search and the page; raises BadParameters with all errors."""
    filters, errors = _filters(request)
    before, limit, more = _page(request)
    if errors or more:
        raise BadParameters([*errors, *more])
    return filters, before, limit


def read_page(request: HttpRequest) -> tuple[Cursor | None, int]:
    """Return where a page of games begins and how many it may have; raises BadParameters."""
    before, limit, errors = _page(request)
    if errors:
        raise BadParameters(errors)
    return before, limit


def read_filters(request: HttpRequest) -> GameFilters:
    """Return the filters of the search; raises BadParameters."""
    filters, errors = _filters(request)
    if errors:
        raise BadParameters(errors)
    return filters


def read_board(request: HttpRequest) -> tuple[BoardFilters, str]:
    """Return which leaderboard is asked for and where its page begins; raises BadParameters."""
    given = request.GET.dict()
    running, archived = season_of(timezone.now()), archived_seasons()
    allowed: dict[str, Any] = {
        "side": [side.value for side in Side],
        "tempo": RatedTempo.values,
        "scope": SCOPES,
        "season": [str(season) for season in (running, *archived)],
    }
    errors = [
        (name, "There is no such value.")
        for name, values in allowed.items()
        if name in given and given[name] not in values
    ]
    after = given.get("after", "")
    if after and read_board_cursor(after) is None:
        errors.append(("after", _NO_PAGE))
    if given.get("season") == str(running):
        del given["season"]
    if given.get("season") and given.get("scope"):
        errors.append(("scope", "Only the running season has scopes."))
    if errors:
        raise BadParameters(errors)
    return BoardFilters.read(given, seasons=archived), after


def _filters(request: HttpRequest) -> tuple[GameFilters, Errors]:
    filters = GameFilters(request.GET)
    errors = [
        (name, " ".join(str(each) for each in reasons)) for name, reasons in filters.errors.items()
    ]
    return filters, errors


def _page(request: HttpRequest) -> tuple[Cursor | None, int, Errors]:
    errors = []
    given = request.GET.get("before", "")
    before = Cursor.read(given)
    if given and before is None:
        errors.append(("before", _NO_PAGE))
    number = request.GET.get("limit", str(GAMES_ON_A_PAGE))
    limits = {str(each): each for each in range(1, MOST_GAMES + 1)}
    if number not in limits:
        errors.append(("limit", f"Not a number from 1 to {MOST_GAMES}."))
    return before, limits.get(number, 1), errors
