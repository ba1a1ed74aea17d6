"""Motions reveal nothing hidden, at a blind table either, and sockets follow them."""

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from games.live.hub import GONE
from games.models import Seat, Table
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot
from games.services import play
from tests.builders.hidden_variants import enter, other_worlds
from tests.builders.motions import goes_away, moves, panels_of, replaced, votes, waits
from tests.builders.person import Person
from tests.builders.sockets import PANELS, Socket, does
from tests.builders.tables import NAMES, act, person, play_until, run_table, state_of

PRIVATE = ("you", "action", "administration_mine")


def test_at_a_blind_table_no_name_comes_out_by_a_motion(table):
    Table.objects.filter(pk=table.pk).update(is_blind=True, version=F("version") + 1)
    for seat, name in enumerate(("Aachen", "Bremen", "Coburg", "Dresden", "Emden")):
        Seat.objects.filter(table=table, number=seat).update(name=name)
    goes_away(table, 3)
    waits(table, "Sofia")
    pages = [panels_of(table, "Zoe"), panels_of(table, "Ada")]
    moves(table, name="Dresden", substitute="")
    pages += [panels_of(table, "Zoe"), panels_of(table, "Ada")]
    votes(table, "Boris", "Chika")
    pages += [panels_of(table, "Zoe"), panels_of(table, "Ada"), panels_of(table, "Dario")]

    assert table.seats.get(number=3).user == person("Sofia")
    assert table.seats.get(number=3).name == "Dresden"
    for page in pages:
        for name in ("Sofia", *NAMES[:5]):
            assert name not in "".join(page.values())
    assert "another player takes over" in pages[-1]["log"]
    assert "1 person is waiting for a seat" in pages[0]["administration"]


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_nothing_about_a_motion_depends_on_what_is_hidden(table, viewer):
    play_until(table, lambda state: state.fascist == 1)
    goes_away(table, 3, 4)
    waits(table, "Sofia")
    moves(table)
    votes(table, "Boris", is_for=False)
    (world,) = other_worlds(table, viewer, 1)
    name = "Zoe" if viewer is None else NAMES[viewer]
    here = panels_of(table, name)

    enter(table, world)

    assert panels_of(table, name) == here


def test_a_motion_adds_no_statement_to_a_move(table):
    """Motions are read with the table's version, not with every move."""
    act(table, Nominate(0, 2))
    panels_of(table, "Zoe")
    before = statements_of(table, Vote(0, Ballot.JA))
    assert before == 5
    goes_away(table, 3)
    waits(table, "Sofia")
    moves(table)
    panels_of(table, "Zoe")

    assert statements_of(table, Vote(1, Ballot.JA)) == before


def statements_of(table: Table, vote: Vote) -> int:
    """Return the number of statements that a ballot takes."""
    user, decision = person(NAMES[vote.seat]), state_of(table).decision
    with CaptureQueriesContext(connection) as queries:
        play.act(table=table, user=user, action=vote, decision=decision, key=f"k{vote.seat}")
    return len(queries)


on_a_line = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("closed_lines")]


def with_marks(test):
    for mark in on_a_line:
        test = mark(test)
    return test


@with_marks
async def test_the_former_player_s_socket_becomes_a_spectator_s(transactional_db):
    table = await does(run_table)()
    people = {
        name: await Socket(await does(Person)(await does(person)(name), table)).catches_up()
        for name in ("Dario", "Sofia", "Zoe")
    }
    await does(replaced)(table)

    shown = {}
    for name, socket in people.items():
        await socket.send(have={})
        shown[name] = await last_frame(socket)
        await socket.line.disconnect()

    assert "You’re watching" in shown["Dario"] and "You’re watching" in shown["Zoe"]
    assert "data-you=" not in shown["Dario"]
    assert 'data-you="3"' in shown["Sofia"]
    assert without_own_buttons(shown["Dario"]) == without_own_buttons(shown["Zoe"])


async def last_frame(socket: Socket) -> str:
    """Return the HTML of the final full frame, which answers a client without any panel."""
    while True:
        answer = await socket.answer()
        socket.frames += 1
        await socket.send(ack=socket.frames)
        if len(answer["panels"]) == len(PANELS):
            return answer["html"]


def without_own_buttons(html: str) -> str:
    return html.partition('<section id="panel-administration_mine"')[0]


@with_marks
async def test_at_a_private_table_the_former_player_s_socket_closes(transactional_db):
    table = await does(run_table)(is_private=True)
    socket = await Socket(await does(Person)(await does(person)("Dario"), table)).catches_up()

    await does(replaced)(table)

    for _ in range(20):
        message = await socket.line.receive_output(timeout=20)
        if message["type"] == "websocket.close":
            break
    assert message.get("code") == GONE
