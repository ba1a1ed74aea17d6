"""Motions: a seat whose player is away, a substitute, and a game that is ended."""

from django.db.models import F

from games.models import Motion, Seat, Table
from games.panels import table_panels
from games.services import motions, substitutes
from games.state.rooms import room_with
from tests.builders.tables import person


def goes_away(table: Table, *numbers: int) -> None:
    """Mark these seats as away, as after two successive decisions by the clock."""
    Seat.objects.filter(table=table, number__in=numbers).update(is_away=True, times_late=2)
    Table.objects.filter(pk=table.pk).update(version=F("version") + 1)


def waits(table: Table, *names: str) -> None:
    for name in names:
        substitutes.join_list(table=table, user=person(name))


def moves(table: Table, by: str = "Ada", *, number: int = 3, name: str = "Dario", **how) -> None:
    how = {"substitute": "Sofia"} | how
    motions.move_replacement(table=table, user=person(by), number=number, name=name, **how)


def votes(table: Table, *names: str, is_for: bool = True, ordinal: int = 1) -> None:
    for name in names:
        motions.vote(table=table, user=person(name), ordinal=ordinal, is_for=is_for)


def replaced(table: Table) -> None:
    """Replace Dario in seat 3 by Sofia."""
    goes_away(table, 3)
    waits(table, "Sofia")
    moves(table)
    votes(table, "Boris", "Chika")
    assert the_motion(table).outcome == Motion.Outcome.PASSED


def stopped(table: Table) -> None:
    """End the game by a motion after two of five players have left."""
    goes_away(table, 3, 4)
    motions.move_stop(table=table, user=person("Ada"))
    votes(table, "Boris")


def the_motion(table: Table) -> Motion:
    return table.motions.latest("ordinal")


def panels_of(table: Table, name: str) -> dict[str, str]:
    found = table_panels(room_with(table.pk), person(name).pk, "en")
    return {panel: found[panel].html for panel in found}
