"""The lobby is two panels: the public tables, which all may see, and one's own."""

from dataclasses import dataclass

from django.utils import translation

from games.models import Table
from games.positions import position_of
from games.screens.mine import seat_of
from games.screens.panels import Panel, Person, render

LOBBY_ROWS = 50


@dataclass(frozen=True, slots=True)
class LobbyRow:
    """A table as the lobby lists it."""

    table: Table
    people: tuple[str, ...]
    bots: int
    my_turn: bool = False

    @property
    def url(self) -> str:
        return self.table.get_absolute_url()

    @property
    def edition(self) -> str:
        return self.table.edition

    @property
    def is_custom(self) -> bool:
        return self.table.is_custom

    @property
    def seated(self) -> int:
        return len(self.people) + self.bots

    @property
    def wanted(self) -> int:
        return self.table.seats_wanted

    @property
    def can_join(self) -> bool:
        return self.table.stage == Table.Stage.OPEN and self.seated < self.wanted


def lobby_panels(person: Person, language: str) -> dict[str, Panel]:
    """The lobby as `person` may see it: public tables for all, and their own."""
    with translation.override(language):
        public = Table.objects.filter(is_private=False).prefetch_related("seats")
        stages = {
            "open_tables": public.filter(stage=Table.Stage.OPEN).order_by("-created_at"),
            "running_tables": public.filter(stage=Table.Stage.RUNNING).order_by("-created_at"),
        }
        rows = {
            name: [_lobby_row(table) for table in tables[:LOBBY_ROWS]]
            for name, tables in stages.items()
        }
        return {
            "tables": render("lobby_tables", rows, name="tables"),
            "mine": render("lobby_mine", {"rows": _own_rows(person)}, name="mine"),
        }


def _own_rows(person: Person) -> list[LobbyRow]:
    if not person.is_authenticated:
        return []
    own = (
        Table.objects.filter(seats__user=person, stage__in=(Table.Stage.OPEN, Table.Stage.RUNNING))
        .select_related("game")
        .prefetch_related("seats")
        .order_by("-created_at")
    )
    return [_lobby_row(table, person) for table in own[:LOBBY_ROWS]]


def _lobby_row(table: Table, person: Person | None = None) -> LobbyRow:
    seats = list(table.seats.all())
    my_turn = False
    if person is not None and table.stage == Table.Stage.RUNNING:
        my_turn = seat_of(table, person) in position_of(table.game).state.to_act
    return LobbyRow(
        table=table,
        people=tuple(seat.name for seat in seats if not seat.is_bot),
        bots=sum(1 for seat in seats if seat.is_bot),
        my_turn=my_turn,
    )
