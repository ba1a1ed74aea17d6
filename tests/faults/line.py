"""Lines between users and the site: one swallows answers, one cuts or stalls connections."""

import asyncio
import random
from contextlib import suppress


class SwallowingLine:
    """A TCP forwarder that drops every other answer to a POST to an `act` URL, before it begins.

    The site has answered by then, so the action is committed. An async context manager.
    """

    def __init__(self, port: int) -> None:
        self._target = port
        self._posts = 0
        self.swallowed: list[bytes] = []

    async def __aenter__(self) -> "SwallowingLine":
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _accept(self, near_in: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        far_in, far = await asyncio.open_connection("127.0.0.1", self._target)
        is_to_swallow = asyncio.Event()

        async def up() -> None:
            while data := await near_in.read(65536):
                if data.startswith(b"POST ") and b"/act/ " in data.partition(b"\r\n")[0]:
                    self._posts += 1
                    if self._posts % 2:
                        is_to_swallow.set()
                far.write(data)

        async def down() -> None:
            while data := await far_in.read(65536):
                if is_to_swallow.is_set():
                    self.swallowed.append(data)
                    near.transport.abort()
                    return
                near.write(data)

        # The end of the test cancels whatever is still open.
        with suppress(OSError, asyncio.CancelledError):
            await asyncio.wait(
                [asyncio.create_task(up()), asyncio.create_task(down())],
                return_when=asyncio.FIRST_COMPLETED,
            )
        for end in (near, far):
            end.close()


class CuttingLine:
    """A TCP forwarder whose connections are cut, or stay open and pass nothing more.

    While `seconds_between` is not 0, a connection lasts that many seconds on average. An async
    context manager.
    """

    def __init__(self, port: int, seed: object) -> None:
        self._target = port
        self._rng = random.Random(f"{seed} line")
        self.seconds_between = 0.0
        self.cuts = 0
        self.silences = 0
        self.is_down = False
        self._open: set[asyncio.StreamWriter] = set()
        self._silent: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> "CuttingLine":
        # A thousand clients reconnect at once.
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, backlog=2000)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut_all()

    def cut_all(self) -> None:
        for end in list(self._open):
            self.cuts += 1
            end.transport.abort()

    def end_silences(self) -> None:
        for end in list(self._silent):
            end.transport.abort()

    async def _accept(self, near_in: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        if self.is_down:
            near.transport.abort()
            return
        far: asyncio.StreamWriter | None = None
        self._open.add(near)
        try:
            far_in, far = await asyncio.open_connection("127.0.0.1", self._target)
            silent = asyncio.Event()
            passing = [
                asyncio.create_task(_pass(near_in, far, silent)),
                asyncio.create_task(_pass(far_in, near, silent)),
                asyncio.create_task(self._fate(silent, near)),
            ]
            _, rest = await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
            for task in rest:
                task.cancel()
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._open.discard(near)
            self._silent.discard(near)
            for end in (near, far):
                if end is not None:
                    end.transport.abort()

    async def _fate(self, silent: asyncio.Event, near: asyncio.StreamWriter) -> None:
        """Return when the connection is to be cut."""
        while True:
            await asyncio.sleep(0.5)
            if self.seconds_between and self._rng.random() < 0.5 / self.seconds_between:
                if self._rng.random() < 0.8:
                    self.cuts += 1
                    return
                self.silences += 1
                self._silent.add(near)
                silent.set()


async def _pass(
    source: asyncio.StreamReader, sink: asyncio.StreamWriter, silent: asyncio.Event
) -> None:
    with suppress(OSError):
        while data := await source.read(65536):
            if not silent.is_set():
                sink.write(data)
