"""Viewers at their sockets and the game that they play, one action of a table at a time.

An action lasts from its POST until the last viewer has its frame. A viewer has it when its
public panels differ from those before (every action changes one: a ballot, a nomination, a
session's move) and all viewers at the table show the same ones, equal to the POST's answer.
"""

import asyncio
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import ClassVar

from tests.bench.frames import Acknowledgement, Shown, digests_in, digests_of_answer, have_header
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
    # Bytes per viewer, for each action.
    bytes_each: list[float] = field(default_factory=list)
    # The size of each frame that an action caused.
    frame_sizes: list[int] = field(default_factory=list)
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


class Viewer:
    """One user's page: its socket, and what it shows."""

    def __init__(self, room: "Room", person: Person, port: int, index: int) -> None:
        self.room = room
        self.person = person
        self.port = port
        self.index = index
        self.shown = Shown()
        self.public: tuple[str | None, ...] = ()
        # Every set of public panels that it has shown since the last move began.
        self.passed: set[tuple[str | None, ...]] = set()
        self.has_it = False
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
            path=self.room.socket_path,
            cookie=self.person.cookie,
            address=self.person.address,
            on_text=self._received,
            is_thin=is_thin,
        )

    async def compare(self) -> bool:
        """Ask for the panels that differ. Return whether any did."""
        if self.room.is_echo:
            return False
        self._comparing = asyncio.get_running_loop().create_future()
        self.line.send(json.dumps({"have": self.shown.digests}))
        try:
            return await asyncio.wait_for(self._comparing, PATIENCE)
        except TimeoutError:
            raise Refused(f"{self.person.name} got no answer to a compare") from None

    def compare_now_and_then(self, every: float) -> None:
        """Compare regularly, as a page does. The first delay is random, to spread the viewers."""
        if self.room.is_echo or not every:
            return
        loop = asyncio.get_running_loop()

        def compare() -> None:
            if not self.line.is_gone:
                self.line.send(json.dumps({"have": self.shown.digests}))
                self._timer = loop.call_later(every, compare)

        self._timer = loop.call_later(random.random() * every, compare)

    def _received(self, payload: bytes, size: int) -> None:
        now = perf_counter()
        room = self.room
        room.bytes += size
        if room.is_echo:
            self.frames += 1
            room.has_frame(self, now, size)
            return
        frame = json.loads(payload)
        differs = "html" in frame
        if differs:
            self.frames += 1
            self.shown.take(digests_in(frame))
            ack = self._due.after(frame, len(payload))
            if ack is not None:
                self.line.send(ack)
            public = self.shown.public
            if public != self.public:
                self.public = public
                self.passed.add(public)
                room.has_frame(self, now, size)
        elif "error" in frame:
            room.tally.failed.append(f"{self.person.name}: {frame['error']}")
        if self._comparing is not None and not self._comparing.done():
            self._comparing.set_result(differs)

    def takes(self, told: Mapping[str, str]) -> bool:
        """Return whether an answer shows what frames have shown. An overtaken one changes nothing.

        As in live.js: news of players who come or go may be sent before the answer to a move.
        """
        before = dict(self.shown.digests)
        self.shown.take(told)
        if self.shown.public == self.public:
            return True
        is_overtaken = self.shown.public in self.passed
        self.shown.digests = before
        return is_overtaken

    async def comes_to_show(self, told: Mapping[str, str]) -> bool:
        """Return whether frames come to show what an answer showed, waiting for them if needed.

        They may still be on their way if a user came or went between the move and its answer.
        """
        until = perf_counter() + PATIENCE
        while not self.takes(told):
            if perf_counter() > until:
                return False
            await asyncio.sleep(0.05)
        return True

    async def post(self, move: Move) -> tuple[int, dict[str, str], bytes]:
        """Make a move with the form that the page would have. Raises Refused."""
        if self._form is None or self._form.is_gone:
            self._form = await form_line(port=self.port, address=self.person.address)
        return await asyncio.wait_for(self._form.ask(self._request(move)), PATIENCE)

    def _request(self, move: Move) -> bytes:
        return form_request(
            port=self.port,
            path=f"/tables/{self.room.table.code}/act/",
            cookie=self.person.cookie,
            csrf=CSRF_TOKEN,
            panels=have_header(self.shown.digests),
            fields={"decision": move.decision, "key": move.key, "choice": move.choice},
        )

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if hasattr(self, "line"):
            self.line.close()
        if self._form is not None and not self._form.is_gone:
            self._form.transport.close()


