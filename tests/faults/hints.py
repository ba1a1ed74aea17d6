"""A line to Valkey on which published hints are lost, delayed and reordered."""

import asyncio
import random
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path


class HintsLine:
    """A forwarder between web processes and Valkey. Replies pass; published messages suffer.

    Each message is lost with probability `loss`. The others are delayed by up to `delay` seconds,
    each by its own delay, so that they overtake each other. An async context manager.
    """

    def __init__(self, seed: object) -> None:
        self._rng = random.Random(f"{seed} hints")
        self._folder = Path(tempfile.mkdtemp(prefix="hints-", dir="/tmp"))
        self.path = str(self._folder / "socket")
        self.target = ""
        self.loss = 0.0
        self.delay = 0.0
        self.lost = 0
        self.passed = 0

    async def __aenter__(self) -> "HintsLine":
        self._server = await asyncio.start_unix_server(self._accept, self.path)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    async def _accept(self, near_in: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        far: asyncio.StreamWriter | None = None
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            far_in, far = await asyncio.open_unix_connection(self.target)
            both = [
                asyncio.create_task(_up(near_in, far)),
                asyncio.create_task(self._down(far_in, near)),
            ]
            _, rest = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for task in rest:
                task.cancel()
        for end in (near, far):
            if end is not None:
                end.close()

    async def _down(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                raw, items = await _read_value(source)
                if items[:1] != [b"message"]:
                    sink.write(raw)
                elif self._rng.random() < self.loss:
                    self.lost += 1
                else:
                    self.passed += 1
                    loop.call_later(self._rng.random() * self.delay, sink.write, raw)


async def _up(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(65536):
            sink.write(data)


async def _read_value(source: asyncio.StreamReader) -> tuple[bytes, list[bytes]]:
    """Read one value of the Redis protocol: its bytes, and the strings that it directly holds."""
    line = await source.readuntil(b"\r\n")
    kind, count = line[:1], line[1:-2]
    if kind in (b"$", b"=", b"!") and count != b"-1":
        body = await source.readexactly(int(count) + 2)
        return line + body, [body[:-2]]
    if kind in (b"*", b">", b"~", b"%") and count != b"-1":
        raw, items = line, []
        for _ in range(int(count) * (2 if kind == b"%" else 1)):
            part, inner = await _read_value(source)
            raw += part
            items += inner[:1]
        return raw, items
    return line, [line[1:-2]]
