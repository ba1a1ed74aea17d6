"""Sockets: who may open one, what is sent, and when it is closed."""

import re

import pytest
from channels.db import database_sync_to_async
from channels.routing import URLRouter
from channels.sessions import CookieMiddleware
from channels.testing import WebsocketCommunicator
from django.utils import timezone, translation
from django.utils.translation import gettext

from games.consumers import GONE, NONSENSE, SIGNED_OUT, SameOrigin
from games.models import Game, Table
from games.routing import websocket_urlpatterns
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot
from games.services import live, play, tables
from tests.games.person import Person
from tests.games.stories import act, fresh, gather, person, run_table, state_of

# Other threads read what this one wrote.
pytestmark = pytest.mark.django_db(transaction=True)

PANELS = {"banner", "seats", "tracks", "log", "you", "action"}
SITE = "http://testserver"


@pytest.fixture
def table(transactional_db) -> Table:
    return run_table()


class Socket:
    """A browser's socket, as live.js uses it."""

    def __init__(
        self,
        viewer: Person,
        path: str | None = None,
        origins: tuple[str, ...] = (SITE,),
        host: str | None = "testserver",
        scheme: str = "ws",
    ) -> None:
        cookies = "; ".join(f"{name}={c.value}" for name, c in viewer.client.cookies.items())
        headers = [
            (b"cookie", cookies.encode()),
            (b"accept-language", viewer.language.encode()),
            *((b"origin", origin.encode("latin-1")) for origin in origins),
        ]
        if host is not None:
            headers.append((b"host", host.encode()))
        self.line = WebsocketCommunicator(
            # As config/asgi.py puts it together, which wants a whole environment.
            SameOrigin(CookieMiddleware(URLRouter(websocket_urlpatterns))),
            path or f"/live{viewer.url}",
            headers=headers,
        )
        self.line.scope["scheme"] = scheme

    async def opens(self) -> bool:
        is_open, _ = await self.line.connect(timeout=5)
        return is_open

    async def send(self, **message: object) -> None:
        await self.line.send_json_to(message)

    async def answer(self) -> dict:
        return await self.line.receive_json_from(timeout=5)

    async def frame(self) -> set[str]:
        """The panels of the next frame, which is acknowledged."""
        answer = await self.answer()
        await self.send(ack=answer["frame"])
        return panels_of(answer["html"])

    async def catches_up(self) -> "Socket":
        """Open, and showing what a fresh page shows."""
        assert await self.opens()
        await self.send(have={})
        assert await self.frame() == PANELS
        return self

    async def closes_with(self) -> int:
        message = await self.line.receive_output(timeout=5)
        assert message["type"] == "websocket.close"
        return message["code"]

    async def stays_silent(self) -> bool:
        return await self.line.receive_nothing(timeout=0.1)


def panels_of(html: str) -> set[str]:
    return set(re.findall(r'data-panel="(\w+)"', html))


does = database_sync_to_async


async def nominate(table: Table, target: int = 2) -> None:
    await does(act)(table, Nominate(0, target))


async def vote(table: Table, seat: int, ballot: Ballot = Ballot.JA) -> None:
    await does(act)(table, Vote(seat, ballot))


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


# What is sent -------------------------------------------------------------------------------------


async def test_the_first_compare_is_answered_with_what_a_fresh_page_shows(seated):
    socket = Socket(seated[0])
    assert await socket.opens()
    await socket.send(have={})

    answer = await socket.answer()

    page = await does(seated[0].page)()
    digests = re.compile(r'data-panel="(\w+)" data-digest="(\w+)"')
    assert answer["frame"] == 1
    assert set(digests.findall(answer["html"])) == set(digests.findall(page))
    assert 'value="nominate:2"' in answer["html"]


async def test_whoever_has_everything_is_told_so(seated):
    page = await does(seated[0].page)()
    have = dict(re.findall(r'data-panel="(\w+)" data-digest="(\w+)"', page))
    socket = Socket(seated[0])
    assert await socket.opens()

    await socket.send(have=have)
    assert await socket.answer() == {"same": True}
    await socket.send(have=have | {"log": "old"})
    assert await socket.frame() == {"log"}


