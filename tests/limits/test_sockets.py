"""Too many sockets and messages: the sender's sockets are closed, and others get their frames."""

import pytest

from accounts.throttling import limits
from games.live import socket_limits
from games.live.socket_limits import TOO_MUCH, OpenSockets
from games.models import Table
from tests.builders.person import Person
from tests.builders.sockets import Socket, does
from tests.builders.tables import person, run_table
from tests.limits.watched import STRANGER, Watched, at, is_shown_out

# Other threads read what this one wrote.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("closed_lines")]


@pytest.fixture
def table(transactional_db) -> Table:
    return run_table()


@pytest.fixture(autouse=True)
def sockets(monkeypatch) -> OpenSockets:
    """Start with no open sockets: other tests' sockets end only when garbage-collected."""
    sockets = OpenSockets()
    monkeypatch.setattr(socket_limits, "OPEN_SOCKETS", sockets)
    return sockets


@pytest.fixture
def flora(table) -> Person:
    return Person(person("Flora"), table)


@pytest.fixture
def other(transactional_db) -> Watched:
    return Watched()


async def test_an_account_has_only_so_many_sockets(flora, other, settings):
    settings.SOCKETS_OF_A_USER = 3
    await other.is_watched()
    phone = await does(lambda: Person(flora.user, flora.table))()
    held = [await at(flora, f"203.0.113.{n}").catches_up() for n in range(3)]

    for number in range(10):
        assert await is_shown_out(at(phone, f"203.0.114.{number}"))

    assert await other.goes_on_and_is_seen()
    await held[0].line.disconnect()
    await (await at(phone).catches_up()).line.disconnect()


async def test_an_address_has_only_so_many_sockets(table, stranger, flora, other, settings):
    settings.SOCKETS_OF_AN_ADDRESS = 3
    await other.is_watched()
    held = [await at(stranger).catches_up() for _ in range(3)]

    for viewer in [stranger, flora] * 5:
        assert await is_shown_out(at(viewer))

    assert await other.goes_on_and_is_seen()
    await (await at(stranger, "203.0.113.8").catches_up()).line.disconnect()
    await held[0].line.disconnect()
    await (await at(flora).catches_up()).line.disconnect()


async def test_a_process_has_only_so_many_sockets(stranger, other, settings):
    settings.SOCKETS_OF_A_PROCESS = 3
    await other.is_watched()
    held = [await at(stranger, f"203.0.113.{number}").catches_up() for number in range(2)]

    for number in range(10):
        assert await is_shown_out(at(stranger, f"203.0.114.{number}"))

    assert await other.goes_on_and_is_seen()
    await held[0].line.disconnect()
    await (await at(stranger).catches_up()).line.disconnect()


async def test_an_address_opens_only_so_many_in_a_minute(stranger, other, limited, clock):
    limited(connects="5/minute")
    await other.is_watched()
    for _ in range(5):
        await (await at(stranger).catches_up()).line.disconnect()

    for _ in range(10):
        assert await is_shown_out(at(stranger))

    assert await other.goes_on_and_is_seen()
    clock.now += 61
    await (await at(stranger).catches_up()).line.disconnect()


async def test_who_is_shown_out_at_the_door_costs_no_thread_and_no_question(
    stranger, limited, monkeypatch
):
    limited(connects="1/minute")
    await (await at(stranger).catches_up()).line.disconnect()
    asked = []
    monkeypatch.setattr("games.live.consumers.session_of", lambda key: asked.append(key))

    for _ in range(10):
        assert await is_shown_out(at(stranger))

    assert asked == []


@pytest.mark.parametrize("origins", [("https://evil.example",), ("http://cards.testserver",), ()])
async def test_a_handshake_of_another_site_is_counted_by_no_limit(
    flora, limited, settings, sockets, monkeypatch, origins
):
    limited(connects="1/minute")
    settings.SOCKETS_OF_AN_ADDRESS = settings.SOCKETS_OF_A_USER = 1
    counted = []
    enter = sockets.enter
    monkeypatch.setattr(sockets, "enter", lambda address: counted.append(address) or enter(address))

    for _ in range(10):
        foreign = Socket(flora, origins=origins)
        foreign.line.scope["client"] = (STRANGER, 40000)
        assert not await foreign.opens()

    assert counted == []
    assert not limits._memory._windows
    await (await at(flora).catches_up()).line.disconnect()
    assert counted == [STRANGER]


async def test_an_account_says_only_so_much_on_all_its_sockets(seated, other, limited, clock):
    limited(messages="30/minute")
    await other.is_watched()
    three = [await at(seated[0]).catches_up() for _ in range(3)]
    steady = await at(seated[1]).catches_up()

    for socket in three:
        # With the compare and its acknowledgement, 14 messages for each socket.
        for _ in range(12):
            await socket.send(ack=999)
        assert socket is three[2] or await socket.stays_silent()

    assert await three[2].closes_with() == TOO_MUCH
    assert await other.goes_on_and_is_seen()
    for _ in range(4):
        clock.now += 30
        for _ in range(8):
            await steady.send(ack=999)
        assert await steady.stays_silent()
    await steady.send(have={})
    assert await steady.frame()


async def test_a_message_that_is_too_long_is_not_read(seated, other):
    await other.is_watched()
    socket = await at(seated[0]).catches_up()

    await socket.line.send_to(text_data='{"have": {"log": "' + "x" * 2**20 + '"}}')

    assert "error" in await socket.answer()
    assert await socket.closes_with() == 4400
    assert await other.goes_on_and_is_seen()


# Closed sockets free their place ------------------------------------------------------------------


async def test_whoever_goes_leaves_the_place_to_others(flora, seated, settings, sockets):
    settings.SOCKETS_OF_A_USER = settings.SOCKETS_OF_AN_ADDRESS = 1
    for viewer in (flora, seated[0], flora, flora):
        socket = await at(viewer).catches_up()
        assert len(sockets) == 1
        await socket.line.disconnect()
    assert len(sockets) == 0


async def test_a_socket_that_breaks_leaves_its_place_too(flora, settings, monkeypatch, sockets):
    settings.SOCKETS_OF_A_USER = 1
    broken = await at(flora).catches_up()

    def breaks(*args, **kwargs):
        raise RuntimeError("broken")

    with monkeypatch.context() as patch:
        patch.setattr("games.live.consumers.TableConsumer._compare", breaks)
        await broken.send(have={})
        assert await broken.closes_with() == 1011
        await broken.line.wait(timeout=5)

    assert len(sockets) == 0
    await (await at(flora).catches_up()).line.disconnect()


async def test_a_socket_that_may_not_open_keeps_no_place(transactional_db, settings, sockets):
    settings.SOCKETS_OF_AN_ADDRESS = 1
    private = await does(run_table)([f"{n}2" for n in "ABCDE"], is_private=True)
    nobody = await does(lambda: Person(None, private))()

    for _ in range(3):
        socket = at(nobody)
        assert not await socket.opens()
        await socket.line.disconnect()

    assert len(sockets) == 0
