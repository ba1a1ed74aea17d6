"""What all sockets of an address may ask for together, from any account and at any time."""

import json
from collections import Counter

import pytest

from accounts.throttling import limits
from config.environment import VARIABLES
from games.live import socket_limits
from games.live.socket_limits import TOO_MUCH, OpenSockets
from games.models import Table
from tests.builders.person import Person
from tests.builders.sockets import Socket, does
from tests.builders.tables import person, run_table
from tests.limits.watched import STRANGER, Watched, at, is_shown_out
from tests.nightly import NIGHTLY

# Other threads read what this one wrote.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("closed_lines")]

# In `make nightly`, as many as an address may open.
SOCKETS = 118 if NIGHTLY else 24
# What an account may send; an address may send twice as much.
MESSAGES, FRAMES = (200, 120) if NIGHTLY else (40, 25)
# Ticks of eight seconds: ten minutes, or two.
TICKS = 75 if NIGHTLY else 15


@pytest.fixture
def table(transactional_db) -> Table:
    return run_table()


@pytest.fixture(autouse=True)
def sockets(monkeypatch) -> OpenSockets:
    sockets = OpenSockets()
    monkeypatch.setattr(socket_limits, "OPEN_SOCKETS", sockets)
    return sockets


@pytest.fixture
def defaults(limited) -> dict[str, str]:
    """Return the site's default limits."""
    rates = {limit.value: VARIABLES[f"LIMIT_{limit.upper()}"][1] for limit in limits.Limit}
    limited(**rates)
    return rates


@pytest.fixture
def other(transactional_db) -> Watched:
    return Watched()


async def answer_to(socket: Socket, **message: object) -> str:
    """Return what the socket answers: a board, "same", or the code that it closes with."""
    await socket.send(**message)
    answer = await socket.line.receive_output(timeout=10)
    if answer["type"] == "websocket.close":
        return f"closed with {answer['code']}"
    return "board" if "html" in json.loads(answer["text"]) else "same"


async def board(socket: Socket) -> str:
    """Report an empty page, so that the socket sends everything."""
    return await answer_to(socket, have={})


async def flood(viewer: Person, sockets: int, times: int, address: str = STRANGER) -> Counter[str]:
    """Return the answers to this many sockets of one address, which ask in turn."""
    opened = [at(viewer, address) for _ in range(sockets)]
    for socket in opened:
        assert await socket.opens()
    got: Counter[str] = Counter()
    for _ in range(times):
        answers = [await board(socket) for socket in opened]
        got.update(answers)
        pairs = zip(opened, answers, strict=True)
        opened = [socket for socket, answer in pairs if answer == "board"]
    for socket in opened:
        await socket.line.disconnect()
    return got


async def test_the_sockets_of_one_address_get_no_more_boards_than_one_budget(
    stranger, other, limited
):
    limited(frames=f"{FRAMES}/minute")
    await other.is_watched()

    got = await flood(stranger, SOCKETS, 4)

    assert got == {"board": 2 * FRAMES, f"closed with {TOO_MUCH}": SOCKETS}
    assert await other.goes_on_and_is_seen()


async def test_the_sockets_of_one_address_say_no_more_than_one_budget(stranger, other, limited):
    limited(messages=f"{MESSAGES}/10 seconds")
    await other.is_watched()

    got = await flood(stranger, SOCKETS, 5)

    assert got == {"board": 2 * MESSAGES, f"closed with {TOO_MUCH}": SOCKETS}
    assert await other.goes_on_and_is_seen()


@pytest.mark.parametrize("what", ["messages", "frames"])
async def test_a_new_socket_does_not_fill_the_budget_of_its_address(
    stranger, other, limited, clock, what
):
    limited(**{what: "10/minute"})
    await other.is_watched()
    assert await flood(stranger, 4, 10) == {"board": 20, f"closed with {TOO_MUCH}": 4}

    for _ in range(10):
        assert await is_shown_out(at(stranger))

    assert await other.goes_on_and_is_seen()
    clock.now += 61
    await (await at(stranger).catches_up()).line.disconnect()


