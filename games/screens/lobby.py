"""The lobby is two panels: the public tables that somebody looks for, and one's own."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import ClassVar

from games.listings import Listed, Listings, Wanted, friends_of, listings
from games.models import Table
from games.positions import position_of
from games.reliability import Reliability
from games.screens.pieces import Panel, Part, Piece

LOBBY_ROWS = 50
LOBBY_PANELS = ("tables", "mine", "here")
OVER_ROWS = 10
EVERYTHING = Wanted()


@dataclass(frozen=True, slots=True)
class LobbyRow:
    """A table as the lobby lists it."""

    code: str
    stage: str
    edition: str
    is_custom: bool
    is_private: bool
    pace: str
    people: tuple[str, ...]
    seated: int
    wanted: int
    my_turn: bool = False
    # Of those who have played enough, at a table that gathers and is not blind.
    reliable: tuple[tuple[str, Reliability], ...] = ()
    languages: tuple[str, ...] = ()
    chat: str = ""
    joiners: str = ""
    is_blind: bool = False
    is_rated: bool = False
    # liberal or fascist, of a game that is over.
    winner: str = ""

    @property
    def can_join(self) -> bool:
        return self.stage == Table.Stage.OPEN and self.seated < self.wanted


@dataclass(frozen=True, slots=True)
class PublicTables(Part):
    template: ClassVar[str] = "lobby_tables"
    noun: ClassVar[str] = "tables"

    gathering: tuple[LobbyRow, ...]
    running: tuple[LobbyRow, ...]
    over: tuple[LobbyRow, ...]
    # Whether these are only some of all.
    is_narrowed: bool


@dataclass(frozen=True, slots=True)
class OwnTables(Part):
    template: ClassVar[str] = "lobby_mine"
    noun: ClassVar[str] = "mine"

    rows: tuple[LobbyRow, ...]


@dataclass(frozen=True, slots=True)
class Here(Part):
    """How many people are here."""

    template: ClassVar[str] = "lobby_here"
    noun: ClassVar[str] = "here"

    people: int


def lobby_panels(
    user_pk: int | None, language: str, wanted: Wanted, people_here: int
) -> dict[str, Panel]:
    """The lobby as somebody may see it: the public tables they look for, and their own."""
    users = [] if user_pk is None else [user_pk]
    friends = friends_of(users if wanted.friends else ()).get(user_pk or 0, frozenset())
    public = public_tables(listings(), wanted, friends)
    own = own_tables(users).get(user_pk, OwnTables(()))
    return as_panels(Panel("tables", Piece(public, language)), own, Here(people_here), language)


def as_panels(public: Panel, own: OwnTables, here: Here, language: str) -> dict[str, Panel]:
    return {
        "tables": public,
        "mine": Panel("mine", Piece(own, language)),
        "here": Panel("here", Piece(here, language)),
    }


def public_tables(
    found: Listings, wanted: Wanted = EVERYTHING, friends: Collection[int] = ()
) -> PublicTables:
    """What somebody with these friends finds in the lobby who looks for this."""

    def rows(tables: Iterable[Listed], most: int) -> tuple[LobbyRow, ...]:
        fitting = [table for table in tables if table.fits(wanted, friends)]
        return tuple(_listed(table) for table in fitting[:most])

    return PublicTables(
        rows(found.gathering, LOBBY_ROWS),
        rows(found.running, LOBBY_ROWS),
        rows(found.over, OVER_ROWS),
        is_narrowed=bool(wanted),
    )


def own_tables(users: Iterable[int]) -> dict[int | None, OwnTables]:
    """The tables that gather or run, of each of these people; in a few statements for all."""
    users = set(users)
    if not users:
        return {}
    tables = (
        Table.objects.filter(
            seats__user__in=users, stage__in=(Table.Stage.OPEN, Table.Stage.RUNNING)
        )
        .select_related("game")
        .prefetch_related("seats")
        .order_by("-created_at")
        .distinct()
    )
    rows: defaultdict[int | None, list[LobbyRow]] = defaultdict(list)
    for table in tables:
        seated = {seat.user_id: seat.number for seat in table.seats.all()}
        to_act = _to_act(table)
        for user in users & seated.keys():
            rows[user].append(_own(table, my_turn=seated[user] in to_act))
    return {user: OwnTables(tuple(found[:LOBBY_ROWS])) for user, found in rows.items()}


def _to_act(table: Table) -> tuple[int, ...]:
    game = getattr(table, "game", None)
    if game is None or table.is_frozen:
        return ()
    game.table = table
    return position_of(game, list(table.seats.all())).state.to_act


def _listed(table: Listed) -> LobbyRow:
    return LobbyRow(
        code=table.code,
        stage=table.stage,
        edition=table.edition,
        is_custom=table.is_custom,
        is_private=False,
        pace=table.pace,
        people=table.names,
        reliable=table.reliable,
        seated=table.seated,
        wanted=table.wanted,
        languages=table.languages,
        chat=table.chat,
        joiners=table.joiners,
        is_blind=table.is_blind,
        is_rated=table.is_rated,
        winner=table.winner,
    )


def _own(table: Table, *, my_turn: bool) -> LobbyRow:
    seats = list(table.seats.all())
    return LobbyRow(
        code=table.code,
        stage=table.stage,
        edition=table.edition,
        is_custom=table.is_custom,
        is_private=table.is_private,
        pace=table.pace,
        people=tuple(seat.name for seat in seats if not seat.is_bot),
        seated=len(seats),
        wanted=table.seats_wanted,
        my_turn=my_turn,
        is_blind=table.is_blind,
    )
