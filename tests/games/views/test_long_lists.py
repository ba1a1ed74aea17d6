"""Long lists: one page of them is as quick to make and to read as one of short lists."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.models import Pace, Seat, Table, Terms
from games.panels.lobby import LOBBY_ROWS, OWN_ROWS, own_tables
from games.rules.legality import legal_actions
from games.selectors.open_tables import TableFilters
from games.services import play, tables
from games.state import positions
from tests.builders.copies import copies
from tests.builders.person import Person
from tests.builders.sockets import Socket, does
from tests.builders.tables import act, fresh, person, run_table, state_of


def quick_games(user: User, count: int) -> None:
    """Add games that have begun, each with one move."""
    first = tables.quick_game(user=user, edition="en")
    [seat] = state_of(first).to_act
    if first.seats.get(number=seat).user == user:
        act(first, legal_actions(state_of(first), seat)[0])
    else:
        play.settle(first.pk, now=timezone.now() + timedelta(hours=1))
    copies(fresh(first), count - 1)


def mine(html: str) -> list[str]:
    """Return the codes in the list of the reader's own tables."""
    panel = html.split('id="panel-mine"')[1]
    return re.findall(r'table-row-link" href="/tables/(\w+)/', panel)


def listed(html: str) -> list[str]:
    """Return the codes in the public lists."""
    panel = html.split('id="panel-tables"')[1].split('id="panel-mine"')[0]
    return re.findall(r'table-row-link" href="/tables/(\w+)/', panel)


def cost(viewer: Person, path: str = "/") -> tuple[int, int, int]:
    """Return the statements, the reader's own rows, and the games replayed from their actions."""
    positions.forget_all()
    told = []
    opening = positions.opening
    positions.opening = lambda *args: told.append(args) or opening(*args)
    try:
        with CaptureQueriesContext(connection) as queries:
            html = viewer.get(path).content.decode()
    finally:
        positions.opening = opening
    return len(queries), len(mine(html)), len(told)


@pytest.fixture
def flora(db) -> Person:
    return Person(person("Flora"), Table())


@pytest.mark.nightly
def test_a_lobby_costs_the_same_with_30_and_with_700_games_of_the_reader(flora):
    quick_games(flora.user, 30)
    flora.get("/")
    few = cost(flora)

    quick_games(flora.user, 670)

    assert Seat.objects.filter(user=flora.user).count() == 700
    assert cost(flora) == few
    assert few[1:] == (OWN_ROWS, OWN_ROWS)


@pytest.mark.nightly
def test_the_hub_s_lobby_costs_the_same_when_one_reader_has_700_games(flora):
    quick_games(flora.user, 700)
    quick_games(person("Nadia"), 3)
    people = [(user.pk, TableFilters()) for user in (flora.user, person("Nadia"), person("Olek"))]
    positions.forget_all()

    with CaptureQueriesContext(connection) as queries:
        found = own_tables(people)

    assert len(queries) == 4
    assert [len(found[key].rows) for key in people[:2]] == [OWN_ROWS, 3]
    assert people[2] not in found


def test_a_reader_pages_through_all_of_their_own_games_without_javascript(flora):
    quick_games(flora.user, 2 * OWN_ROWS + 5)
    seen, path, pages = [], "/", 0
    while path:
        html = flora.get(path).content.decode()
        seen += mine(html)
        pages += 1
        panel = html.split('id="panel-mine"')[1]
        older = re.search(r'rel="next" href="([^"]+)"', panel)
        path = older and older[1]

    assert pages == 3
    assert len(seen) == len(set(seen)) == 2 * OWN_ROWS + 5
    newest = Table.objects.order_by("-created_at").values_list("code", flat=True)
    assert seen == list(newest)


def test_each_list_of_public_tables_has_its_own_pages(flora):
    run = run_table(["Nadia", "Olek", "Petra", "Quim", "Rosa"])
    copies(run, LOBBY_ROWS)
    opened = tables.open_table(host=person("Nadia"), terms=_terms())
    copies(opened, LOBBY_ROWS + 1)

    first = flora.get("/").content.decode()
    second = flora.get("/?page=2").content.decode()
    watching = flora.get("/?watch=2&pace=normal").content.decode()

    assert len(listed(first)) == 2 * LOBBY_ROWS
    assert len(listed(second)) == LOBBY_ROWS + 2
    assert set(listed(first)) | set(listed(second)) == {
        code
        for code in Table.objects.values_list("code", flat=True)
        if code not in set(listed(watching)) - set(listed(first))
    }
    assert "/?pace=normal&amp;page=2&amp;watch=2" in watching
    # A later page of all tables is not a search for some.
    assert "some tables are hidden" not in second
    assert "some tables are hidden" in watching
    # The addresses for live updates name the same page.
    assert 'data-socket="/live/lobby/?page=2"' in second


def _terms() -> Terms:
    return Terms(edition="en", seats_wanted=5, pace=Pace.NORMAL)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_lines")
async def test_a_socket_sends_the_part_of_the_list_that_its_page_shows(transactional_db):
    flora = await does(lambda: Person(person("Flora"), Table()))()
    await does(quick_games)(flora.user, OWN_ROWS + 1)
    oldest = await does(lambda: Table.objects.order_by("created_at").first())()
    socket = Socket(flora, "/live/lobby/?mine=2")
    assert await socket.opens()

    await socket.send(have={})
    html = (await socket.answer())["html"]

    assert mine(html) == [oldest.code]
    await socket.line.disconnect()
