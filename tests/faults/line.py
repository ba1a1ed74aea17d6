"""A line between people and the site that swallows answers: what was asked is done, unheard."""

import asyncio
from contextlib import suppress


class SwallowingLine:
    """A TCP forwarder. Every other answer to a post to an `act` URL is cut off before it begins.

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

        with suppress(OSError):
            await asyncio.wait(
                [asyncio.create_task(up()), asyncio.create_task(down())],
                return_when=asyncio.FIRST_COMPLETED,
            )
        for end in (near, far):
            end.close()
