"""The socket of a program: what it is sent, what it may ask for, and when it closes."""

import json

import pytest
from jsonschema import Draft202012Validator

from accounts.services.bots import create_bot, revoke_token
from games.live.hub import BAD_MESSAGE, GONE, SIGNED_OUT
from games.live.socket_limits import TOO_MUCH
from games.models import Table
from games.state.rooms import forget_all
from games.views.api import SCHEMA
from tests.builders.person import Person
from tests.builders.sockets import SITE, Socket, does
from tests.builders.tables import NAMES, gather, person, run_table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("closed_lines")]
VALID = Draft202012Validator(json.loads(SCHEMA.read_text()))


@pytest.fixture
def bot(transactional_db):
    """Return the account of a bot of Otto's, and its token."""
    account, token = create_bot(owner=person("Otto"), name="Robo")
    return account.user, token


@pytest.fixture
def table(bot) -> Table:
    """A running table where the bot is the first candidate."""
    table = run_table()
    seat = table.seats.get(number=0)
    seat.user, seat.name = bot[0], bot[0].username
    seat.save()
    Table.objects.filter(pk=table.pk).update(version=table.version + 1)
    forget_all()
    return Table.objects.get(pk=table.pk)


def socket_of(table: Table, token: str, **how) -> Socket:
    how = {"origins": ()} | how
    return Socket(Person(None, table), f"/api/tables/{table.code}/live/", token=token, **how)


async def opened(table: Table, token: str) -> tuple[Socket, dict]:
    socket = await does(lambda: socket_of(table, token))()
    assert await socket.opens()
    return socket, (await socket.answer())["view"]


async def test_a_program_gets_its_view_at_once_and_after_each_change(bot, table):
    socket, view = await opened(table, bot[1])
    VALID.validate(view)
    assert view["seat"] == 0 and "nominate:2" in view["actions"]

    await socket.send(
        do="act", id="1", action="nominate:2", decision=view["game"]["decision"], key="k"
    )
    answers = [await socket.answer(), await socket.answer()]
    view = next(answer["view"] for answer in answers if "view" in answer)

    assert {"re": "1", "ok": True} in answers
    assert view["game"]["nominee"] == 2 and "vote:ja" in view["actions"]
    assert await socket.stays_silent()
    await socket.line.disconnect()


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ({"do": "act", "action": "nominate:0"}, "illegal"),
        ({"do": "act", "action": "fly"}, "unclear"),
        ({"do": "phrase", "phrase": "hello", "seats": "all"}, "unclear"),
        ({"do": "back"}, None),
    ],
)
async def test_what_cannot_be_done_is_answered_and_the_socket_stays(bot, table, message, error):
    socket, view = await opened(table, bot[1])
    await socket.send(**{"id": "x", "decision": view["game"]["decision"], "key": "k"} | message)

    answer = await socket.answer()
    assert answer["re"] == "x"
    if error is not None:
        assert answer["error"] == error and answer["message"]
    await socket.line.disconnect()


@pytest.mark.parametrize("text", ["[]", "{}", '{"do": "join"}', '{"do": "act", "id": 1}', "x"])
async def test_a_message_that_is_no_request_closes_the_socket(bot, table, text):
    socket, _ = await opened(table, bot[1])
    await socket.line.send_to(text_data=text)
    assert await socket.closes_with() == BAD_MESSAGE


async def test_no_token_and_a_cookie_open_nothing(bot, table):
    assert not await (await does(lambda: socket_of(table, ""))()).opens()
    assert not await (await does(lambda: socket_of(table, "x" * 43))()).opens()
    ada = await does(lambda: Person(person("Ada"), table))()
    path = f"/api/tables/{table.code}/live/"
    assert not await Socket(ada, path, origins=(SITE,)).opens()


async def test_a_hidden_table_is_answered_like_none(bot):
    hidden = await does(lambda: run_table(NAMES[1:6], is_private=True))()
    assert not await (await does(lambda: socket_of(hidden, bot[1]))()).opens()


async def test_a_revoked_token_closes_the_socket_at_once(bot, table):
    socket, _ = await opened(table, bot[1])
    await does(lambda: revoke_token(owner=person("Otto"), pk=bot[0].pk))()
    assert await socket.closes_with() == SIGNED_OUT


async def test_requests_are_limited_as_a_person_s_are(bot, table, settings):
    settings.LIMITS = settings.LIMITS | {"actions": "1/hour"}
    socket, view = await opened(table, bot[1])
    wrong = {"do": "act", "action": "fly", "decision": view["game"]["decision"], "key": "k"}
    await socket.send(**wrong)
    await socket.send(**wrong)
    answers = [await socket.answer(), await socket.answer()]
    assert [answer["error"] for answer in answers] == ["unclear", "too_many_requests"]
    await socket.line.disconnect()


async def test_a_flood_of_messages_closes_the_socket(bot, table, settings):
    settings.LIMITS = settings.LIMITS | {"messages": "2/hour"}
    socket, _ = await opened(table, bot[1])
    for _message in range(3):
        await socket.send(do="back")
    codes = []
    while not codes:
        message = await socket.line.receive_output(timeout=20)
        if message["type"] == "websocket.close":
            codes.append(message["code"])
    assert codes == [TOO_MUCH]


async def test_who_leaves_a_private_table_gets_no_more(bot):
    table = await does(lambda: gather(NAMES[1:6], is_private=True, seats_wanted=6))()

    def sits_down():
        table.seats.create(number=5, user=bot[0], name=bot[0].username)
        Table.objects.filter(pk=table.pk).update(version=table.version + 1)
        forget_all()

    await does(sits_down)()
    socket, view = await opened(table, bot[1])
    assert view["seat"] == 5
    await socket.send(do="leave")
    seen = [await socket.line.receive_output(timeout=20) for _ in range(2)]
    assert any(message.get("code") == GONE for message in seen)
