"""Sockets: who may open one, and when the server closes it."""

import asyncio
from threading import Event

import pytest
from django.utils import translation
from django.utils.translation import gettext

from games.live.consumers import TableConsumer
from games.live.hub import BAD_MESSAGE, GONE, SIGNED_OUT, Subscription, hub
from games.live.socket_limits import TOO_MUCH
from games.models import Table
from games.services import announcements, play, tables
from tests.builders.person import Person
from tests.builders.sockets import PANELS, SITE, Socket, does, nominate
from tests.builders.tables import gather, person, run_table, state_of
from tests.nightly import by_day

# Other threads read what the test writes, so it must commit.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("closed_lines")]


@pytest.fixture
def table(transactional_db) -> Table:
    return run_table()


# Who may open one ---------------------------------------------------------------------------------


async def test_it_opens_for_whoever_may_see_the_table(table, seated, spectator, stranger):
    for viewer in (seated[0], spectator, stranger):
        await (await Socket(viewer).catches_up()).line.disconnect()


@pytest.fixture
def private(transactional_db) -> Table:
    return run_table([f"{name}2" for name in ("Ada", "Bo", "Cy", "Di", "Ed")], is_private=True)


async def test_a_private_table_s_socket_is_for_its_people_and_the_invited(private):
    sofia, nobody, host, invited = await does(
        lambda: (
            Person(person("Sofia"), private),
            Person(None, private),
            Person(private.host, private),
            Person(person("Gleb"), private),
        )
    )()
    await does(invited.get)(f"{private.get_absolute_url()}invitation/{private.invitation}/")

    assert not await Socket(sofia).opens()
    assert not await Socket(nobody).opens()
    for viewer in (host, invited):
        await (await Socket(viewer).catches_up()).line.disconnect()


@pytest.mark.parametrize(
    "path", ["/live/tables/zzzzzzzz/", "/live/tables//", "/live/", "/", "/tables/x/", "/live/x/é/"]
)
async def test_unknown_addresses_are_refused_before_they_open(seated, path):
    assert not await Socket(seated[0], path).opens()


@pytest.mark.parametrize(
    "origins",
    [
        (),
        ("null",),
        ("",),
        ("http://evil.example",),
        ("https://testserver",),
        ("http://testserver:8000",),
        ("http://testserver.evil.example",),
        ("http://testserver@evil.example",),
        ("http://testserver/",),
        ("ws://testserver",),
        ("testserver",),
        ("\xff",),
        (SITE, SITE),
        (SITE, "http://evil.example"),
    ],
)
async def test_a_page_of_another_site_opens_nothing(seated, origins):
    assert not await Socket(seated[0], origins=origins).opens()


@pytest.mark.parametrize("host", [None, "", "evil.example", "evil.example:80", "testserver:8000"])
async def test_a_host_that_is_not_the_page_s_own_opens_nothing(seated, host):
    assert not await Socket(seated[0], host=host).opens()
    if host == "evil.example":
        assert not await Socket(seated[0], host=host, origins=(f"http://{host}",)).opens()


