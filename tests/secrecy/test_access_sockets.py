"""Sockets open, answer and are told as the table of access says."""

import ast
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

from games.live.consumers import ScreenConsumer
from games.live.hub import BAD_MESSAGE, RECONNECT, SIGNED_OUT, Hub
from games.live.routing import websocket_urlpatterns
from games.rules.actions import Nominate
from tests.builders.sockets import IN_TIME, PANELS, Socket, does
from tests.builders.tables import act
from tests.secrecy.access_table import (
    ACTORS,
    EVENTS,
    MESSAGES,
    NOT_SIGNED_IN,
    PRIVATE,
    PUBLIC,
    SOCKET_PATHS,
    SOCKETS,
    about_chika,
    listens,
)
from tests.secrecy.access_world import SHUT_OUT, UNKNOWN, World, enter, with_marks, world_of

pytestmark = pytest.mark.usefixtures("quiet")


def consumers() -> list[type]:
    return [route.callback.consumer_class for route in websocket_urlpatterns]


def test_every_socket_stands_in_the_table():
    assert {str(route.pattern) for route in websocket_urlpatterns} == set(SOCKETS)
    assert set(SOCKET_PATHS) == set(SOCKETS)


def test_every_message_of_the_server_stands_in_the_table():
    """The hub receives them for all sockets; a consumer receives from its client only."""
    heard = re.findall(r'"type": "([^"]+)"', inspect.getsource(Hub._take))
    assert sorted(heard) == sorted(EVENTS)
    spoken = re.findall(r'"(websocket\.\w+)"', inspect.getsource(ScreenConsumer.__call__))
    assert sorted(spoken) == ["websocket.connect", "websocket.disconnect", "websocket.receive"]


@pytest.fixture(params=[PUBLIC, PRIVATE])
def live(request, transactional_db) -> World:
    return world_of(request.param)


@with_marks
async def test_sockets_open_to_those_whom_the_table_names(live):
    wrong = []
    for actor in ACTORS:
        viewer = await does(enter)(actor, live)
        for pattern, may_open in SOCKETS.items():
            socket = Socket(viewer, live.address(SOCKET_PATHS[pattern]))
            if await socket.opens() != may_open(actor, live.kind):
                wrong.append((actor, pattern))
            await socket.line.disconnect()
    assert wrong == []


@with_marks
async def test_a_private_table_s_socket_is_refused_as_one_that_is_not_there(transactional_db):
    world = await does(world_of)(PRIVATE)
    for actor in SHUT_OUT:
        viewer = await does(enter)(actor, world)
        answers = []
        for code in (world.table.code, UNKNOWN):
            line = Socket(viewer, f"/live/tables/{code}/").line
            await line.send_input({"type": "websocket.connect"})
            answers.append(await line.receive_output(timeout=IN_TIME))
        assert answers[0] == answers[1] and answers[0]["type"] == "websocket.close", actor


@with_marks
async def test_whoever_has_a_socket_may_say_what_the_table_names(live):
    for actor in ACTORS:
        if not listens(actor, live.kind):
            continue
        socket = Socket(await does(enter)(actor, live))
        assert await socket.opens()

        await socket.send(ack=MESSAGES["ack"])
        assert await socket.stays_silent(), actor
        await socket.send(beat=MESSAGES["beat"])
        assert (await socket.answer()).keys() == {"same", "now"}, actor
        await socket.send(have=MESSAGES["have"])
        assert await socket.frame() == PANELS, actor
        await socket.line.disconnect()


def spoken_words() -> set[str]:
    """Return every string in the consumers' source: the messages they know are among them."""
    module = importlib.import_module("games.live.consumers")
    paths = [Path(module.__file__)]
    paths += [
        Path(importlib.import_module(f"games.live.consumers.{part.name}").__file__)
        for part in pkgutil.iter_modules(getattr(module, "__path__", []))
    ]
    return {
        node.value
        for path in paths
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        and node.value.replace(".", "_").isidentifier()
    }  # fmt: skip


@with_marks
async def test_no_socket_knows_a_message_that_is_not_in_the_table(transactional_db):
    world = await does(world_of)(PUBLIC)
    viewer = await does(enter)("host", world)
    assert set(MESSAGES) <= spoken_words()
    known = []
    for word in [*sorted(spoken_words() - set(MESSAGES)), "act", "type"]:
        for value in ({}, 1, "x", True, None):
            socket = Socket(viewer)
            assert await socket.opens()
            await socket.send(**{word: value})
            heard = [await socket.line.receive_output(timeout=IN_TIME)]
            if heard[0]["type"] == "websocket.send":
                heard.append(await socket.line.receive_output(timeout=IN_TIME))
            if heard[-1].get("code") != BAD_MESSAGE:
                known.append((word, value))
            await socket.line.disconnect()
    assert known == []


@with_marks
async def test_what_changes_is_told_to_everyone_who_may_see_it(live):
    sockets = {}
    for actor in ACTORS:
        if listens(actor, live.kind):
            viewer = await does(enter)(actor, live)
            sockets[actor] = await Socket(viewer).catches_up()

    await does(act)(live.table, Nominate(0, 3))

    for actor, socket in sockets.items():
        assert "banner" in await socket.frame(), actor
        await socket.line.disconnect()


@with_marks
async def test_whoever_wishes_something_else_is_called_back_and_no_one_else(transactional_db):
    world = await does(world_of)(PUBLIC)
    viewer = await does(enter)("stranger", world)
    own = await Socket(viewer).catches_up()
    other = await Socket(await does(enter)("host", world)).catches_up()

    await does(viewer.post)(f"{viewer.url}mute/", about_chika(world))

    assert await own.closes_with() == RECONNECT
    assert await other.stays_silent()
    await other.line.disconnect()


@with_marks
async def test_who_signs_out_is_told_so_and_no_one_else(live):
    for actor in ACTORS:
        if actor in NOT_SIGNED_IN or not listens(actor, live.kind):
            continue
        viewer = await does(enter)(actor, live)
        own = await Socket(viewer).catches_up()
        # Another browser of the same user, and another user's browser.
        others = [
            await Socket(await does(enter)(who, live)).catches_up() for who in (actor, "spectator")
        ]

        await does(viewer.post)("/account/sign-out/")

        assert await own.closes_with() == SIGNED_OUT, actor
        for other in others:
            assert await other.stays_silent(), actor
            await other.line.disconnect()
