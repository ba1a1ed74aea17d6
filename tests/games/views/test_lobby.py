"""The lobby: filters, on the page and live, and the button that joins the best free table."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Friendship
from games.models import Pace, Seat, Table, Terms
from games.selectors.open_tables import TableFilters
from games.services import tables
from tests.builders.person import Person
from tests.builders.sockets import Socket, does
from tests.builders.tables import (
    NAMES,
    gather,
    is_over,
    person,
    play_until,
    run_table,
)


def opened(host: str, **terms: object) -> Table:
    how = {"edition": "en", "seats_wanted": 7} | terms
    return tables.open_table(host=person(host), terms=Terms(**how))


@pytest.fixture
def sofia(db) -> Person:
    return Person(person("Sofia"), Table())


def found(someone: Person, query: str) -> set[str]:
    """Return the codes of the tables that the lobby lists for this query."""
    html = someone.get(f"/{query}").content.decode()
    tables_panel = html.split('id="panel-tables"')[1].split('class="lobby-side"')[0]
    return {table.code for table in Table.objects.all() if f"/tables/{table.code}/" in tables_panel}


# Filters ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", {"Ada", "Boris", "Chika", "Dario"}),
        ("?edition=ja", {"Boris"}),
        ("?size=5-6", {"Ada", "Chika", "Dario"}),
        ("?size=9-10", {"Boris", "Dario"}),
        ("?pace=blitz", {"Chika"}),
        # Tables that name no language match every language.
        ("?language=pl", {"Ada", "Boris", "Chika"}),
        ("?language=de", {"Ada", "Boris", "Dario"}),
        ("?language=pl&pace=blitz&size=5-6", {"Chika"}),
        ("?edition=it", set()),
        # Unknown values are ignored.
        ("?edition=xx&size=1-2&pace=now&language=tlh", {"Ada", "Boris", "Chika", "Dario"}),
    ],
)
def test_the_lobby_lists_what_is_looked_for(sofia, query, expected):
    opened("Ada")
    opened("Boris", edition="ja", seats_wanted=10, least_seats=7)
    opened("Chika", seats_wanted=6, pace=Pace.BLITZ, languages=("pl", "en"))
    opened("Dario", seats_wanted=10, least_seats=5, languages=("de",))

    hosts = {Table.objects.get(code=code).host.username for code in found(sofia, query)}

    assert hosts == expected


def test_a_free_seat_can_be_asked_for(sofia):
    full = gather()
    free = opened("Yara")

    assert found(sofia, "") == {full.code, free.code}
    assert found(sofia, "?free=on") == {free.code}


def test_friends_can_be_asked_for_by_who_is_signed_in(sofia):
    theirs, others = opened("Boris"), opened("Zoe")
    Friendship.objects.create(
        asked_by=person("Boris"), asked=sofia.user, accepted_at=timezone.now()
    )
    Friendship.objects.create(asked_by=person("Zoe"), asked=sofia.user)

    assert found(sofia, "?friends=on") == {theirs.code}
    assert found(Person(None, Table()), "?friends=on") == {theirs.code, others.code}


def test_what_is_looked_for_stays_in_the_form_and_in_the_live_addresses(sofia):
    html = sofia.get("/?pace=blitz&free=on&nonsense=1").content.decode()

    assert 'data-socket="/live/lobby/?pace=blitz&amp;free=on"' in html
    assert 'data-poll="/panels/?pace=blitz&amp;free=on"' in html
    assert '<option value="blitz" selected>' in html


def test_the_poll_brings_what_is_looked_for_and_nothing_else(sofia):
    opened("Ada")
    blitz = opened("Boris", pace=Pace.BLITZ)

    html = sofia.get("/panels/?pace=blitz").content.decode()

    assert blitz.code in html
    assert html.count('class="table-row"') == 1


@pytest.mark.parametrize("query", ["?" + "&".join(f"a{n}=1" for n in range(200)), "?edition=%00"])
def test_no_query_breaks_the_lobby(sofia, query):
    assert sofia.get(f"/{query}").status_code in (200, 400)


def test_finished_games_are_listed_with_their_winner_the_last_first(sofia):
    first, second = run_table(), run_table([f"{name}2" for name in NAMES[:5]])
    hidden = run_table([f"{name}3" for name in NAMES[:5]], is_private=True)
    closed = run_table([f"{name}4" for name in NAMES[:5]], spectators=False)
    for table in (second, hidden, closed, first):
        play_until(table, is_over)

    html = sofia.get("/").content.decode()

    assert html.index(first.code) < html.index(second.code)
    assert hidden.code not in html and closed.code not in html
    assert "The fascists win" in html.split(f"/tables/{first.code}/")[1].split("</a>")[0]
    for form in ("?edition=en", "?size=5-6"):
        assert first.code in found(sofia, form)
    assert first.code not in found(sofia, "?size=9-10")


def test_a_table_is_called_rated_only_while_no_bot_and_no_house_rule_stands_in_the_way(sofia):
    table = opened("Ada", is_rated=True)
    custom = opened("Boris", is_rated=True, house_rules={"veto_zone": 6})
    ahead = opened("Dario", is_rated=True)
    at = timezone.now() + timedelta(days=1)
    Table.objects.filter(pk=ahead.pk).update(scheduled_at=at)
    lobby, page = sofia.get("/").content.decode(), sofia.get(table.get_absolute_url())
    assert lobby.count('<span class="tag">Rated</span>') == 2
    assert "Counts for the ratings" in page.content.decode()
    assert "because of bots or house rules" in sofia.get(custom.get_absolute_url()).content.decode()

    tables.fill_with_bots(table=table, user=person("Ada"))
    Seat.objects.create(table=ahead, number=5, bot="reasoning", name="Otto")
    lobby, page = sofia.get("/").content.decode(), sofia.get(table.get_absolute_url())
    assert '<span class="tag">Rated</span>' not in lobby
    assert "Counts for the ratings" not in page.content.decode()
    assert "because of bots or house rules" in page.content.decode()


def test_the_lobby_asks_the_database_as_often_whatever_is_listed(sofia):
    def questions(query: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            sofia.get(f"/{query}")
        return len(asked)

    opened("Ada")
    # The first count includes the statements of signing in.
    questions("")
    one = questions("")
    for number in range(6):
        opened(f"Host {number}", languages=("en",))

    assert questions("") == one
    assert questions("?language=en&pace=normal") == one


def test_one_s_own_tables_stand_in_their_own_list_alone(sofia):
    mine = opened("Sofia")
    html = sofia.get("/").content.decode()
    assert html.count(f'"{mine.get_absolute_url()}"') == 1
    assert "No other public tables are waiting" in html and 'href="#waiting"' not in html

    other = opened("Ada")
    html = sofia.get("/").content.decode()
    listed = html.split('id="waiting"')[1]
    assert other.get_absolute_url() in listed and mine.get_absolute_url() not in listed
    assert "Waiting to start <b>1</b>" in html
    tables.join_table(table=other, user=person("Sofia"))
    poll = sofia.get("/panels/").content.decode()
    assert poll.count(f'"{other.get_absolute_url()}"') == 1

    # Others see both.
    html = Person(person("Zoe"), Table()).get("/").content.decode()
    assert "Waiting to start <b>2</b>" in html


# Live ---------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_lines")
async def test_a_live_update_leaves_one_s_own_table_out_of_the_others():
    sofia = await does(lambda: Person(person("Sofia"), Table()))()
    zoe = await does(lambda: Person(person("Zoe"), Table()))()
    sockets = [Socket(one, "/live/lobby/") for one in (sofia, zoe)]
    for socket in sockets:
        assert await socket.opens()
        await socket.send(have={})
        await socket.frame()

    table = await does(opened)("Sofia")

    own, other = [(await socket.answer())["html"] for socket in sockets]
    assert own.count(f'"{table.get_absolute_url()}"') == 1
    assert "Take a seat" not in own and "Take a seat" in other
    for socket in sockets:
        await socket.line.disconnect()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_lines")
async def test_each_socket_of_the_lobby_is_shown_what_it_looks_for():
    sofia = await does(lambda: Person(person("Sofia"), Table()))()
    all_of_it, blitz = Socket(sofia, "/live/lobby/"), Socket(sofia, "/live/lobby/?pace=blitz")
    for socket in (all_of_it, blitz):
        assert await socket.opens()
        await socket.send(have={})
        assert "tables" in await socket.frame()

    table = await does(opened)("Ada", pace=Pace.RELAXED)
    assert table.code in (await all_of_it.answer())["html"]
    quick = await does(opened)("Boris", pace=Pace.BLITZ)

    html = (await blitz.answer())["html"]
    assert quick.code in html and table.code not in html
    for socket in (all_of_it, blitz):
        await socket.line.disconnect()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_lines")
@pytest.mark.parametrize("query", ["?edition=%00%ff", "?" + "&".join(["a=1"] * 500), "?%"])
async def test_no_query_breaks_the_lobby_s_socket(query):
    stranger = await does(lambda: Person(None, Table()))()
    socket = Socket(stranger, f"/live/lobby/{query}")

    assert await socket.opens()
    await socket.send(have={})
    assert "tables" in await socket.frame()
    await socket.line.disconnect()


def test_an_address_and_what_it_looks_for_are_the_same_thing():
    wanted = TableFilters(edition="ru-5-6", size="5-6", pace="blitz", language="zh-hans", free=True)
    given = dict(pair.split("=") for pair in wanted.query[1:].split("&"))

    assert TableFilters.read(given, is_signed_in=True) == wanted
    assert TableFilters().query == ""


# The user's own tables ----------------------------------------------------------------------------


def test_own_tables_and_appointments_stand_above_all_others(sofia):
    gather(("Ada", "Sofia", "Chika", "Dario", "Ewa"))
    date = timezone.now() + timedelta(days=2)
    terms = Terms(edition="en", seats_wanted=7)
    tables.open_table(host=sofia.user, terms=terms, scheduled_at=date)

    html = sofia.get("/").content.decode()

    own = html.split('class="lobby-own"')[1].split('class="lobby-columns"')[0]
    for table in Table.objects.all():
        assert f'href="{table.get_absolute_url()}"' in own


def test_without_a_session_there_are_no_own_tables(client, db):
    assert "lobby-own" not in client.get("/").content.decode()


@pytest.mark.parametrize("name", ["Sofia", None])
def test_the_lobby_has_a_place_for_every_panel_that_a_live_update_brings(db, name):
    """htmx reports an error for a panel without a place."""
    viewer = Person(person(name) if name else None, Table())
    update = viewer.get("/panels/").content.decode()
    panels = re.findall(r'id="(panel-\w+)"', update)
    page = viewer.get("/").content.decode()

    assert "panel-mine" in panels
    assert [panel for panel in panels if f'id="{panel}"' not in page] == []
