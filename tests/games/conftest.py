"""The cast: seated players, a dead one, a spectator, a stranger, a member of another table."""

import pytest

from games.models import Table
from tests.builders.person import Person
from tests.builders.tables import NAMES, person, play_until, run_table


@pytest.fixture
def table(db) -> Table:
    """Return a running public table: liberals 0 to 2, fascist 3, Hitler 4; 0 is candidate."""
    return run_table()


@pytest.fixture
def seated(table) -> list[Person]:
    """Return the five seated players: the host, Ada, in seat 0 and the four others."""
    return [Person(person(name), table) for name in NAMES[: table.seats_wanted]]


@pytest.fixture
def dead(table, seated) -> Person:
    """Return an executed player; the game goes on."""
    state = play_until(table, lambda state: len(state.alive) < state.players)
    gone = next(seat for seat in range(state.players) if seat not in state.alive)
    return seated[gone]


@pytest.fixture
def spectator(table) -> Person:
    """Return a signed-in user who is not at the table."""
    return Person(person("Sofia"), table)


@pytest.fixture
def stranger(table) -> Person:
    """Return a visitor who is not signed in."""
    return Person(None, table)


@pytest.fixture
def neighbour(table) -> Person:
    """Return the player in seat 0 of another running table, who looks at this one."""
    run_table(names=["Nadia", *(f"Guest {number}" for number in range(1, 5))])
    return Person(person("Nadia"), table)