async def test_nothing_is_sent_before_the_browser_says_what_it_has(table, seated):
    socket = Socket(seated[0])
    assert await socket.opens()

    await nominate(table)

    assert await socket.stays_silent()


async def test_after_somebody_s_move_the_panels_that_changed_are_sent(table, seated, stranger):
    watching = await Socket(stranger).catches_up()
    playing = await Socket(seated[1]).catches_up()

    await nominate(table)

    seen = await watching.frame()
    assert {"banner", "seats", "log"} <= seen < PANELS
    assert "you" not in seen
    # Who may vote now has a new action too.
    assert "action" in await playing.frame()


async def test_one_frame_is_on_its_way_and_the_newest_wins(table, seated):
    socket = Socket(seated[4])
    assert await socket.opens()
    await socket.send(have={})
    first = await socket.answer()

    await nominate(table)
    for seat in (0, 1, 2):
        await vote(table, seat)
    assert await socket.stays_silent()
    await socket.send(ack=first["frame"] + 5)
    assert await socket.stays_silent()

    await socket.send(ack=first["frame"])
    second = await socket.answer()
    assert second["frame"] == 2
    assert second["html"].count("mark-voted") == 3
    await socket.send(ack=2)
    assert await socket.stays_silent()


async def test_a_compare_is_answered_though_a_frame_was_lost(table, seated):
    socket = Socket(seated[4])
    assert await socket.opens()
    await socket.send(have={})
    await socket.answer()

    await socket.send(have={})

    assert await socket.frame() == PANELS


async def test_a_recast_ballot_sends_nothing_to_the_others(table, seated, stranger):
    await nominate(table)
    await vote(table, 1)
    watching = await Socket(stranger).catches_up()
    playing = await Socket(seated[2]).catches_up()
    voting = await Socket(seated[1]).catches_up()

    await vote(table, 1, Ballot.NEIN)

    assert await voting.frame() == {"action"}
    assert await watching.stays_silent()
    assert await playing.stays_silent()


async def test_a_hint_without_news_sends_nothing(table, seated):
    socket = await Socket(seated[0]).catches_up()

    await does(live.announce_table)(table)

    assert await socket.stays_silent()


async def test_everybody_s_frames_are_in_their_own_language(table, seated, stranger):
    stranger.language = "ja"
    user = seated[1].user
    user.language = "it"
    await does(user.save)()
    readers = {"ja": Socket(stranger), "it": Socket(seated[1]), "en": Socket(seated[2])}
    for socket in readers.values():
        await socket.catches_up()

    await nominate(table)

    # How a language lists names needs no catalog.
    listed = {"ja": "</bdi>、<bdi", "it": "</bdi> e <bdi", "en": "</bdi>, and <bdi"}
    for language, socket in readers.items():
        html = (await socket.answer())["html"]
        with translation.override(language):
            assert f'aria-label="{gettext("Seats")}"' in html
        assert [code for code, sign in listed.items() if sign in html] == [language]


async def test_an_overdue_game_is_settled_by_whoever_looks(table, seated):
    await does(Game.objects.update)(deadline=timezone.now(), wakes_at=timezone.now())
    socket = Socket(seated[1])
    assert await socket.opens()

    await socket.send(have={})

    assert 'value="vote:ja"' in (await socket.answer())["html"]


async def test_the_lobby_follows_the_tables(transactional_db):
    visitor = await does(lambda: Person(None, Table()))()
    socket = Socket(visitor, "/live/lobby/")
    assert await socket.opens()
    await socket.send(have={})
    assert await socket.frame() == {"tables", "mine"}

    table = await does(gather)(["Ada", "Bo", "Cy", "Di", "Ed"])

    # However many changes fell together, the last frame shows the last of them.
    html = ""
    while "5 of 5" not in html:
        answer = await socket.answer()
        html = answer["html"]
        await socket.send(ack=answer["frame"])
    assert table.code in html


async def test_a_layer_that_fails_loses_no_move(table, seated, monkeypatch, caplog):
    def broken() -> None:
        raise ConnectionError("no Redis")

    socket = await Socket(seated[1]).catches_up()
    monkeypatch.setattr(live, "get_channel_layer", broken)

    await nominate(table)

    assert (await does(state_of)(table)).nominee == 2
    assert "did not take a hint" in caplog.text
    await socket.send(have={})
    assert 'value="vote:ja"' in (await socket.answer())["html"]


