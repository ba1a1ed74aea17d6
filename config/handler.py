"""Django's ASGI handler for synchronous views: few lasting threads, and one for each request."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from tempfile import SpooledTemporaryFile
from typing import Any, Final

from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import FileResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve, set_script_prefix

from accounts.address import address_of
from config.turns import Turns

# Threads that serve the requests that hash a password, and how many of these may wait.
_HASHING_THREADS: Final = 2
# Places that one client holds. The threads of a process share the interpreter, so a second place
# makes the client hardly faster, and every other client slower by half.
_PLACES_OF_A_CLIENT: Final = 1
_HASHING_QUEUE: Final = 80


class ThreadedHandler(ASGIHandler):
    """Serves a request in one of `threads` threads, from the first middleware to the last.

    Django by itself starts a thread for every request, with a database connection of its own,
    and carries the request there and back for each signal and each middleware that is not
    asynchronous: together more than a move costs. Here a request waits for a free thread; when
    more wait than `queue`, it is told at once to come again (503). A client that goes away
    meanwhile changes nothing: what was begun is finished.

    Clients, told apart by address, take turns. Requests that hash a password take many times
    as long as others, so they have a few threads and a queue of their own.
    """

    def __init__(self, *, threads: int, queue: int) -> None:
        # Not ASGIHandler's own, which loads the middleware for the event loop.
        self.load_middleware(is_async=False)
        self._quick = _Lane("request", threads=threads, queue=queue)
        self._slow = _Lane("password", threads=_HASHING_THREADS, queue=_HASHING_QUEUE)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        lane = self._slow if _hashes_password(scope) else self._quick
        client = address_of(scope)
        if lane.turns.is_full(client):
            await _refuse(send)
            return
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        await lane.turns.take(client)
        # The one that was free last: its connection and its memory are warm.
        thread = lane.free.pop()
        try:
            response = await _finished(thread, self._answer, scope, body)
            await self.send_response(response, send)
            if response.streaming:
                await _finished(thread, response.close)
        finally:
            lane.free.append(thread)
            lane.turns.give_back(client)
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


class _Lane:
    """Threads of one purpose, and the turns of the clients that wait for them."""

    def __init__(self, name: str, *, threads: int, queue: int) -> None:
        self.turns = Turns(threads, queue=queue, most=_PLACES_OF_A_CLIENT)
        self.free = [
            ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"{name}-{number}")
            for number in range(threads)
        ]


def _hashes_password(scope: dict[str, Any]) -> bool:
    """Whether the request is for one of settings.PASSWORD_VIEWS, which hash what is posted."""
    if scope["method"].upper() != "POST":
        return False
    try:
        # As Django itself takes the method and the path of a request.
        match = resolve(scope["path"].removeprefix(get_script_prefix(scope)))
    except Resolver404:
        return False
    return match.view_name in settings.PASSWORD_VIEWS


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
