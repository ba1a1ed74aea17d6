"""The lobby is two panels: the public tables, which all may see, and one's own."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from games.models import Table, Visibility
from games.positions import position_of
from games.reliability import Reliability, reliability_of
from games.screens.pieces import Panel, Part, Piece

LOBBY_ROWS = 50


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
    # Of those who have played enough, at a table that gathers and is not blind.
    reliable: tuple[tuple[str, Reliability], ...]
    seated: int
    wanted: int
    my_turn: bool = False

    @property
    def can_join(self) -> bool:
        return self.stage == Table.Stage.OPEN and self.seated < self.wanted


@dataclass(frozen=True, slots=True)
class PublicTables(Part):
    template: ClassVar[str] = "lobby_tables"
    noun: ClassVar[str] = "tables"

    gathering: tuple[LobbyRow, ...]
    running: tuple[LobbyRow, ...]


@dataclass(frozen=True, slots=True)
class OwnTables(Part):
    template: ClassVar[str] = "lobby_mine"
    noun: ClassVar[str] = "mine"

    rows: tuple[LobbyRow, ...]


def lobby_panels(user_pk: int | None, language: str) -> dict[str, Panel]:
    """The lobby as somebody may see it: public tables for all, and their own."""
    own = own_tables([] if user_pk is None else [user_pk])
    return as_panels(public_tables(), own.get(user_pk, OwnTables(())), language)


def as_panels(public: PublicTables, own: OwnTables, language: str) -> dict[str, Panel]:
    return {
        "tables": Panel("tables", Piece(public, language)),
        "mine": Panel("mine", Piece(own, language)),
    }


def public_tables() -> PublicTables:
    """What everybody finds in the lobby."""
    public = Table.objects.filter(visibility=Visibility.PUBLIC).prefetch_related("seats")

    def newest(stage: Table.Stage) -> tuple[LobbyRow, ...]:
        tables = list(public.filter(stage=stage).order_by("-created_at")[:LOBBY_ROWS])
        known = _reliability(tables) if stage == Table.Stage.OPEN else {}
        return tuple(_row(table, known) for table in tables)

    return PublicTables(newest(Table.Stage.OPEN), newest(Table.Stage.RUNNING))


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
            rows[user].append(_row(table, my_turn=seated[user] in to_act))
    return {user: OwnTables(tuple(found[:LOBBY_ROWS])) for user, found in rows.items()}


def _to_act(table: Table) -> tuple[int, ...]:
    game = getattr(table, "game", None)
    if game is None:
        return ()
    game.table = table
    return position_of(game, list(table.seats.all())).state.to_act


def _reliability(tables: Iterable[Table]) -> dict[int, Reliability]:
    """Of the people at these tables, in one statement; nothing of those at blind ones."""
    return reliability_of(
        seat.user_id
        for table in tables
        if not table.is_blind
        for seat in table.seats.all()
        if seat.user_id is not None
    )


def _row(
    table: Table, known: Mapping[int, Reliability] = MappingProxyType({}), *, my_turn: bool = False
) -> LobbyRow:
    seats = list(table.seats.all())
    return LobbyRow(
        code=table.code,
        stage=table.stage,
        edition=table.edition,
        is_custom=table.is_custom,
        is_private=table.is_private,
        pace=table.pace,
        people=tuple(seat.name for seat in seats if not seat.is_bot),
        reliable=()
        if table.is_blind
        else tuple((seat.name, known[seat.user_id]) for seat in seats if seat.user_id in known),
        seated=len(seats),
        wanted=table.seats_wanted,
        my_turn=my_turn,
    )
