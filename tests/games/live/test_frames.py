"""Frames: what a socket sends, when, to which viewer, and in which language."""

import asyncio
import re

import pytest
from channels.layers import get_channel_layer
from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext

import games.live.hub
from games.live import consumers, subscriptions
from games.live.composer import TableComposer
from games.live.hub import hub
from games.models import Game, Table
from games.rules.components import Ballot
from games.services import announcements
from tests.builders.person import Person
from tests.builders.sockets import PANELS, Socket, does, nominate, vote
from tests.builders.tables import gather, run_table, state_of

# Other threads read what the test writes, so it must commit.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("closed_lines")]


@pytest.fixture
def table(transactional_db) -> Table:
    return run_table()


# What is sent -------------------------------------------------------------------------------------


async def test_the_first_compare_is_answered_with_what_a_fresh_page_shows(seated):
    socket = Socket(seated[0])
    assert await socket.opens()
    await socket.send(have={})

    answer = await socket.answer()

    page = await does(seated[0].page)()
    digests = re.compile(r'data-panel="(\w+)" data-digest="(\w+)"')
    assert set(digests.findall(answer["html"])) == set(digests.findall(page))
    assert answer["panels"] == dict(digests.findall(page))
    assert 'value="nominate:2"' in answer["html"]


async def test_whoever_has_everything_is_told_so(seated):
    page = await does(seated[0].page)()
    have = dict(re.findall(r'data-panel="(\w+)" data-digest="(\w+)"', page))
    socket = Socket(seated[0])
    assert await socket.opens()

    await socket.send(have=have)
    assert (await socket.answer())["same"]
    await socket.send(have=have | {"log": "old"})
    assert await socket.frame() == {"log"}


async def test_nothing_is_sent_before_the_browser_says_what_it_has(table, seated):
    socket = Socket(seated[0])
    assert await socket.opens()

    await nominate(table)

    assert await socket.stays_silent()


async def test_after_someone_s_move_the_panels_that_changed_are_sent(table, seated, stranger):
    watching = await Socket(stranger).catches_up()
    playing = await Socket(seated[1]).catches_up()

    await nominate(table)

    seen = await watching.frame()
    assert {"banner", "seats", "log"} <= seen < PANELS
    assert "you" not in seen
    # Players who may vote now get a new action panel too.
    assert "action" in await playing.frame()


async def rests(table: Table) -> None:
    """Wait until the hub renders nothing for this table's viewers."""
    while hub()._tables[table.pk].is_at_work:
        await asyncio.sleep(0.01)


async def test_who_watches_has_their_frame_before_the_move_is_answered(
    table, seated, stranger, monkeypatch
):
    monkeypatch.setattr(games.live.hub, "_SHOWN_FIRST", 5)
    sockets = [await Socket(viewer).catches_up() for viewer in (stranger, seated[1])]
    await rests(table)
    # The request that makes the move renders the frames; it starts no other thread.
    monkeypatch.setattr(subscriptions, "in_thread", None)

    await nominate(table)

    for socket in sockets:
        assert not socket.line.output_queue.empty()
        assert {"banner", "log", "action"} <= await socket.frame()


async def test_a_crowd_of_many_kinds_is_not_waited_for(table, seated, monkeypatch):
    monkeypatch.setattr(subscriptions, "_MOST_CLASSES", 0)
    monkeypatch.setattr(subscriptions, "leave_pieces", None)
    socket = await Socket(seated[1]).catches_up()

    await nominate(table)

    assert "action" in await socket.frame()


async def test_what_cannot_be_shown_at_once_is_shown_by_the_hub(table, seated, monkeypatch, caplog):
    real, tries = TableComposer.update, []

    def fails_once(self: TableComposer, *args: object) -> object:
        tries.append(args)
        if len(tries) == 1:
            raise RuntimeError("out of luck")
        return real(self, *args)

    socket = await Socket(seated[1]).catches_up()
    await rests(table)
    monkeypatch.setattr(TableComposer, "update", fails_once)

    await nominate(table)

    assert "action" in await socket.frame()
    assert (await does(state_of)(table)).nominee == 2
    assert "could not be shown by whoever moved" in caplog.text


