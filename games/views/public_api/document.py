"""The OpenAPI document of the public API."""

from dataclasses import dataclass
from typing import Any, Final

from config.http.problems import CONTENT_TYPE
from games.analysis.moments import Moment
from games.models import Pace, RatedTempo
from games.rating import Side
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS, Party, Role
from games.rules.editions import EDITIONS
from games.rules.phases import Ending
from games.selectors.game_filters import PLAYER_RESULTS
from games.selectors.own_games import COMPANIES
from games.selectors.ratings import ROWS_ON_A_PAGE, SCOPES
from games.views.public_api.parameters import FILTERS, MOST_GAMES, OF_A_BOARD, OF_A_LIST
from games.wording import SPOKEN

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Route:
    """A path below /api/v1/, and the schema of its answer."""

    path: str
    name: str
    summary: str
    answer: str
    parameters: tuple[str, ...] = ()


ROUTES: Final = (
    Route("openapi.json", "openapi", "This document", "Document"),
    Route(
        "games/", "games", "Finished public games, newest first", "Games", (*FILTERS, *OF_A_LIST)
    ),
    Route("games/{code}/", "game", "One finished public game", "Game"),
    Route("games/{code}/record/", "record", "Its record: every card, vote and move", "Record"),
    Route("people/{key}/", "person", "A person's page as everyone sees it", "Person"),
    Route("people/{key}/games/", "person_games", "A person's public games", "Games", OF_A_LIST),
    Route("leaderboards/", "leaderboards", "A page of a leaderboard", "Leaderboard", OF_A_BOARD),
    Route("seasons/", "seasons", "The seasons of the leaderboards", "Seasons"),
    Route("statistics/", "statistics", "Which side wins how often on this site", "Statistics"),
    Route("dumps/", "dumps", "Monthly files of all public games", "Dumps"),
)

_DESCRIPTION: Final = (
    "What everyone may see of finished games, as JSON. No key is needed, and cookies and tokens are"
    " ignored. Each answer has an ETag: send it in If-None-Match, and an unchanged answer is 304."
    " Errors are application/problem+json (RFC 9457). A game that is running, private or unknown"
    " answers 404, and so does a page that its owner does not show to everyone. Names stand only"
    " where their owners show their games to everyone. Times are in UTC."
)


def _text(description: str = "", **more: Any) -> Json:
    return _described({"type": "string"} | more, description)


def _number(description: str = "", least: int = 0, **more: Any) -> Json:
    return _described({"type": "integer", "minimum": least} | more, description)


def _one_of(values: Any, description: str = "") -> Json:
    return _text(description, enum=[str(value) for value in values])


def _described(schema: Json, description: str) -> Json:
    return schema | ({"description": description} if description else {})


def _or_null(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}


def _list(items: Json, description: str = "") -> Json:
    return _described({"type": "array", "items": items}, description)


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _map(values: Json, names: Any, description: str = "") -> Json:
    schema = {
        "type": "object",
        "additionalProperties": values,
        "propertyNames": {"enum": [str(name) for name in names]},
    }
    return _described(schema, description)


def _object(description: str = "", /, **properties: Json) -> Json:
    """Return the schema of an object that has these keys. Later ones may be added."""
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
    }
    return _described(schema, description)


_BOOLEAN: Final = {"type": "boolean"}
_ADDRESS: Final = _text(format="uri")
_INSTANT: Final = _text(format="date-time")
_NEXT: Final = _or_null(_text("The address of the next page; null on the last.", format="uri"))
_SIZES: Final = range(LEAST_PLAYERS, MOST_PLAYERS + 1)
_SEASON: Final = _number("The year and the quarter, such as 20264.")

