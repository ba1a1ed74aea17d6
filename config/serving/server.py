"""One web process: Daphne, with limits that suit this site, and a shutdown that loses nothing.

At SIGTERM or SIGINT the process drains:

1. It reports that it is not ready, and serves for `grace` seconds more, so that a proxy notices.
   Answers ask clients to close their connections, so that none is kept alive.
2. It stops listening. Its sockets are closed with code 1012, one after the other over
   `spread` seconds, so that not all clients reconnect at the same moment.
3. Requests in flight are finished and sent, for at most `patience` seconds.
4. It exits with status 0. A second signal skips the waiting.
"""

import asyncio
import gc
import logging
import random
import signal
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

# Imported before anything else from Twisted, because it chooses the reactor.
from daphne.server import Server  # isort: skip
from autobahn.websocket.protocol import WebSocketProtocol as Socket
from autobahn.websocket.types import ConnectionDeny
from daphne.http_protocol import HTTPFactory, WebRequest
from django.conf import settings
from twisted.internet import reactor

from config.serving import draining
from config.serving.bare_answers import Headers, bare_page

NORMAL_CLOSURE: Final = 1000
INTERNAL_ERROR: Final = 1011
SERVICE_RESTART: Final = 1012

# A client's message is a list of digests; a form is a few hundred bytes.
LARGEST_MESSAGE: Final = 8 * 1024
# Autobahn has one limit for messages in both directions, and the server's messages contain whole
# panels. The frame limit, LARGEST_MESSAGE, restricts what a client sends in one frame.
LARGEST_EITHER_WAY: Final = 512 * 1024
LARGEST_BODY: Final = 64 * 1024
# In seconds. Daphne checks every 2 seconds, pings a client that was idle for 20, and drops it if it
# does not answer for 15 more. So a dead client is found within 40.
PING_AFTER: Final = 20
PONG_WITHIN: Final = 15
# From the last byte of a request to its answer; a client that waits longer gets status 503.
ANSWER_WITHIN: Final = 30
# From the first byte of a socket's handshake to its acceptance.
ACCEPT_WITHIN: Final = 10
# The longest pause between two bytes of a request, and between two requests of a connection.
SILENCE: Final = 60
# Connections that wait to be accepted. When another process ends, all its clients connect at once.
BACKLOG: Final = 512

_TICK: Final = 0.05
# Seconds in which the rest of a body that is too large is read and dropped.
_LINGER: Final = 2
_CLOSING: Final = (Socket.STATE_CLOSING, Socket.STATE_CLOSED)
_STOP_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)

logger = logging.getLogger(__name__)

