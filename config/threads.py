"""The threads in which requests are served: few, lasting, each with its database connection."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import ThreadSensitiveContext

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]


class RequestThreads:
    """Serves each HTTP request in one of a bounded number of threads.

    Django by itself gives every request a thread of its own: with it comes a new database
    connection, and under load as many of both as there are requests. Here a request waits for
    a free thread; when more wait than `queue`, it is told at once to come again (503).
    """

    def __init__(self, application: Application, *, threads: int, queue: int) -> None:
        self._application = application
        self._queue = queue
        self._waiting = 0
        self._free = [
            ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"request-{number}")
            for number in range(threads)
        ]
        self._turns = asyncio.Semaphore(threads)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if self._turns.locked() and self._waiting >= self._queue:
            await _refuse(send)
            return
        self._waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self._waiting -= 1
        # The one that was free last: its connection and its memory are warm.
        executor = self._free.pop()
        try:
            async with ThreadSensitiveContext(executor=executor):
                await self._application(scope, receive, send)
        finally:
            self._free.append(executor)
            self._turns.release()


async def _refuse(send: Any) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"retry-after", b"2")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": b"Too many requests at once.\n"})
