"""A table with many messages: how soon all viewers have received each one."""

import asyncio
from time import perf_counter

from tests.bench.drive import PATIENCE, Room, Viewer
from tests.bench.frames import have_header
from tests.bench.stage import CSRF_TOKEN
from tests.bench.wire import Refused, form_line, form_request

TEXT = "I had three of them, and I say so: they were red, all of them, number %d."


class Listener(Viewer):
    """A viewer who also shows the table's chat."""

    def _received(self, payload: bytes, size: int) -> None:
        heard = self.page.digests.get("talk")
        super()._received(payload, size)
        if self.page.digests.get("talk") != heard:
            assert isinstance(self.room, TalkingRoom)
            self.room.note_heard()

    async def say(self, number: int) -> int:
        """Send a message with the page's form. Return the status of the answer."""
        if self._form is None or self._form.is_gone:
            self._form = await form_line(port=self.port, address=self.person.address)
        request = form_request(
            port=self.port,
            path=f"/tables/{self.room.table.code}/say/",
            cookie=self.person.cookie,
            csrf=CSRF_TOKEN,
            panels=have_header(self.page.digests),
            fields={"text": TEXT % number, "place": "table", "key": f"bench {number}"},
        )
        status, _, _ = await asyncio.wait_for(self._form.ask(request), PATIENCE)
        return status


class TalkingRoom(Room):
    """A table without moves, where the players speak in turn."""

    viewer_class = Listener

    _all_heard: asyncio.Future[None] | None = None
    _heard_before: set[str | None]
    _last = 0.0

    def note_heard(self) -> None:
        if self._all_heard is None or self._all_heard.done():
            return
        heard = {viewer.page.digests.get("talk") for viewer in self.viewers}
        if len(heard) == 1 and heard != self._heard_before:
            self._last = perf_counter()
            self._all_heard.set_result(None)

    async def talk(self, messages: int, messages_a_minute: float) -> None:
        """Send this many messages at this rate; a late start counts towards the latency."""
        speakers = [viewer for viewer in self.viewers if viewer.person in self.table.seated]
        due = perf_counter()
        for number in range(messages):
            due += 60 / messages_a_minute
            await asyncio.sleep(max(0.0, due - perf_counter()))
            self._heard_before = {viewer.page.digests.get("talk") for viewer in self.viewers}
            self._all_heard = asyncio.get_running_loop().create_future()
            try:
                status = await speakers[number % len(speakers)].say(number)  # type: ignore[attr-defined]
                if status != 200:
                    raise Refused(f"status {status}")
                await asyncio.wait_for(self._all_heard, PATIENCE)
            except (Refused, TimeoutError, OSError) as error:
                self.tally.lost.append(f"{self.table.code} message {number}: {error!r}")
                return
            self.tally.latencies.append(self._last - due)