# The order of the dictionary is that of the document.
PARAMETERS: Final[dict[str, Json]] = {
    "player": _list(
        _text("A player's name. Finds nothing unless the page shows its games to everyone."),
        "Players. Several: games in which all of them played.",
    ),
    "result": _one_of(PLAYER_RESULTS, "Whether each of these players won; needs `player`."),
    "role": _one_of(Role, "The role of each of these players; needs `player`."),
    "edition": _one_of(EDITIONS, "The edition of the rules."),
    "players": _text(
        "The number of players, or the least and the most: `7`, `5-6`.",
        pattern="^({0})(-({0}))?$".format("|".join(map(str, _SIZES))),
    ),
    "company": _one_of(COMPANIES, "`people`: games without bots. `bots`: with at least one."),
    "winner": _one_of(Party, "The side that won."),
    "ending": _one_of(Ending, "How the game ended."),
    "moment": _list(
        _one_of(Moment), "What happened. Several: games in which all of them happened."
    ),
    "length": _text(
        "The length in minutes, the least and the most: `20-44`, or `45-` for 45 or more.",
        pattern="^[0-9]{1,3}-([0-9]{1,3})?$",
    ),
    "pace": _one_of(Pace.values, "The pace of the table."),
    "language": _one_of(SPOKEN, "The table's language, if it had one alone."),
    "since": _text("Games that ended on this day or later.", format="date"),
    "until": _text("Games that ended on this day or earlier.", format="date"),
    "before": _text("Where the page begins: taken from `next`."),
    "limit": _number("The most games to list; 20 without it.", 1, maximum=MOST_GAMES),
    "side": _one_of(Side, "Whose rating: as liberal or as fascist. Liberal without it."),
    "tempo": _one_of(RatedTempo.values, "Live games or games over days. Live without it."),
    "scope": _one_of(
        [scope for scope in SCOPES if scope],
        "Only players with enough games of this kind. The running season alone has scopes.",
    ),
    "season": _number("A season from /seasons/; the running one without it."),
    "after": _text("Where the page begins: taken from `next`."),
}
PATH_PARAMETERS: Final[dict[str, Json]] = {
    "code": _text("A game's code, as in the address of its table."),
    "key": _text("A person's key, as in the address of their page."),
}