# When it is closed --------------------------------------------------------------------------------

NOT_OURS = [
    *("nope", "null", "[]", "{}", "1", '"have"', '{"have": 1}', '{"have": []}'),
    *('{"have": {"log": 1}}', '{"have": null}', '{"ack": true}', '{"ack": "1"}', '{"ack": 1.0}'),
    *('{"have": {}, "ack": 1}', '{"act": "nominate:2"}', '{"ack": NaN}', '{"ack": 1', "\0"),
    *("[" * 1900, "9" * 5000, '{"have": {' + '"a": "' + "b" * 3000 + '"}}'),
]


@pytest.mark.parametrize("text", NOT_OURS)
async def test_a_message_that_nobody_knows_is_answered_and_the_socket_closed(seated, text):
    seated[0].language = "ja"
    socket = Socket(seated[0])
    assert await socket.opens()

    await socket.line.send_to(text_data=text)

    with translation.override("ja"):
        error = gettext("This message is not one that the table knows.")
    assert await socket.answer() == {"error": error}
    assert await socket.closes_with() == NONSENSE


async def test_binary_messages_are_not_known_either(seated):
    socket = Socket(seated[0])
    assert await socket.opens()

    await socket.line.send_to(bytes_data=b'{"have": {}}')

    assert "error" in await socket.answer()
    assert await socket.closes_with() == NONSENSE


@pytest.mark.parametrize("number", [0, -1, 7, 10**1500])
async def test_an_acknowledgement_of_no_frame_of_ours_is_nothing(seated, number):
    socket = await Socket(seated[0]).catches_up()

    await socket.send(ack=number)

    await socket.send(have={})
    assert await socket.frame() == PANELS


async def test_signing_out_closes_the_sockets_of_that_browser_only(table, seated):
    phone = await does(lambda: Person(seated[0].user, table))()
    here = await Socket(seated[0]).catches_up()
    there = await Socket(phone).catches_up()

    await does(seated[0].post)("/account/sign-out/")

    assert await here.closes_with() == SIGNED_OUT
    await nominate(table)
    assert await there.frame()


async def test_a_ban_closes_the_socket_at_the_next_change(table, seated):
    socket = await Socket(seated[1]).catches_up()
    seated[1].user.is_active = False
    await does(seated[1].user.save)()

    await nominate(table)

    assert await socket.closes_with() == GONE
    assert not await Socket(seated[1]).opens()


async def test_a_new_password_closes_the_sockets_of_the_old_one(table, seated):
    socket = await Socket(seated[1]).catches_up()
    seated[1].user.set_password("somewhere else entirely")
    await does(seated[1].user.save)()

    await nominate(table)

    assert await socket.closes_with() == GONE


async def test_a_socket_is_not_handed_on_to_who_signs_in_after(table, seated):
    """The session's row may come to name another account; the socket is not theirs."""
    socket = await Socket(seated[1]).catches_up()

    def becomes_somebody_else() -> None:
        session = seated[1].client.session
        session.flush()

    await does(becomes_somebody_else)()
    await nominate(table)

    assert await socket.closes_with() == GONE


async def test_who_leaves_a_private_table_sees_it_no_more(transactional_db):
    table = await does(gather)(["Ada", "Bo", "Cy", "Di", "Ed"], is_private=True)
    bo = await does(lambda: Person(person("Bo"), table))()
    socket = await Socket(bo).catches_up()

    await does(tables.leave_table)(table=table, user=bo.user)

    assert await socket.closes_with() == GONE


async def test_a_move_is_played_while_sockets_watch(table, seated):
    """From the form to the frame, with nothing told by hand."""
    watching = await Socket(seated[3]).catches_up()

    answer = await does(seated[0].press)("nominate:2", htmx=True)

    assert answer.status_code == 200
    assert {"banner", "seats", "log", "action"} <= await watching.frame()
    assert (await does(fresh)(table)).version == table.version + 1
    await does(play.settle)(table.pk)
