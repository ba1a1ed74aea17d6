"""Viewers at their sockets and the game that they play: pages without a browser.

Players move in turns, as people do: all ballots of a vote are cast at the same moment, everything
else is one player's move. An action lasts from its POST until the last viewer has a frame that
shows it: a ballot's frame marks its seat, or reveals the vote; the frame of another move changes
a public panel. A turn ends when all viewers show the same public panels.

A viewer keeps the digests of its panels as live.js does, and repairs a panel like a page: it asks
for it again if rows came that were made for another state of it.
"""

import asyncio
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import ClassVar

from tests.bench.frames import (
    Acknowledgement,
    Page,
    ballots_in,
    digests_in,
    digests_of_answer,
    have_header,
    is_same,
    whole_panels_in,
)
from tests.bench.plan import Move
from tests.bench.stage import CSRF_TOKEN, Person, StagedTable
from tests.bench.wire import (
    FormLine,
    Refused,
    SocketLine,
    form_line,
    form_request,
    open_socket,
)

# A frame that takes longer than this many seconds counts as lost.
PATIENCE = 30.0
# Seconds between comparisons, as in live.js.
COMPARE_EVERY = 10.0
_OPENING_AT_ONCE = 12
# A busy server does not open a socket in time; like a page, the client then tries again.
_TRIES = 5


@dataclass
class Tally:
    """The measurements of a run. Latencies are in seconds; bytes are those on the wire."""

    latencies: list[float] = field(default_factory=list)
    # When each action ended.
    ended_at: list[float] = field(default_factory=list)
    # Seconds from each POST to its answer.
    answers: list[float] = field(default_factory=list)
    # Bytes of frames per viewer, for each action: a turn's bytes, shared by its actions.
    bytes_each: list[float] = field(default_factory=list)
    # The size of each frame that an action caused.
    frame_sizes: list[int] = field(default_factory=list)
    # How often a viewer asked for a panel again because an answer and a frame had crossed.
    repairs: int = 0
    failed: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    # Retries of sockets that did not open at once.
    tried_again: int = 0

    def forget(self) -> None:
        """Discard the measurements after warming up, but keep the errors."""
        for measured in (
            self.latencies,
            self.ended_at,
            self.answers,
            self.bytes_each,
            self.frame_sizes,
        ):
            measured.clear()
        self.repairs = 0


class Viewer:
    """One user's page: its socket, and what it shows."""

    def __init__(self, room: "Room", person: Person, port: int, index: int) -> None:
        self.room = room
        self.person = person
        self.port = port
        self.index = index
        self.page = Page()
        self.public: tuple[str | None, ...] = ()
        self.frames = 0
        self._due = Acknowledgement()
        self._comparing: asyncio.Future[bool] | None = None
        self._form: FormLine | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.line: SocketLine

    async def open(self, *, is_thin: bool = False) -> None:
        """Open the socket and ask for the table's current state. Raises Refused."""
        self.line = await open_socket(
            port=self.port,
            path=f"/live/tables/{self.room.table.code}/",
            cookie=self.person.cookie,
            address=self.person.address,
            on_text=self._received,
            is_thin=is_thin,
        )

    async def compare(self) -> bool:
        """Ask for the panels that differ. Return whether any did."""
        self._comparing = asyncio.get_running_loop().create_future()
        self._ask()
        try:
            return await asyncio.wait_for(self._comparing, PATIENCE)
        except TimeoutError:
            raise Refused(f"{self.person.name} got no answer to a compare") from None

    def compare_now_and_then(self, every: float) -> None:
        """Compare regularly, as a page does. The first delay is random, to spread the viewers."""
        if not every:
            return
        loop = asyncio.get_running_loop()

        def compare() -> None:
            if not self.line.is_gone:
                self._ask()
                self._timer = loop.call_later(every, compare)

        self._timer = loop.call_later(random.random() * every, compare)

    def _ask(self) -> None:
        self.line.send(json.dumps({"have": self.page.asking()}))

    def _received(self, payload: bytes, size: int) -> None:
        now = perf_counter()
        room = self.room
        room.bytes += size
        frame = json.loads(payload)
        differs = "html" in frame
        if differs:
            self.frames += 1
            self._show(digests_in(frame), whole_panels_in(frame["html"]), self.page.told)
            self.page.told |= digests_in(frame)
            ack = self._due.after(frame, len(payload))
            if ack is not None:
                self.line.send(ack)
            room.has_frame(self, now, size, frame["html"])
        elif is_same(frame):
            self.page.told = dict(self.page.said)
        elif "error" in frame:
            room.tally.failed.append(f"{self.person.name}: {frame['error']}")
        if self._comparing is not None and not self._comparing.done():
            self._comparing.set_result(differs)

    def _show(
        self, digests: Mapping[str, str], whole: Mapping[str, str], base: Mapping[str, str]
    ) -> None:
        is_sure = self.page.show(digests, whole, base)
        self.public = self.page.public
        if not is_sure:
            self.room.tally.repairs += 1
            self._ask()

    async def make(self, move: Move) -> float | None:
        """Make a move with the form that the page would have, and show the answer.

        Return the seconds until the answer, or None if the move failed.
        """
        name = f"{self.room.table.code} {move.decision} {move.choice}"
        asked, begun = dict(self.page.digests), perf_counter()
        try:
            if self._form is None or self._form.is_gone:
                self._form = await form_line(port=self.port, address=self.person.address)
            asking = self._form.ask(self._request(move))
            status, headers, body = await asyncio.wait_for(asking, PATIENCE)
        except (Refused, TimeoutError, OSError) as error:
            self.room.tally.failed.append(f"{name}: {error!r}")
            return None
        answered = perf_counter()
        if not 200 <= status < 300:
            self.room.tally.failed.append(f"{name}: status {status}")
            return None
        if "x-live" not in headers:
            html = body.decode()
            told = digests_of_answer(headers.get("x-panels", ""), html)
            self._show(told, whole_panels_in(html), asked)
            self.room.look()
        return answered - begun

    def _request(self, move: Move) -> bytes:
        return form_request(
            port=self.port,
            path=f"/tables/{self.room.table.code}/act/",
            cookie=self.person.cookie,
            csrf=CSRF_TOKEN,
            panels=have_header(self.page.digests),
            live=str(self.frames),
            fields={"decision": move.decision, "key": move.key, "choice": move.choice},
        )

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if hasattr(self, "line"):
            self.line.close()
        if self._form is not None and not self._form.is_gone:
            self._form.transport.close()