async def test_a_client_that_is_behind_gets_the_newest_next(table, seated, monkeypatch):
    monkeypatch.setattr(consumers, "_FRAMES_ON_THEIR_WAY", 1)
    socket = Socket(seated[4])
    assert await socket.opens()
    await socket.send(have={})
    await socket.answer()

    await nominate(table)
    for seat in (0, 1, 2):
        await vote(table, seat)
    assert await socket.stays_silent()
    await socket.send(ack=0)
    assert await socket.stays_silent()

    await socket.send(ack=1)
    second = await socket.answer()
    assert second["html"].count("mark-voted") == 3
    await socket.send(ack=2)
    assert await socket.stays_silent()


async def test_who_never_acknowledges_gets_no_more_however_often_they_compare(table, seated):
    socket = Socket(seated[4])
    assert await socket.opens()
    frames = 0
    size = 0
    await socket.send(have={})
    while not await socket.stays_silent():
        frame = await socket.answer()
        frames, size = frames + 1, size + len(frame["html"])
        await socket.send(have={})

    assert 2 <= frames <= 256
    assert size < 250_000
    await socket.send(ack=frames)
    assert set((await socket.answer())["panels"]) == PANELS


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

    await does(announcements.announce_table)(table)

    assert await socket.stays_silent()


async def test_everyone_s_frames_are_in_their_own_language(table, seated, stranger):
    stranger.language = "ja"
    user = seated[1].user
    user.language = "it"
    await does(user.save)()
    readers = {"ja": Socket(stranger), "it": Socket(seated[1]), "en": Socket(seated[2])}
    for socket in readers.values():
        await socket.catches_up()

    await nominate(table)

    # Joining names in a language needs no message catalog.
    listed = {"ja": "</bdi>、<bdi", "it": "</bdi> e <bdi", "en": "</bdi>, and <bdi"}
    for language, socket in readers.items():
        html = (await socket.answer())["html"]
        with translation.override(language):
            assert f'aria-label="{gettext("What’s happening now")}"' in html
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
    assert await socket.frame() == {"tables", "mine", "here"}

    table = await does(gather)(["Ada", "Bo", "Cy", "Di", "Ed"])

    # However many changes were merged, the last frame shows the newest state.
    html = ""
    while "5 of 5" not in html:
        answer = await socket.answer()
        html = answer["html"]
    assert table.code in html


async def test_a_layer_that_fails_loses_no_move(table, seated, monkeypatch, caplog):
    async def broken(*args: object) -> None:
        raise ConnectionError("no Redis")

    socket = await Socket(seated[1]).catches_up()
    monkeypatch.setattr(get_channel_layer(), "group_send", broken)

    await nominate(table)

    # The sockets of this process do not need the channel layer.
    assert 'value="vote:ja"' in (await socket.answer())["html"]
    assert (await does(state_of)(table)).nominee == 2
    assert "did not take a hint" in caplog.text


async def test_a_seat_and_a_move_that_change_at_once_are_both_shown(table, seated, settings):
    """Each change announces its own half of the version; the later one must not hide the other."""
    # The sweep would repair a missed change.
    settings.SOCKET_SWEEP_SECONDS = 3600
    socket = await Socket(seated[1]).catches_up()
    await nominate(table)
    await socket.frame()

    def change_a_seat() -> int:
        table.seats.filter(number=3).update(is_connected=False)
        Table.objects.filter(pk=table.pk).update(version=F("version") + 1)
        return Table.objects.get(pk=table.pk).version

    version = await does(change_a_seat)()
    for half in ({"version": version, "length": -1}, {"version": version - 1, "length": 1}):
        hub()._take({"type": "table.changed", "table": table.pk, **half})

    assert await socket.frame() == {"seats"}
    await socket.line.disconnect()
