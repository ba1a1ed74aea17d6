"""The lobby is two panels: the public tables, which all may see, and one's own."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from games.models import Table, Visibility
from games.rooms import Room, put_together
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
        tables = public.filter(stage=stage).order_by("-created_at")[:LOBBY_ROWS]
        return tuple(_row(table) for table in tables)

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
        to_act = _to_act(put_together(table, getattr(table, "game", None)))
        for user in users & seated.keys():
            rows[user].append(_row(table, my_turn=seated[user] in to_act))
    return {user: OwnTables(tuple(found[:LOBBY_ROWS])) for user, found in rows.items()}


def _to_act(room: Room) -> tuple[int, ...]:
    return () if room.position is None else room.position.state.to_act


def _row(table: Table, *, my_turn: bool = False) -> LobbyRow:
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
    )
