"""Django's ASGI handler for synchronous views: few lasting threads, and one for each request."""

import asyncio
import random
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

from config.http.client_key import address_of
from config.serving.bare_answers import bare_headers, bare_page
from config.serving.in_flight import counted
from config.serving.turns import Turns

# How many threads serve requests that hash a password.
_HASHING_THREADS: Final = 2
# How many threads one client may occupy. The threads of a process share the interpreter, so a
# second one hardly speeds up the client, and slows down every other client by half.
_PLACES_OF_A_CLIENT: Final = 1
# How many requests that hash a password may wait.
_HASHING_QUEUE: Final = 80
# When a refused request may come again, in seconds. Not all of them at the same moment.
_COME_AGAIN: Final = (2, 5)
_PAGE_COMES_AGAIN: Final = (3, 15)


class ThreadedHandler(ASGIHandler):
    """Serve each request in one of `threads` threads, from the first middleware to the last.

    Django starts a thread for every request, with its own database connection, and switches
    threads for each signal and each synchronous middleware. That costs more than a move. Here a
    request waits for a free thread. If more than `queue` requests wait, it is refused at once
    with status 503. If the client disconnects, a request that has begun is still finished.

    Clients, told apart by address, take turns. Requests that hash a password take many times
    as long as others, so they have a few threads and a queue of their own.
    """

    def __init__(self, *, threads: int, queue: int) -> None:
        # ASGIHandler.__init__ is not called: it loads the middleware for the event loop.
        self.load_middleware(is_async=False)
        self._quick = _Lane("request", threads=threads, queue=queue)
        self._slow = _Lane("password", threads=_HASHING_THREADS, queue=_HASHING_QUEUE)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        lane = self._slow if _hashes_password(scope) else self._quick
        client = address_of(scope)
        if lane.turns.is_full(client):
            await _refuse(scope, send)
            return
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with counted(scope["path"]):
            await lane.turns.take(client)
            # The most recently used thread has a warm connection and warm caches.
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
            # As Django does. The test client reads it.
            response._handler_class = self.__class__  # type: ignore[attr-defined]
        # Without a request, Django gives the answer that refuses it.
        assert response is not None
        if request is None:
            for name, value in bare_headers():
                response.headers[name.decode()] = value.decode()
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        if not response.streaming:
            # Closed in this thread, which has the request's database connection.
            response.close()
        return response


class _Lane:
    """The threads for one kind of request, and the queue of clients that wait for them."""

    def __init__(self, name: str, *, threads: int, queue: int) -> None:
        self.turns = Turns(threads, queue=queue, most=_PLACES_OF_A_CLIENT)
        self.free = [
            ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"{name}-{number}")
            for number in range(threads)
        ]


def _hashes_password(scope: dict[str, Any]) -> bool:
    """Return whether this is a POST to one of settings.PASSWORD_VIEWS, which hash a password."""
    if scope["method"].upper() != "POST":
        return False
    try:
        # Django derives the method and the path of a request in the same way.
        match = resolve(scope["path"].removeprefix(get_script_prefix(scope)))
    except Resolver404:
        return False
    return match.view_name in settings.PASSWORD_VIEWS


async def _finished(thread: ThreadPoolExecutor, work: Callable[..., Any], *args: Any) -> Any:
    """Run `work` in the thread and return its result. If cancelled, wait until `work` has ended."""
    begun = asyncio.get_running_loop().run_in_executor(thread, work, *args)
    try:
        return await asyncio.shield(begun)
    except asyncio.CancelledError:
        await asyncio.wait({begun})
        raise


async def _refuse(scope: dict[str, Any], send: Any) -> None:
    """Answer with 503: a browser's visit with a page, which comes again by itself if it may."""
    seconds = str(random.randint(*_COME_AGAIN)).encode()  # noqa: S311  only spreads the load
    given = {name: value.decode("latin-1") for name, value in scope["headers"]}
    if "text/html" in given.get(b"accept", ""):
        is_post = scope["method"].upper() == "POST"
        headers, body = bare_page(
            503,
            cookies=given.get(b"cookie", ""),
            languages=given.get(b"accept-language", ""),
            is_post=is_post,
        )
        if not is_post:
            # Later than the repeat of a form: many pages are open with no one looking at them.
            later = random.randint(*_PAGE_COMES_AGAIN)  # noqa: S311  only spreads the load
            headers.append((b"refresh", str(later).encode()))
    else:
        headers = [*bare_headers(), (b"content-type", b"text/plain; charset=utf-8")]
        body = b"Too many requests at once.\n"
    headers.append((b"retry-after", seconds))
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body})
