"""The short way to a socket of this very server.

Daphne's general way frames the text anew for every socket, writes a line of log that nobody
reads, and wakes the event loop twice. Where many sockets are sent the same, it is framed once
(RFC 6455, section 5) and handed to the operating system at once. Under another server, over
TLS, or when something is still waiting to be written, the general way is taken.
"""

from functools import partial
from typing import Any

from autobahn.websocket.protocol import PreparedMessage
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import tcp, unix
from twisted.web.http import HTTPChannel


class Wire:
    """Daphne's own end of an open socket."""

    __slots__ = ("_is_plain", "_protocol", "_transport")

    def __init__(self, protocol: WebSocketProtocol) -> None:
        self._protocol = protocol
        self._transport = protocol.transport
        self._is_plain = type(protocol.transport) in (tcp.Server, unix.Server)

    def forget_request(self) -> None:
        """Lets go of the request that opened the socket: as large as all the rest of it."""
        for headers in (self._protocol.clean_headers, self._protocol.http_headers):
            headers.clear()
        # The channel that read it stays, to pause who does not read.
        channel = getattr(self._transport, "producer", None)
        if isinstance(channel, HTTPChannel):
            channel.requests.clear()

    @property
    def waiting(self) -> int:
        """Bytes that the operating system has not taken yet, since the client does not read."""
        if not self._is_plain:
            return 0
        return len(self._transport.dataBuffer) + int(self._transport._tempDataLen)

    def write(self, framed: bytes) -> None:
        """Sends what `framed_text` has made; does nothing once the socket is closed."""
        if self._protocol.state != WebSocketProtocol.STATE_OPEN:
            return
        transport = self._transport
        # Nothing may overtake what waits already.
        if self._is_plain and not (transport.dataBuffer or transport._tempDataLen):
            sent = transport.writeSomeData(framed)
            if isinstance(sent, int):
                framed = framed[sent:]
        if framed:
            transport.write(framed)


def wire_of(send: Any) -> Wire | None:
    """The wire behind an ASGI application's `send`; None where there is no short way."""
    if isinstance(send, partial) and len(send.args) == 1:
        protocol = send.args[0]
        if isinstance(protocol, WebSocketProtocol) and protocol._perMessageCompress is None:
            return Wire(protocol)
    return None


def framed_text(text: str) -> bytes:
    """A text as one frame, as a server sends it: not masked."""
    return PreparedMessage(text.encode(), False, False, True).payloadHybi
