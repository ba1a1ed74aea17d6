"""The answers of the public API.

Each model makes the JSON of what a selector found, and describes it in the OpenAPI document. Keys
may be added within a version of the API, never removed.
"""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Annotated, Any

from django.urls import reverse
from pydantic import (
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationInfo,
    WithJsonSchema,
)

from config.http.origin import site_origin
from games.analysis.moments import Moment
from games.models import Pace, RatedTempo
from games.panels.tallies import LEAST_GAMES
from games.panels.tallies import Tally as FoundTally
from games.rating import Side
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS, Party, Role
from games.rules.editions import EDITIONS
from games.rules.phases import Ending
from games.selectors.ratings import ROWS_ON_A_PAGE


def _address(view: str, argument: object, info: ValidationInfo) -> str:
    assert info.context is not None
    return site_origin(info.context["request"]) + reverse(view, args=[argument])


def at(view: str) -> BeforeValidator:
    """Make an address of the argument of a URL."""
    return BeforeValidator(lambda argument, info: _address(view, argument, info))


def one_of(values: Iterable[object], description: str | None = None, **more: Any) -> Any:
    """Describe a text as one of these. What the site has kept is not checked again."""
    schema: dict[str, Any] = {"enum": [str(value) for value in values]}
    return Field(description=description, json_schema_extra=schema, **more)


def of(name: str | AliasPath, description: str | None = None, **more: Any) -> Any:
    """Take a field from what was found under another name."""
    return Field(validation_alias=name, description=description, **more)


def by(values: Iterable[object]) -> dict[str, Any]:
    """Describe the keys of an object."""
    return {"propertyNames": {"enum": [str(value) for value in values]}}


def _games_of_person(games: object, info: ValidationInfo) -> str | None:
    return None if games is None else _address("games:v1_person_games", info.data["key"], info)


def _liberal_wins(tally: FoundTally) -> int | None:
    """Tell no share of fewer games, because it could tell who played."""
    return tally.won if tally.games >= LEAST_GAMES else None


def _keyed(name: str) -> BeforeValidator:
    return BeforeValidator(lambda shares: {str(getattr(share, name)): share for share in shares})


def _counts(endings: Iterable[tuple[str, FoundTally]]) -> dict[str, int]:
    return {ending: tally.won for ending, tally in endings}


def _month(day: date | None) -> str | None:
    return None if day is None else f"{day:%Y-%m}"