async def test_the_scheme_and_the_port_are_compared_and_may_be_any(seated, settings):
    opening = [
        Socket(seated[0], origins=("https://testserver",), scheme="wss"),
        Socket(seated[0], origins=("http://testserver:8000",), host="testserver:8000"),
        Socket(seated[0], origins=("http://[::1]:8000",), host="[::1]:8000"),
        Socket(seated[0], origins=("https://cards.example",)),
    ]
    settings.ALLOWED_HOSTS = ["testserver", "[::1]"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://cards.example"]
    for socket in opening:
        assert await socket.opens()
        await socket.line.disconnect()
    assert not await Socket(seated[0], scheme="wss").opens()


# When it is closed --------------------------------------------------------------------------------

NOT_OURS = [
    *("nope", "null", "[]", "{}", "1", '"have"', '{"have": 1}', '{"have": []}'),
    *('{"have": {"log": 1}}', '{"have": null}', '{"ack": true}', '{"ack": "1"}', '{"ack": 1.0}'),
    *('{"have": {}, "ack": 1}', '{"act": "nominate:2"}', '{"ack": NaN}', '{"ack": 1', "\0"),
    *("[" * 1900, "9" * 5000, '{"have": {' + '"a": "' + "b" * 3000 + '"}}'),
]


@pytest.mark.parametrize("text", by_day(4, NOT_OURS))
async def test_a_message_that_no_one_knows_is_answered_and_the_socket_closed(seated, text):
    seated[0].language = "ja"
    socket = Socket(seated[0])
    assert await socket.opens()

    await socket.line.send_to(text_data=text)

    with translation.override("ja"):
        error = gettext("The site couldn’t read that message. Reload the page and try again.")
    assert await socket.answer() == {"error": error}
    assert await socket.closes_with() == BAD_MESSAGE


async def test_signing_out_closes_the_sockets_of_that_browser_only(table, seated):
    phone = await does(lambda: Person(seated[0].user, table))()
    here = await Socket(seated[0]).catches_up()
    there = await Socket(phone).catches_up()

    await does(seated[0].post)("/account/sign-out/")

    assert await here.closes_with() == SIGNED_OUT
    await nominate(table)
    assert await there.frame()


async def test_who_asks_first_does_not_keep_the_news_from_the_others(table, seated, monkeypatch):
    here, there = await Socket(seated[0]).catches_up(), await Socket(seated[1]).catches_up()
    hints: list[tuple] = []
    with monkeypatch.context() as patch:
        patch.setattr(announcements, "_send", lambda *hint: hints.append(hint))
        await nominate(table)
        # One page compares its panels after the move and before the hint about it arrives.
        await here.send(have={})
        assert await here.frame() == PANELS
    for hint in hints:
        await does(announcements._send)(*hint)

    assert "banner" in await there.frame()


async def test_a_crowd_at_the_door_keeps_no_one_waiting_who_is_in(seated, spectator, monkeypatch):
    inside = await Socket(seated[0]).catches_up()
    doors, opened = Event(), TableConsumer._open

    def waits(consumer):
        doors.wait(10)
        return opened(consumer)

    monkeypatch.setattr(TableConsumer, "_open", waits)
    crowd = [Socket(spectator) for _ in range(6)]
    coming = [asyncio.create_task(socket.opens()) for socket in crowd]
    try:
        await asyncio.sleep(0.1)
        await inside.send(have={})
        assert "html" in await inside.line.receive_json_from(timeout=20)
    finally:
        doors.set()
    assert all(await asyncio.gather(*coming))
    for socket in (inside, *crowd):
        await socket.line.disconnect()


@pytest.mark.parametrize("is_known_to_the_hub", [False, True])
async def test_a_session_that_ends_while_a_socket_opens_closes_it(
    table, seated, monkeypatch, is_known_to_the_hub
):
    join = TableConsumer.join

    async def slow_join(consumer: TableConsumer, screen: int) -> Subscription:
        if is_known_to_the_hub:
            watch = await join(consumer, screen)
        await does(seated[0].post)("/account/sign-out/")
        return watch if is_known_to_the_hub else await join(consumer, screen)

    monkeypatch.setattr(TableConsumer, "join", slow_join)
    socket = Socket(seated[0])
    assert await socket.opens()
    assert await socket.closes_with() == SIGNED_OUT
    assert not hub().subscribers


async def test_a_ban_closes_the_socket_at_once(table, seated):
    socket = await Socket(seated[1]).catches_up()
    seated[1].user.is_active = False
    await does(seated[1].user.save)()

    assert await socket.closes_with() == SIGNED_OUT
    assert not await Socket(seated[1]).opens()


async def test_a_new_password_closes_the_sockets_of_the_old_one(table, seated):
    socket = await Socket(seated[1]).catches_up()
    seated[1].user.set_password("somewhere else entirely")
    await does(seated[1].user.save)()

    assert await socket.closes_with() == SIGNED_OUT


async def test_a_socket_is_not_handed_on_to_who_signs_in_after(table, seated):
    """When the session's row names another account, that account does not get the socket."""
    socket = await Socket(seated[1]).catches_up()

    def becomes_somebody_else() -> None:
        session = seated[1].client.session
        session.flush()

    await does(becomes_somebody_else)()

    assert await socket.closes_with() == SIGNED_OUT


async def test_who_leaves_a_private_table_sees_it_no_more(transactional_db):
    table = await does(gather)(["Ada", "Bo", "Cy", "Di", "Ed"], is_private=True)
    bo = await does(lambda: Person(person("Bo"), table))()
    socket = await Socket(bo).catches_up()

    await does(tables.leave_table)(table=table, user=bo.user)

    assert await socket.closes_with() == GONE


async def test_a_move_is_played_while_sockets_watch(table, seated):
    """Go from the form to the frame; the test itself sends no hint."""
    watching = await Socket(seated[3]).catches_up()

    answer = await does(seated[0].press)("nominate:2", htmx=True)

    assert answer.status_code == 200
    assert {"banner", "seats", "log", "action"} <= await watching.frame()
    assert (await does(state_of)(table)).nominee == 2
    await does(play.settle)(table.pk)


async def test_who_floods_the_socket_is_shown_out(seated, settings):
    settings.LIMITS = {**settings.LIMITS, "messages": "240/minute"}
    socket = await Socket(seated[0]).catches_up()

    for _ in range(300):
        await socket.send(ack=999)

    assert await socket.closes_with() == TOO_MUCH
