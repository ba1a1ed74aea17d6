"""A table in the lobby: whose it is, and the seat that one press takes."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Friendship
from games.models import Joiners, Table, Terms
from games.services import tables
from tests.builders.person import Person, forms_of
from tests.builders.sockets import Socket, does
from tests.builders.tables import gather, is_over, person, play_until, run_table

OK, SEE_OTHER, REFUSED = 200, 303, 422


def opened(host: str, **terms: object) -> Table:
    how = {"edition": "en", "seats_wanted": 5} | terms
    return tables.open_table(host=person(host), terms=Terms(**how))


@pytest.fixture
def sofia(db) -> Person:
    return Person(person("Sofia"), Table())


def row_of(someone: Person, table: Table, panel: str = "panel-tables") -> str:
    """Return the lobby's row for this table."""
    rows = someone.get("/").content.decode().split(f'id="{panel}"')[1].split("<li")
    [row] = [row for row in rows if f'href="{table.get_absolute_url()}"' in row]
    return row.split("</li>")[0]


def offers_a_seat(row: str) -> bool:
    assert ("See the table" in row) != ("Take a seat" in row), "one or the other"
    return "Take a seat" in row


# The press ----------------------------------------------------------------------------------------


def test_one_press_takes_the_seat_and_leads_to_the_table(sofia):
    table = opened("Ada")
    [form] = forms_of(row_of(sofia, table))
    assert form.fields["csrfmiddlewaretoken"] and form.fields["hash"] == ""

    answer = sofia.post(form.action)

    assert answer.status_code == SEE_OTHER and answer.url == table.get_absolute_url()
    assert table.seats.filter(user=sofia.user).exists()


@pytest.mark.parametrize("is_taken", [False, True])
def test_a_press_in_a_frame_leads_to_the_table_which_says_why_it_has_no_seat(sofia, is_taken):
    table = opened("Ada")
    [form] = forms_of(row_of(sofia, table))
    if is_taken:
        for name in ("Boris", "Chika", "Dario", "Ewa"):
            tables.join_table(table=table, user=person(name))

    answer = sofia.post(form.action, form.fields, htmx=True)

    assert answer.status_code == OK and answer.headers["HX-Redirect"] == table.get_absolute_url()
    page = sofia.get(table.get_absolute_url()).content.decode()
    assert ('message error">Every seat is taken.<' in page) == is_taken
    assert table.seats.filter(user=sofia.user).exists() != is_taken


def test_a_page_without_scripts_says_again_that_its_player_waits_at_the_table(sofia):
    table = opened("Ada")
    sofia.table = table
    refreshes = f'<noscript><meta http-equiv="refresh" content="120;url={table.get_absolute_url()}"'

    assert refreshes in Person(person("Ada"), table).page()
    assert refreshes not in sofia.page()


def test_a_full_table_offers_no_seat(sofia):
    table = opened("Ada")
    assert offers_a_seat(row_of(sofia, table))
    for name in ("Boris", "Chika", "Dario", "Ewa"):
        tables.join_table(table=table, user=person(name))

    assert not offers_a_seat(row_of(sofia, table))
    assert sofia.post(f"/tables/{table.code}/join/").status_code == REFUSED


@pytest.mark.parametrize("name", ["Gast", None])
def test_guests_and_visitors_are_offered_a_look_and_get_no_seat(db, name):
    user = person(name) if name else None
    if user is not None:
        user.is_trial = True
        user.save(update_fields=["is_trial"])
    viewer, table = Person(user, Table()), opened("Ada")

    assert not offers_a_seat(row_of(viewer, table))

    viewer.post(f"/tables/{table.code}/join/")
    assert table.seats.count() == 1


@pytest.mark.parametrize("fits", [True, False])
@pytest.mark.parametrize(
    ("joiners", "least"),
    [(Joiners.ALL, 0), (Joiners.FRIENDS, 0), (Joiners.OLD, 3), (Joiners.PLAYED, 1)],
)
def test_a_seat_is_offered_to_those_whom_the_table_takes(sofia, joiners, least, fits):
    table = opened("Ada", joiners=joiners, joiners_least=least)
    if fits:
        sofia.user.date_joined = timezone.now() - timedelta(days=3)
        sofia.user.save()
        Friendship.objects.create(
            asked_by=person("Ada"), asked=sofia.user, accepted_at=timezone.now()
        )
        play_until(run_table(["Sofia", "Boris", "Chika", "Dario", "Ewa"]), is_over)

    offered = offers_a_seat(row_of(sofia, table))

    assert offered == (fits or joiners == Joiners.ALL)
    sofia.post(f"/tables/{table.code}/join/")
    assert table.seats.filter(user=sofia.user).exists() == offered


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_lines")
async def test_a_live_update_offers_a_seat_only_to_those_whom_the_table_takes():
    guest = await does(person)("Gast")
    guest.is_trial = True
    await does(guest.save)()
    viewers = [await does(Person)(user, Table()) for user in (guest, await does(person)("Zoe"))]
    sockets = [Socket(one, "/live/lobby/") for one in viewers]
    for socket in sockets:
        assert await socket.opens()
        await socket.send(have={})
        await socket.frame()

    await does(opened)("Ada")

    looks, sits = [(await socket.answer())["html"] for socket in sockets]
    assert not offers_a_seat(looks) and offers_a_seat(sits)
    for socket in sockets:
        await socket.line.disconnect()


# The title ----------------------------------------------------------------------------------------


def title_of(row: str) -> str:
    link = row.split('class="table-row-link"')[1].split(">", 1)[1].split("</a>")[0]
    shown = link.split('aria-hidden="true">')[-1]
    return re.sub("<[^>]+>", "", shown).strip()


def test_a_blind_table_is_called_by_its_rules_and_names_no_host(sofia):
    table = gather(["Ada", "Boris"], is_blind=True, seats_wanted=5, seed=b"\x01" * 32)

    row = row_of(sofia, table)

    assert title_of(row) == "English rules" and 'tag">English rules' not in row
    assert "Ada" not in row and "Boris" not in row


# One's own tables ---------------------------------------------------------------------------------


# The order ----------------------------------------------------------------------------------------


def hosts_in(html: str) -> list[str]:
    return re.findall(r'table-row-link"[^>]*>[^<]*<bdi>(\w+)</bdi>', html)


@pytest.mark.parametrize(
    ("language", "order"),
    [("en", ["Chika", "Ada", "Dario", "Boris"]), ("ja", ["Dario", "Chika", "Boris", "Ada"])],
)
def test_tables_that_speak_the_reader_s_language_come_first_the_newest_of_them_at_the_top(
    sofia, language, order
):
    opened("Ada", languages=("en",))
    opened("Boris", languages=("ru",))
    opened("Chika")
    opened("Dario", languages=("ja", "it"))
    sofia.language = language

    page = sofia.get("/").content.decode().split('id="panel-tables"')[1]

    assert hosts_in(page) == order