class EchoViewer(Viewer):
    """One socket of the echo: it says which move it makes, and hears what all have said."""

    async def compare(self) -> bool:
        return False

    def compare_now_and_then(self, every: float) -> None:
        pass

    def _received(self, payload: bytes, size: int) -> None:
        now = perf_counter()
        self.frames += 1
        self.room.bytes += size
        self.room.has_frame(self, now, size, payload.decode())

    async def make(self, move: Move) -> float | None:
        self.line.send(said_of(move))
        return 0.0


def said_of(move: Move) -> str:
    """Return what a socket of the echo says to make this move."""
    return json.dumps({"decision": move.decision, "seat": move.seat, "choice": move.choice})


class _UnderWay:
    """A move that was posted, and who has no frame of it yet."""

    def __init__(self, move: Move, viewers: int) -> None:
        self.move = move
        self.begun = self.ended = perf_counter()
        self.missing = set(range(viewers))

    def reach(self, viewer: Viewer, now: float) -> None:
        if viewer.index in self.missing:
            self.missing.discard(viewer.index)
            self.ended = now


class Room:
    """One table, all its viewers, and its game."""

    viewer_class: ClassVar[type[Viewer]] = Viewer

    def __init__(self, table: StagedTable, ports: Sequence[int], tally: Tally) -> None:
        self.table = table
        self.tally = tally
        self.viewers = [
            self.viewer_class(self, person, ports[i % len(ports)], i)
            for i, person in enumerate(table.viewers)
        ]
        self.bytes = 0
        self._next = 0
        self._sizes: list[int] = []
        self._under_way: dict[int, _UnderWay] = {}
        # The public panels that everyone showed before the turn.
        self._before: tuple[str | None, ...] = ()
        self._is_over: asyncio.Future[None] | None = None

    @property
    def moves_left(self) -> int:
        return len(self.table.moves) - self._next

    def has_frame(self, viewer: Viewer, now: float, size: int, html: str) -> None:
        if self._is_over is None or self._is_over.done():
            return
        self._sizes.append(size)
        for seat in self._shown_in(viewer, html):
            if seat in self._under_way:
                self._under_way[seat].reach(viewer, now)
        self.look()

    def _shown_in(self, viewer: Viewer, html: str) -> Iterable[int]:
        """Return the seats of the moves of this turn that a frame shows."""
        if len(self._under_way) == 1:
            return self._under_way if viewer.public != self._before else ()
        seats = ballots_in(html)
        return self._under_way if seats is None else seats

    def look(self) -> None:
        """Note whether the turn is over."""
        if self._is_over is None or self._is_over.done():
            return
        if not any(sent.missing for sent in self._under_way.values()) and self._agree():
            self._is_over.set_result(None)

    def _agree(self) -> bool:
        first = self.viewers[0].public
        return all(viewer.public == first for viewer in self.viewers)

    def _turn(self, most: int | None) -> Sequence[Move]:
        """Return the moves that are made at once: all ballots of a vote, or one other move."""
        moves = self.table.moves[self._next :]
        first, count = moves[0], 1
        if first.choice.startswith("vote:"):
            while count < len(moves) and moves[count].decision == first.decision:
                count += 1
        return moves[: min(count, most or count)]

    async def act(self) -> bool:
        """Make one move of the plan. Return whether the game can go on."""
        return await self.take_turn(1) > 0

    async def take_turn(self, most: int | None = None) -> int:
        """Make the next moves of the plan at once. Return their number; 0 if one failed."""
        moves = self._turn(most)
        self._next += len(moves)
        self._is_over = asyncio.get_running_loop().create_future()
        self._sizes, self.bytes = [], 0
        self._before = self.viewers[0].public
        self._under_way = {move.seat: _UnderWay(move, len(self.viewers)) for move in moves}
        answers = await asyncio.gather(*(self.viewers[move.seat].make(move) for move in moves))
        if None in answers:
            return 0
        try:
            await asyncio.wait_for(self._is_over, PATIENCE)
        except TimeoutError:
            self.tally.lost += self._behind()
            return 0
        tally = self.tally
        for sent in self._under_way.values():
            tally.latencies.append(sent.ended - sent.begun)
            tally.ended_at.append(sent.ended)
            tally.bytes_each.append(self.bytes / len(self.viewers) / len(moves))
        tally.answers += [seconds for seconds in answers if seconds is not None]
        tally.frame_sizes += self._sizes
        return len(moves)

    def _behind(self) -> list[str]:
        code = self.table.code
        lost = [
            f"{code} {sent.move.decision} {sent.move.choice}: {len(sent.missing)} without a frame"
            for sent in self._under_way.values()
            if sent.missing
        ]
        return lost or [f"{code}: the viewers do not agree after {self._next} moves"]

    async def play(self, moves: int, think: float = 0.0) -> None:
        """Make at least this many moves, in turns, with pauses of `think` seconds on average."""
        end = self._next + moves
        while self._next < end and self.moves_left and await self.take_turn():
            await pause(think)