Address = Annotated[str, WithJsonSchema({"type": "string", "format": "uri"})]
Next = Annotated[
    Address | None, Field(description="The address of the next page; null on the last.")
]
Instant = Annotated[
    datetime,
    PlainSerializer(datetime.isoformat),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
Month = Annotated[str, Field(pattern=r"^\d{4}-\d{2}$")]
Season = Annotated[int, Field(description="The year and the quarter, such as 20264.")]
Seconds = Annotated[int, BeforeValidator(lambda lasted: lasted // timedelta(seconds=1))]
OrNull = Annotated[str | None, BeforeValidator(lambda value: value or None)]


class Answer(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class NamedPlayer(Answer):
    seat: int = of("number", "From 0, in the order of the table.", ge=0, lt=MOST_PLAYERS)
    name: str
    key: str = Field(description="The key of the person's page.")
    role: str = one_of(Role)
    has_won: bool


class Game(Answer):
    code: str
    replay: Annotated[Address, at("games:replay")] = of("code")
    record: Annotated[Address, at("games:v1_record")] = of("code")
    edition: str = one_of(EDITIONS)
    has_house_rules: bool = of("is_custom")
    players: int = Field(ge=LEAST_PLAYERS, le=MOST_PLAYERS)
    people: int = Field(description="How many of the players were people, not bots.")
    winner: str = one_of(Party)
    ending: str = one_of(Ending)
    pace: str = one_of(Pace.values)
    language: OrNull = Field(description="The table's; null if it had several or any.")
    rounds: int
    ended_at: Instant
    seconds: Seconds = of("lasted", "How long the game lasted.")
    moments: list[Annotated[str, one_of(Moment)]]
    named: list[NamedPlayer] = Field(description="The players who show their games to everyone.")


class Games(Answer):
    games: list[Game]
    next: Next


Record = Annotated[
    dict[str, Any],
    Field(
        description="A record of a game; games/rules/RECORD.md of the program explains every key. "
        "Names are those that everyone may see, or “Player 1”, “Player 2” and so on.",
    ),
]


class Tally(Answer):
    games: int
    won: int


class Row(Answer):
    edition: OrNull = Field(description="An edition or `custom`; null in the row of all games.")
    all: Tally = of("together")
    liberal: Tally = of(AliasPath("roles", 0, 1))
    fascist: Tally = of(AliasPath("roles", 1, 1))
    hitler: Tally = of(AliasPath("roles", 2, 1))


class PersonStatistics(Answer):
    by_edition: list[Row] = of("rows")
    by_ending: Annotated[dict[str, Tally], BeforeValidator(dict)] = of(
        "endings", json_schema_extra=by(Ending)
    )
    games_with_bots_only: int = of("with_bots")


class Reliability(Answer):
    games: int
    percent: int = Field(le=100, description="Games that were not abandoned.")


class Rating(Answer):
    side: str = one_of(Side)
    tempo: str = one_of(RatedTempo.values)
    games: int
    rating: int | None = of(
        AliasPath("skill", "shown"), "Null until ten games are rated.", default=None
    )
    margin: int | None = of(AliasPath("skill", "margin"), "One standard deviation.", default=None)


class Person(Answer):
    """Parts that are not shown to everyone, or not given, are null."""

    key: str
    name: str
    page: Annotated[Address, at("games:person")] = of("key")
    country: OrNull = of("country_code", "ISO 3166-1, two letters.")
    languages: list[str] | None = of("language_codes")
    since: Annotated[Month | None, BeforeValidator(_month)] = Field(
        description="The month of registration."
    )
    reliability: Reliability | None
    statistics: PersonStatistics | None
    ratings: list[Rating] | None
    games: Annotated[Address | None, BeforeValidator(_games_of_person)]


class BoardRow(Answer):
    place: int
    name: str
    key: str
    page: Annotated[Address, at("games:person")] = of("key")
    rating: int = of("shown")
    margin: int = Field(description="One standard deviation.")
    games: int


class Leaderboard(Answer):
    """People who show their page and statistics to everyone, and want to be listed."""

    side: str = one_of(Side)
    tempo: str = one_of(RatedTempo.values)
    scope: OrNull
    season: Season
    rows: list[BoardRow] = Field(max_length=ROWS_ON_A_PAGE)
    next: Next


class SeasonOfBoards(Answer):
    season: Season
    year: int
    quarter: int = Field(ge=1, le=4)
    is_running: bool


class Seasons(Answer):
    seasons: list[SeasonOfBoards]


class Share(Answer):
    games: int = of(AliasPath("liberals", "games"))
    liberal_wins: Annotated[int | None, BeforeValidator(_liberal_wins)] = of(
        "liberals", "Null below ten games. The fascists won the others."
    )


class Statistics(Answer):
    """Games between people, without house rules, that were played to the end."""

    all: Share = of("together")
    by_edition: Annotated[dict[str, Share], _keyed("edition")] = Field(
        json_schema_extra=by(EDITIONS)
    )
    by_players: Annotated[dict[str, Share], _keyed("players")] = Field(
        json_schema_extra=by(range(LEAST_PLAYERS, MOST_PLAYERS + 1))
    )
    by_ending: Annotated[dict[str, int], BeforeValidator(_counts)] = of(
        "endings", "The number of games.", json_schema_extra=by(Ending)
    )


class Dump(Answer):
    month: Annotated[Month, BeforeValidator(_month)]
    file: Annotated[Address, at("games:dump"), BeforeValidator(_month)] = of(
        "month", "A gzipped file with one game a line."
    )
    games: int
    bytes: int = of("size")
    sha256: str
    made_at: Instant


class Dumps(Answer):
    dumps: list[Dump]


class ParameterError(BaseModel):
    parameter: str
    detail: str


class Problem(BaseModel):
    """What went wrong (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[ParameterError] = []