Application = Callable[[dict[str, Any], Any, Any], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class Drain:
    """The durations of the steps of a drain, in seconds."""

    grace: float
    spread: float
    patience: float


class DrainingServer(Server):
    def __init__(self, application: Application, *, host: str, port: int, drain: Drain) -> None:
        # In Twisted's endpoint descriptions, a colon separates the parts.
        interface = host.replace(":", r"\:")
        super().__init__(
            closing_when_draining(application),
            endpoints=[f"tcp:port={port}:interface={interface}:backlog={BACKLOG}"],
            # Twisted's own signal handlers would stop the process at once.
            signal_handlers=False,
            http_timeout=ANSWER_WITHIN,
            websocket_connect_timeout=ACCEPT_WITHIN,
            websocket_handshake_timeout=ACCEPT_WITHIN,
            websocket_max_message_size=LARGEST_EITHER_WAY,
            websocket_max_frame_size=LARGEST_MESSAGE,
            ping_interval=PING_AFTER,
            ping_timeout=PONG_WITHIN,
            # From verbosity 1 Daphne logs whole URLs, and invitations are secret URLs.
            verbosity=0,
            # Do not tell clients which server this is.
            server_name="",
        )
        self.failed = False
        """Whether the process could not listen."""
        self.cut_off = 0
        """How many requests and sockets were unfinished when the drain ended."""
        self._drain = drain
        self._ports: list[Any] = []
        self._leaving: asyncio.Task[None] | None = None

    def run(self) -> None:
        """Serve until a signal arrives, then drain and return."""
        _spare_lasting_objects()
        loop = reactor._asyncioEventloop
        for number in _STOP_SIGNALS:
            loop.add_signal_handler(number, self.leave)
        super().run()

    def listen_success(self, port: Any) -> None:
        port.factory = _Requests(self)
        self._ports.append(port)
        super().listen_success(port)

    def listen_error(self, failure: Any) -> None:
        self.failed = True
        super().listen_error(failure)

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        if scope["type"] != "websocket":
            return super().create_application(protocol, scope)
        inbox = scope["inbox"] = Inbox()
        return super().create_application(protocol, scope) and inbox

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        """Pass a message of the application to its connection.

        A socket closes in steps. From the first close frame until the connection is gone,
        Autobahn raises an exception for every message. The application learns of the close
        later, so its message is dropped, as ASGI requires. Also, Autobahn's `sendClose`, which
        Daphne calls, refuses 1011 and other codes that a server may send.
        """
        if isinstance(protocol, Socket) and protocol.state in _CLOSING:
            return
        is_open = isinstance(protocol, Socket) and protocol.state == Socket.STATE_OPEN
        if is_open and message["type"] == "websocket.close":
            protocol.sendCloseFrame(code=message.get("code") or NORMAL_CLOSURE)
            return
        # A socket that could not be opened, such as while the database is away, may be tried again.
        # Daphne would refuse it with 403, like one that is forbidden.
        if message["type"] == "websocket.close" and message.get("code") == INTERNAL_ERROR:
            handshake = vars(protocol).pop("handshake_deferred", None)
            if handshake is not None:
                refusal = ConnectionDeny(503)  # type: ignore[no-untyped-call]
                handshake.errback(refusal)
                self.protocol_disconnected(protocol)
            return
        await super().handle_reply(protocol, message)

    def leave(self) -> None:
        """Begin the drain. If called again, end it at once."""
        if self._leaving is None:
            logger.info("draining")
            draining.begin()
            self._leaving = asyncio.ensure_future(self._leave(), loop=reactor._asyncioEventloop)
        else:
            self._leaving.cancel()

    def kill_all_applications(self) -> None:
        """Cancel the applications that the drain left, without waiting for them as Daphne does.

        A request that waits for a thread ends when the thread does.
        """
        for details in self.connections.values():
            if "application_instance" in details:
                details["application_instance"].cancel()

    async def _leave(self) -> None:
        try:
            await asyncio.sleep(self._drain.grace)
            for port in self._ports:
                # Accept the connections that wait; closing the port would reset them.
                port.doRead()
                port.stopListening()
            until = monotonic() + self._drain.patience
            await self._close_sockets()
            while self._unfinished() and monotonic() < until:
                await asyncio.sleep(_TICK)
                # Close sockets that were opened after the others were closed.
                self._close(self._open_sockets())
        finally:
            self.cut_off = self._unfinished()
            if self.cut_off:
                logger.warning("%s requests or sockets were cut off", self.cut_off)
            self.stop()

    async def _close_sockets(self) -> None:
        sockets = self._open_sockets()
        # With fewer sockets than ticks, one socket is closed per tick, and it ends sooner.
        random.shuffle(sockets)
        until = monotonic() + self._drain.spread
        while sockets:
            ticks = max(1, round((until - monotonic()) / _TICK))
            some = -(-len(sockets) // ticks)
            self._close(sockets[:some])
            sockets = sockets[some:]
            if sockets:
                await asyncio.sleep(_TICK)

    def _open_sockets(self) -> list[Any]:
        return [
            protocol
            for protocol in self.connections
            if isinstance(protocol, Socket) and protocol.state == Socket.STATE_OPEN
        ]

    @staticmethod
    def _close(sockets: list[Any]) -> None:
        for socket in sockets:
            # Autobahn's `sendClose` refuses code 1012.
            socket.sendCloseFrame(code=SERVICE_RESTART)

    def _unfinished(self) -> int:
        """Count unanswered requests, open sockets, running applications and unsent data."""
        count = len(reactor.getWriters())  # type: ignore[misc]  # an attribute in zope's interface
        for details in self.connections.values():
            application = details.get("application_instance")
            is_at_work = application is not None and not application.done()
            count += is_at_work or "disconnected" not in details
        return count


def _spare_lasting_objects() -> None:
    """Keep the garbage collector from scanning what the site has loaded, which stays alive.

    A scan of all of it takes 57 ms. The collector scans the rest often and in small portions, so
    that a pause stays under two milliseconds.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 10, 50)


class _BoundedRequest(WebRequest):
    """A request or a socket's handshake whose size is checked while it arrives.

    Django checks the size only when the whole body is in memory, so a large body could fill it.
    """

    _received = 0
    _is_refused = False
    _most = LARGEST_BODY

    def gotLength(self, length: int | None) -> None:  # noqa: N802  Twisted's name
        super().gotLength(length)
        # Twisted has read the request's line by now, but tells it only with the whole body.
        path = getattr(self.channel, "_path", b"").partition(b"?")[0]
        if path.decode("latin-1") in settings.UPLOAD_PATHS:
            self._most = settings.LARGEST_UPLOAD
        if length is not None and length > self._most:
            self._refuse()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802  Twisted's name
        self._received += len(data)
        if self._received > self._most:
            self._refuse()
        elif not self._is_refused:
            super().handleContentChunk(data)

    def process(self) -> Any:
        # Daphne lets clients set the path at which the site is mounted, and fails if the value is
        # invalid. This site is mounted at the root.
        self.requestHeaders.removeHeader(b"Daphne-Root-Path")
        return None if self._is_refused else super().process()

    def _refuse(self) -> None:
        if self._is_refused:
            return
        self._is_refused = True
        # The request has not reached Django, so no view can answer it.
        headers, page = self._page(413)
        headers += [(b"Connection", b"close"), (b"Content-Length", b"%d" % len(page))]
        lines = b"".join(b"%b: %b\r\n" % header for header in headers)
        self.channel.transport.write(b"HTTP/1.1 413 Content Too Large\r\n%b\r\n%b" % (lines, page))
        # A browser that is still sending when the connection ends shows an error of its own.
        close = self.channel.transport.loseConnection
        reactor.callLater(_LINGER, close)  # type: ignore[arg-type]  # zope's interface

    def basic_error(self, status: int, status_text: bytes, body: str) -> None:
        """Answer a request that is unreadable, takes too long or failed outside Django."""
        headers, page = self._page(status)
        self.handle_reply({"type": "http.response.start", "status": status, "headers": headers})
        self.handle_reply({"type": "http.response.body", "body": page})

    def _page(self, status: int) -> tuple[Headers, bytes]:
        cookies, languages = (
            self.requestHeaders.getRawHeaders(name, [b""])[0].decode("latin-1")
            for name in (b"cookie", b"accept-language")
        )
        is_post = self.method == b"POST"
        return bare_page(status, cookies=cookies, languages=languages, is_post=is_post)


class _Requests(HTTPFactory):
    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802  Twisted's name
        channel = super().buildProtocol(addr)
        channel.requestFactory = _BoundedRequest
        channel.timeOut = SILENCE
        return channel


class Inbox:
    """The messages of a client that the application has not read yet.

    It replaces `asyncio.Queue`, for one reader and without a maximum size. Of thousands of sockets
    nearly all are silent, and the empty deques of a queue take more memory than everything else
    that belongs to a silent socket.
    """

    __slots__ = ("_messages", "_waiter")

    def __init__(self) -> None:
        self._messages: list[dict[str, Any]] = []
        self._waiter: asyncio.Future[None] | None = None

    def put_nowait(self, message: dict[str, Any]) -> None:
        self._messages.append(message)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def get(self) -> dict[str, Any]:
        while not self._messages:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        return self._messages.pop(0)


def closing_when_draining(application: Application) -> Application:
    """Wrap the application: while the process drains, its answers close their connections."""

    async def wrapped(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if "inbox" in scope:
            receive = scope.pop("inbox").get

        async def closing(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start" and draining.is_draining():
                headers = [*message.get("headers", ()), (b"Connection", b"close")]
                message = {**message, "headers": headers}
            await send(message)

        await application(scope, receive, closing if scope["type"] == "http" else send)

    return wrapped