SCHEMAS: Final[dict[str, Json]] = {
    "Document": _described(
        {"type": "object", "required": ["openapi", "info", "paths"]}, "An OpenAPI document."
    ),
    "Game": _object(
        code=_text(),
        replay=_ADDRESS,
        record=_ADDRESS,
        edition=_one_of(EDITIONS),
        has_house_rules=_BOOLEAN,
        players=_number(least=LEAST_PLAYERS, maximum=MOST_PLAYERS),
        people=_number("How many of the players were people, not bots."),
        winner=_one_of(Party),
        ending=_one_of(Ending),
        pace=_one_of(Pace.values),
        language=_or_null(_text("The table's language; null if it had several or any.")),
        rounds=_number(),
        ended_at=_INSTANT,
        seconds=_number("How long the game lasted."),
        moments=_list(_one_of(Moment)),
        named=_list(_ref("NamedPlayer"), "The players who show their games to everyone."),
    ),
    "NamedPlayer": _object(
        seat=_number("From 0, in the order of the table.", maximum=MOST_PLAYERS - 1),
        name=_text(),
        key=_text("The key of the person's page."),
        role=_one_of(Role),
        has_won=_BOOLEAN,
    ),
    "Games": _object(games=_list(_ref("Game")), next=_NEXT),
    "Record": _described(
        {
            "type": "object",
            "required": ["format", "version", "edition", "seats", "deal", "actions"],
            "properties": {
                "format": {"const": "secret-hitler-record"},
                "version": {"const": 1},
                "seats": _list(_text(), "Names, or “Player 1”, “Player 2” and so on."),
            },
        },
        "A record of a game; games/rules/RECORD.md of the program explains every key.",
    ),
    "Person": _object(
        "Parts that are not shown to everyone, or not given, are null.",
        key=_text(),
        name=_text(),
        page=_ADDRESS,
        country=_or_null(_text("ISO 3166-1, two letters.")),
        languages=_or_null(_list(_text())),
        since=_or_null(_text("The month of registration.", pattern=r"^\d{4}-\d{2}$")),
        reliability=_or_null(
            _object(
                games=_number(),
                percent=_number("Games that were not abandoned.", maximum=100),
            )
        ),
        statistics=_or_null(
            _object(
                by_edition=_list(
                    _object(
                        edition=_or_null(
                            _one_of([*EDITIONS, "custom"], "Null in the row of all games.")
                        ),
                        all=_ref("Tally"),
                        **{str(role): _ref("Tally") for role in Role},
                    )
                ),
                by_ending=_map(_ref("Tally"), Ending),
                games_with_bots_only=_number(),
            )
        ),
        ratings=_or_null(_list(_ref("Rating"))),
        games=_or_null(_text("The address of the person's games.", format="uri")),
    ),
    "Tally": _object(games=_number(), won=_number()),
    "Rating": _object(
        side=_one_of(Side),
        tempo=_one_of(RatedTempo.values),
        games=_number(),
        rating=_or_null(_described({"type": "integer"}, "Null until ten games are rated.")),
        margin=_or_null(_number("One standard deviation.")),
    ),
    "Leaderboard": _object(
        side=_one_of(Side),
        tempo=_one_of(RatedTempo.values),
        scope=_or_null(_one_of([scope for scope in SCOPES if scope])),
        season=_SEASON,
        rows=_described(
            _list(
                _object(
                    place=_number(least=1),
                    name=_text(),
                    key=_text(),
                    page=_ADDRESS,
                    rating={"type": "integer"},
                    margin=_number("One standard deviation."),
                    games=_number(),
                )
            )
            | {"maxItems": ROWS_ON_A_PAGE},
            "People who show their page and statistics to everyone, and want to be listed.",
        ),
        next=_NEXT,
    ),
    "Seasons": _object(
        seasons=_list(
            _object(
                season=_SEASON,
                year=_number(),
                quarter=_number(least=1, maximum=4),
                is_running=_BOOLEAN,
            )
        )
    ),
    "Statistics": _object(
        "Games between people, without house rules, that were played to the end.",
        all=_ref("Share"),
        by_edition=_map(_ref("Share"), EDITIONS),
        by_players=_map(_ref("Share"), _SIZES),
        by_ending=_map(_number(), Ending, "The number of games."),
    ),
    "Share": _object(
        games=_number(),
        liberal_wins=_or_null(_number("Null below ten games. The fascists won the others.")),
    ),
    "Dumps": _object(
        dumps=_list(
            _object(
                month=_text(pattern=r"^\d{4}-\d{2}$"),
                file=_text("A gzipped file with one game a line.", format="uri"),
                games=_number(),
                bytes=_number(),
                sha256=_text(pattern=r"^[0-9a-f]{64}$"),
                made_at=_INSTANT,
            )
        )
    ),
    "Problem": _described(
        {
            "type": "object",
            "properties": {
                "type": {"const": "about:blank"},
                "title": _text(),
                "status": _number(least=400, maximum=599),
                "detail": _text(),
                "errors": _list(_object(parameter=_text(), detail=_text())),
            },
            "required": ["type", "title", "status", "detail"],
        },
        "What went wrong (RFC 9457).",
    ),
}
_PROBLEMS: Final = {
    "400": "A parameter is not valid: `errors` says which, and why.",
    "404": "Nothing public is here.",
    "429": "Too many requests from this address: wait as long as Retry-After says.",
}


def document(origin: str) -> Json:
    """Return the OpenAPI document for the API at this origin."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Chancellery", "version": "1", "description": _DESCRIPTION},
        "servers": [{"url": f"{origin}/api/v1"}],
        "paths": {f"/{route.path}": {"get": _operation(route)} for route in ROUTES},
        "components": {
            "schemas": SCHEMAS,
            "responses": {
                f"Problem{status}": {
                    "description": description,
                    "content": {CONTENT_TYPE: {"schema": _ref("Problem")}},
                }
                for status, description in _PROBLEMS.items()
            },
        },
    }


def _operation(route: Route) -> Json:
    in_path = [name for name in PATH_PARAMETERS if f"{{{name}}}" in route.path]
    # An address without a path parameter always has an answer.
    statuses = [status for status in _PROBLEMS if status != "404" or in_path]
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": PATH_PARAMETERS[name]}
        for name in in_path
    ]
    parameters += [
        {"name": name, "in": "query", "schema": schema}
        for name, schema in PARAMETERS.items()
        if name in route.parameters
    ]
    answer = {
        "description": route.summary,
        "headers": {"ETag": {"schema": {"type": "string"}}},
        "content": {"application/json": {"schema": _ref(route.answer)}},
    }
    return {
        "operationId": route.name,
        "summary": route.summary,
        "parameters": parameters,
        "responses": {
            "200": answer,
            "304": {"description": "The answer is as `If-None-Match` names it."},
            **{status: {"$ref": f"#/components/responses/Problem{status}"} for status in statuses},
        },
    }
