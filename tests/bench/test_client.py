"""The bench's own client: what it reads from frames, and when it acknowledges them."""

import asyncio
import json

import pytest

from tests.bench.frames import (
    Acknowledgement,
    Page,
    Shown,
    ballots_in,
    digests_in,
    digests_of_answer,
)
from tests.bench.plan import plan_game
from tests.bench.report import Figure, quantile
from tests.bench.wire import FormLine, SocketLine

OLD = {"frame": 3, "html": '<section id="panel-log" data-panel="log" data-digest="ab12">'}
NEW = {"html": '<div data-hx-swap-oob="afterbegin:#log-rows">...</div>', "panels": {"log": "ab12"}}


@pytest.mark.parametrize("frame", [OLD, NEW])
def test_a_frame_of_either_form_tells_the_same_digests(frame):
    shown = Shown({"log": "old", "seats": "5"})

    shown.take(digests_in(frame))

    assert shown.digests == {"log": "ab12", "seats": "5"}


def test_an_answer_tells_them_in_its_header_or_in_its_panels():
    assert digests_of_answer("log:ab12 seats:9", "") == {"log": "ab12", "seats": "9"}
    assert digests_of_answer("", OLD["html"]) == {"log": "ab12"}


def test_rows_for_another_state_of_a_panel_cost_a_repair_as_in_a_browser():
    page = Page({"seats": "a", "banner": "a"}, told={"seats": "a", "banner": "a"})

    # An answer overtakes the frame of an earlier ballot.
    assert page.show({"seats": "c", "banner": "c"}, {"banner": "c"}, {"seats": "a", "banner": "a"})
    assert not page.show({"seats": "b", "banner": "b"}, {"banner": "b"}, page.told)

    assert page.digests == {"seats": "unsure", "banner": "b"}
    assert page.asking() == page.said == page.digests
    assert page.told["seats"] == ""
    # The server then sends the whole panel.
    assert page.show({"seats": "c"}, {"seats": "c"}, page.told)
    assert page.digests["seats"] == "c"


def test_a_frame_tells_whose_ballots_it_shows():
    voted, waits = '<li class="mark-voted"></li>', '<li class="mark-waited"></li>'
    rows = f'<li id="seat-3">{voted}</li><li id="seat-4">{waits}</li><li id="seat-10">{voted}</li>'

    assert ballots_in(rows) == (3, 10)
    assert ballots_in("<p>Round 2</p>") == ()
    assert ballots_in(f'{rows}<p class="seat-ballot ja">Ja</p>') is None


def test_numbered_frames_are_acknowledged_one_by_one():
    assert Acknowledgement().after(OLD, 60) == '{"ack": 3}'


def test_others_after_sixty_four_or_sixty_four_kilobytes():
    small, large = Acknowledgement(), Acknowledgement()

    told = [small.after(NEW, 100) for _ in range(128)]

    assert [n for n, ack in enumerate(told, start=1) if ack] == [64, 128]
    assert json.loads(told[127])["ack"] == 128
    assert large.after(NEW, 40_000) is None
    assert json.loads(large.after(NEW, 40_000))["ack"] == 2


class _Transport(asyncio.Transport):
    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.is_closed = False

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self.is_closed = True


async def test_frames_are_read_however_the_network_cuts_them():
    texts = ["", "short", "m" * 200, "long " * 20_000]
    sent = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"
    for text in texts:
        size = len(text)
        if size < 126:
            head = bytes((0x81, size))
        elif size < 65536:
            head = b"\x81\x7e" + size.to_bytes(2, "big")
        else:
            head = b"\x81\x7f" + size.to_bytes(8, "big")
        sent += head + text.encode()
    sent += b"\x89\x02hi" + b"\x88\x02" + (4404).to_bytes(2, "big")
    for step in (1, 7, 1000, len(sent)):
        read: list[str] = []
        line = SocketLine(b"GET", lambda data, _, read=read: read.append(data.decode()))
        transport = _Transport()
        line.connection_made(transport)

        for place in range(0, len(sent), step):
            line.data_received(sent[place : place + step])

        assert read == texts
        assert transport.written.endswith(b"\x8a\x82\0\0\0\0hi")
        assert line.close_code == 4404 and transport.is_closed


async def test_an_answer_is_whole_when_its_length_is_there():
    line = FormLine()
    line.connection_made(_Transport())
    answer = line.ask(b"POST")

    line.data_received(b"HTTP/1.1 409 Conflict\r\nContent-Length: 5\r\nX-Panels: a:1\r\n\r\nta")
    assert not answer.done()
    line.data_received(b"ble")

    assert answer.result() == (409, {"content-length": "5", "x-panels": "a:1"}, b"table")


def test_a_planned_game_is_the_same_each_time_and_long_enough():
    plan = plan_game(3, 10, at_least=150)

    assert plan == plan_game(3, 10, at_least=150)
    assert len(plan.moves) >= 150
    assert plan.moves[0].choice.startswith("nominate:")
    assert {move.choice for move in plan.moves} >= {"vote:ja", "vote:nein", "discard:fascist"}


def test_a_full_client_s_figure_is_refused():
    assert Figure("x", 1, goal=2, client_share=0.5).verdict == "met"
    assert Figure("x", 3, goal=2, client_share=0.5).verdict == "missed"
    assert "REFUSED" in Figure("x", 1, goal=2, client_share=0.99).verdict


def test_quantiles_are_values_that_were_seen():
    assert quantile(range(1, 101), 0.5) == 51
    assert quantile(range(1, 101), 0.99) == 100
    assert quantile([7], 0.99) == 7
