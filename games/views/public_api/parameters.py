"""The parameters of the public API's lists. The models check them and describe them."""

from collections.abc import Iterable
from typing import Annotated, Any, Final

from django.http import HttpRequest
from django.utils import timezone
from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    PlainValidator,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from games.analysis.moments import Moment
from games.models import Pace, RatedTempo
from games.rating import Side, season_of
from games.rules.components import Party, Role
from games.rules.editions import EDITIONS
from games.rules.phases import Ending
from games.selectors.game_filters import PLAYER_RESULTS, GameFilters
from games.selectors.game_search import GAMES_ON_A_PAGE, Cursor
from games.selectors.own_games import COMPANIES
from games.selectors.ratings import SCOPES, BoardFilters, archived_seasons, read_board_cursor
from games.views.public_api import answers
from games.views.public_api.api import BadParameters
from games.wording import SPOKEN

MOST_GAMES: Final = 100
_BEGINS: Final = "Where the page begins: taken from `next`."


def one_of(values: Iterable[object], description: str, default: Any = None) -> Any:
    """Accept these values alone."""
    return answers.one_of(values, description, default=default)


def told(description: str, **schema: Any) -> Any:
    return Field(None, description=description, json_schema_extra=schema)


def _read_cursor(given: str) -> Cursor:
    cursor = Cursor.read(given)
    if cursor is None:
        raise _no_page()
    return cursor


def _check_board_cursor(given: str) -> str:
    if read_board_cursor(given) is None:
        raise _no_page()
    return given


def _no_page() -> PydanticCustomError:
    return PydanticCustomError("page", "Not a place in the list. Take it from `next` of an answer.")


class Parameters(BaseModel):
    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Forms send a blank for what was not chosen."""
        return {
            name: [each for each in value if each] if isinstance(value, list) else value
            for name, value in given.items()
            if value != ""
        }

    @field_validator("*")
    @classmethod
    def _is_known(cls, value: Any, info: ValidationInfo) -> Any:
        extra: Any = cls.model_fields[str(info.field_name)].json_schema_extra or {}
        if "enum" in extra and value not in extra["enum"]:
            raise PydanticCustomError("value", "There is no such value.")
        return value


class Filters(Parameters):
    """The filters of the search, which checks them further: see `read_filters`."""

    player: list[str] = Field(
        [],
        description="Players. Several: games in which all of them played. Finds nothing unless "
        "their pages show their games to everyone.",
    )
    result: str = one_of(PLAYER_RESULTS, "Whether each of these players won; needs `player`.")
    role: str = one_of(Role, "The role of each of these players; needs `player`.")
    edition: str = one_of(EDITIONS, "The edition of the rules.")
    players: str = told("The number of players, or the least and the most: `7`, `5-6`.")
    company: str = one_of(COMPANIES, "`people`: games without bots. `bots`: with at least one.")
    winner: str = one_of(Party, "The side that won.")
    ending: str = one_of(Ending, "How the game ended.")
    moment: list[Annotated[str, answers.one_of(Moment)]] = Field(
        [], description="What happened. Several: games in which all of them happened."
    )
    length: str = told("The least and the most minutes: `20-44`, or `45-` for 45 or more.")
    pace: str = one_of(Pace.values, "The pace of the table.")
    language: str = one_of(SPOKEN, "The table's language, if it had one alone.")
    since: str = told("Games that ended on this day or later.", format="date")
    until: str = told("Games that ended on this day or earlier.", format="date")


class Page(Parameters):
    before: Annotated[Cursor, PlainValidator(_read_cursor)] = told(_BEGINS, type="string")
    limit: int = Field(GAMES_ON_A_PAGE, ge=1, le=MOST_GAMES, description="The most games to list.")


class Search(Page, Filters):
    pass


class BoardPage(Parameters):
    side: str = one_of(Side, "Whose rating: as liberal or as fascist.", Side.LIBERAL.value)
    tempo: str = one_of(RatedTempo.values, "Live games or games over days.", RatedTempo.LIVE.value)
    scope: str = one_of(
        [scope for scope in SCOPES if scope],
        "Only players with enough games of this kind. The running season alone has scopes.",
    )
    season: int = told("A season from /seasons/; the running one without it.")
    after: Annotated[str, AfterValidator(_check_board_cursor)] = Field("", description=_BEGINS)


def read_filters(request: HttpRequest) -> GameFilters:
    """Return the filters of the search; raises BadParameters."""
    filters = GameFilters(request.GET)
    errors = [
        (name, " ".join(str(each) for each in reasons)) for name, reasons in filters.errors.items()
    ]
    if errors:
        raise BadParameters(errors)
    return filters


def read_board(asked: BoardPage) -> BoardFilters:
    """Return which leaderboard is asked for; raises BadParameters."""
    running, archived = season_of(timezone.now()), archived_seasons()
    is_past = asked.season not in (None, running)
    if is_past and asked.season not in archived:
        raise BadParameters([("season", "There is no such value.")])
    if is_past and asked.scope:
        raise BadParameters([("scope", "Only the running season has scopes.")])
    return BoardFilters(asked.side, asked.tempo, asked.scope or "", asked.season if is_past else 0)
