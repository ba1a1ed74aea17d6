"""The cast: seated people, a dead one, a spectator, a stranger, a member of another table."""

from collections.abc import Iterator
from threading import Barrier

import pytest
from django.db import connection

from games import positions, screens
from games.hub import watches
from games.models import Table
from tests.games.person import Person
from tests.games.stories import NAMES, person, play_until, run_table


@pytest.fixture(autouse=True)
def _no_memory() -> Iterator[None]:
    """Tests reuse primary keys."""
    positions.forget_all()
    screens.forget_all()
    yield
    positions.forget_all()
    screens.forget_all()


@pytest.fixture
def closed_lines() -> Iterator[None]:
    """Channels' communicators keep database connections open; PostgreSQL would miss them."""
    yield
    for pool in (watches._RENDERERS, watches._DOORKEEPERS):
        threads = len(pool._threads)
        if threads:
            # Each thread has its own, so each must come by.
            everybody = Barrier(threads)

            def close(_: int, everybody: Barrier = everybody) -> None:
                everybody.wait(5)
                connection.close()

            list(pool.map(close, range(threads)))


@pytest.fixture
def table(db) -> Table:
    """A running public table of five people: liberals 0 to 2, fascist 3, Hitler 4; 0 stands."""
    return run_table()


@pytest.fixture
def seated(table) -> list[Person]:
    """Ada, the host, in seat 0, and the four after her."""
    return [Person(person(name), table) for name in NAMES[: table.seats_wanted]]


@pytest.fixture
def dead(table, seated) -> Person:
    """Somebody who was executed; the game goes on."""
    state = play_until(table, lambda state: len(state.alive) < state.players)
    gone = next(seat for seat in range(state.players) if seat not in state.alive)
    return seated[gone]


@pytest.fixture
def spectator(table) -> Person:
    """Signed in, and not at the table."""
    return Person(person("Sofia"), table)


@pytest.fixture
def stranger(table) -> Person:
    """Not signed in."""
    return Person(None, table)


@pytest.fixture
def neighbour(table) -> Person:
    """Sits in seat 0 of another running table, and looks at this one."""
    run_table(names=["Nadia", *(f"Guest {number}" for number in range(1, 5))])
    return Person(person("Nadia"), table)