async def test_an_address_over_its_budget_costs_no_board_and_no_question(
    stranger, other, limited, monkeypatch
):
    limited(frames="2/minute")
    await other.is_watched()
    still_open = [await at(stranger).catches_up() for _ in range(3)]
    await flood(stranger, 1, 3)
    asked: list[str] = []

    def counts(name: str):
        return lambda *args, **kwargs: asked.append(name)

    with monkeypatch.context() as patch:
        patch.setattr("games.live.subscriptions.Subscription.look_at", counts("a board"))
        patch.setattr("games.live.consumers.in_thread", counts("a thread"))
        patch.setattr("games.live.consumers.gettext", counts("a text"))
        for socket in still_open:
            assert await board(socket) == f"closed with {TOO_MUCH}"
    assert asked == []

    monkeypatch.setattr("games.live.consumers.find_room", counts("a room"))
    for _ in range(10):
        assert await is_shown_out(at(stranger))
    assert asked == []


async def test_a_network_of_ipv6_is_one_address(stranger, limited):
    limited(frames="5/minute")
    await flood(stranger, 2, 6, "2001:db8:1:2::1")

    assert await is_shown_out(at(stranger, "2001:db8:1:2:ffff::9"))
    await (await at(stranger, "2001:db8:1:3::1").catches_up()).line.disconnect()


async def test_strangers_do_not_use_up_the_budget_of_accounts_at_their_address(
    stranger, seated, limited
):
    limited(messages="10/minute", frames="10/minute")
    await flood(stranger, 4, 10)

    socket = await at(seated[0]).catches_up()

    await socket.send(ack=1)
    assert await socket.stays_silent()


async def test_accounts_at_one_address_share_a_budget(seated, other, limited):
    limited(frames="10/minute")
    await other.is_watched()
    opened = [at(viewer) for viewer in seated]
    for socket in opened:
        assert await socket.opens()

    answers = Counter([await board(socket) for _ in range(4) for socket in opened])
    assert answers == {"board": 20}
    closed = {await board(socket) for socket in opened}

    assert closed == {f"closed with {TOO_MUCH}"}
    assert await other.goes_on_and_is_seen()


async def test_an_account_has_one_budget_of_boards_wherever_it_is(seated, other, limited):
    limited(frames="20/minute")
    await other.is_watched()

    await flood(seated[0], 4, 10, "203.0.113.1")

    assert await is_shown_out(at(seated[0], "203.0.113.2"))
    await (await at(seated[1], "203.0.113.2").catches_up()).line.disconnect()
    assert await other.goes_on_and_is_seen()


async def test_ten_players_and_twenty_spectators_behind_one_address_notice_nothing(
    transactional_db, defaults, clock
):
    names = [f"Cousin {number}" for number in range(10)]
    table = await does(run_table)(names)

    def family() -> list[Person]:
        players = [Person(person(name), table) for name in names]
        watching = [Person(person(f"Aunt {number}"), table) for number in range(10)]
        return [*players, *watching, *(Person(None, table) for _ in range(10))]

    async def opens_and_catches_up(viewer: Person) -> Socket:
        return await at(viewer).catches_up()

    viewers = await does(family)()
    # The site restarts, so all come back at once. Then they compare as live.js does and
    # acknowledge more often than it does. Once all lose the network.
    sockets = [await opens_and_catches_up(viewer) for viewer in viewers]
    for tick in range(TICKS):
        clock.now += 8
        if tick == TICKS // 2:
            for socket in sockets:
                await socket.line.disconnect()
            sockets = [await opens_and_catches_up(viewer) for viewer in viewers]
        for socket in sockets:
            await socket.send(ack=999)
            if tick % 5 == 0:
                assert await board(socket) == "board"

    for socket in sockets:
        assert await socket.stays_silent()
        await socket.line.disconnect()


def test_the_defaults_leave_room_for_every_socket_that_an_address_may_have():
    """A page compares every eight seconds, and acknowledges at least every 64 frames."""
    compares = VARIABLES["LIMIT_SOCKETS_OF_AN_ADDRESS"][1] * 10 / 8
    rate = limits._parsed(VARIABLES["LIMIT_MESSAGES"][1], 2)

    assert rate is not None
    assert rate.amount / rate.get_expiry() * 10 >= 1.5 * compares