class Room:
    """One table, all its viewers, and its game."""

    viewer_class: ClassVar[type[Viewer]] = Viewer

    def __init__(
        self,
        table: StagedTable,
        ports: Sequence[int],
        tally: Tally,
        *,
        echo_bytes: int | None = None,
    ) -> None:
        self.table = table
        self.tally = tally
        self.is_echo = echo_bytes is not None
        query = f"?{echo_bytes}" if self.is_echo else ""
        self.socket_path = f"/live/tables/{table.code}/{query}"
        self.viewers = [
            self.viewer_class(self, person, ports[i % len(ports)], i)
            for i, person in enumerate(table.viewers)
        ]
        self.bytes = 0
        self._next = 0
        self._waiting = 0
        self._last = 0.0
        self._sizes: list[int] = []
        self._all_have_it: asyncio.Future[None] | None = None

    @property
    def moves_left(self) -> int:
        return len(self.table.moves) - self._next

    def has_frame(self, viewer: Viewer, now: float, size: int) -> None:
        if self._all_have_it is None or self._all_have_it.done():
            return
        self._sizes.append(size)
        self._last = now
        if not viewer.has_it:
            viewer.has_it = True
            self._waiting -= 1
        if self._waiting == 0 and (self.is_echo or self._agree()):
            self._all_have_it.set_result(None)

    def _agree(self) -> bool:
        first = self.viewers[0].public
        return all(viewer.public == first for viewer in self.viewers)

    async def act(self) -> bool:
        """Make the next move of the plan. Return whether the game can go on."""
        move = self.table.moves[self._next]
        self._next += 1
        self._all_have_it = asyncio.get_running_loop().create_future()
        self._waiting, self._sizes, self.bytes = len(self.viewers), [], 0
        for viewer in self.viewers:
            viewer.has_it = False
            viewer.passed.clear()
        name = f"{self.table.code} {move.decision} {move.choice}"
        actor = self.viewers[move.seat]
        begun = perf_counter()
        try:
            status, headers, body = await actor.post(move)
        except (Refused, TimeoutError, OSError) as error:
            self.tally.failed.append(f"{name}: {error!r}")
            return False
        answered = perf_counter()
        if not 200 <= status < 300:
            self.tally.failed.append(f"{name}: status {status}")
            return False
        try:
            await asyncio.wait_for(self._all_have_it, PATIENCE)
        except TimeoutError:
            behind = [v.person.name for v in self.viewers if not v.has_it]
            self.tally.lost.append(f"{name}: {len(behind)} without a frame, {behind[:3]}")
            return False
        if not self.is_echo:
            told = digests_of_answer(headers.get("x-panels", ""), body.decode())
            if not await actor.comes_to_show(told):
                self.tally.lost.append(
                    f"{name}: the answer and the frames differ, {told} after {actor.public}"
                )
        tally = self.tally
        tally.latencies.append(self._last - begun)
        tally.ended_at.append(self._last)
        tally.answers.append(answered - begun)
        tally.bytes_each.append(self.bytes / len(self.viewers))
        tally.frame_sizes += self._sizes
        return True

    async def play(self, moves: int) -> None:
        """Make this many moves, one after another."""
        for _ in range(moves):
            if not await self.act():
                return


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
            before = dict(viewer.shown.digests)
            try:
                if await viewer.compare() and viewer.shown.digests != before:
                    room.tally.lost.append(f"{viewer.person.name} did not show the end")
            except Refused as error:
                room.tally.lost.append(str(error))

    await asyncio.gather(*(check(room, viewer) for room in rooms for viewer in room.viewers))
    for room in rooms:
        for viewer in room.viewers:
            viewer.close()
    await asyncio.sleep(0.2)
