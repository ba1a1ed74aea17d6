"""Django's ASGI handler for synchronous views: few lasting threads, and one for each request."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from tempfile import SpooledTemporaryFile
from typing import Any

from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import FileResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix


class ThreadedHandler(ASGIHandler):
    """Serves a request in one of `threads` threads, from the first middleware to the last.

    Django by itself starts a thread for every request, with a database connection of its own,
    and carries the request there and back for each signal and each middleware that is not
    asynchronous: together more than a move costs. Here a request waits for a free thread; when
    more wait than `queue`, it is told at once to come again (503). A client that goes away
    meanwhile changes nothing: what was begun is finished.
    """

    def __init__(self, *, threads: int, queue: int) -> None:
        # Not ASGIHandler's own, which loads the middleware for the event loop.
        self.load_middleware(is_async=False)
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
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        self._waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self._waiting -= 1
        # The one that was free last: its connection and its memory are warm.
        thread = self._free.pop()
        try:
            response = await _finished(thread, self._answer, scope, body)
            await self.send_response(response, send)
            if response.streaming:
                await _finished(thread, response.close)
        finally:
            self._free.append(thread)
            self._turns.release()
            body.close()

    def _answer(
        self, scope: dict[str, Any], body: "SpooledTemporaryFile[bytes]"
    ) -> HttpResponseBase:
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, response = self.create_request(scope, body)
        if request is not None:
            response = self.get_response(request)
            response._handler_class = self.__class__
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        if not response.streaming:
            # Here, where the request's database connection is.
            response.close()
        return response


async def _finished(thread: ThreadPoolExecutor, work: Callable[..., Any], *args: Any) -> Any:
    """What `work` returns; whoever is cancelled meanwhile waits for its end all the same."""
    begun = asyncio.get_running_loop().run_in_executor(thread, work, *args)
    try:
        return await asyncio.shield(begun)
    except asyncio.CancelledError:
        await asyncio.wait({begun})
        raise


async def _refuse(send: Any) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"retry-after", b"2")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": b"Too many requests at once.\n"})