class EchoRoom(Room):
    """The same table at the echo: the same moves, said by the same seats."""

    viewer_class = EchoViewer

    def _shown_in(self, viewer: Viewer, html: str) -> Iterable[int]:
        said = json.loads(html)
        sent = self._under_way.get(said["seat"])
        return (said["seat"],) if sent is not None and html == said_of(sent.move) else ()

    def _agree(self) -> bool:
        return True


async def pause(think: float) -> None:
    """Wait as long as people think: between half and one and a half times `think` seconds."""
    if think:
        await asyncio.sleep(think * (0.5 + random.random()))


async def open_all(
    rooms: Iterable[Room], *, compare_every: float = COMPARE_EVERY, compare_once: bool = True
) -> None:
    """Open every socket, until each shows its table. Raises Refused."""
    gate = asyncio.Semaphore(_OPENING_AT_ONCE)

    async def open_one(viewer: Viewer) -> None:
        async with gate:
            for more in reversed(range(_TRIES)):
                try:
                    await viewer.open()
                    break
                except (Refused, TimeoutError):
                    if not more:
                        raise
                    viewer.room.tally.tried_again += 1
                    await asyncio.sleep(1)
            if compare_once:
                await viewer.compare()
            viewer.compare_now_and_then(compare_every)

    await asyncio.gather(*(open_one(viewer) for room in rooms for viewer in room.viewers))


async def check_and_close(rooms: Sequence[Room]) -> None:
    """Check that every page shows what a fresh comparison says and that every socket is open."""
    gate = asyncio.Semaphore(_OPENING_AT_ONCE)

    async def check(room: Room, viewer: Viewer) -> None:
        async with gate:
            if viewer.line.is_gone:
                code = viewer.line.close_code
                room.tally.lost.append(f"{viewer.person.name}'s socket was closed: {code}")
                return
            before = dict(viewer.page.digests)
            try:
                if await viewer.compare() and viewer.page.digests != before:
                    room.tally.lost.append(f"{viewer.person.name} did not show the end")
            except Refused as error:
                room.tally.lost.append(str(error))

    await asyncio.gather(*(check(room, viewer) for room in rooms for viewer in room.viewers))
    for room in rooms:
        for viewer in room.viewers:
            viewer.close()
    await asyncio.sleep(0.2)
