"""A fast path that writes WebSocket frames straight to Daphne's transport.

Daphne's general path frames the text again for every socket, writes a log line that no one reads,
and wakes the event loop twice. When many sockets are sent the same text, it is framed once (RFC
6455, section 5) and handed to the operating system at once. The general path is used under another
server, over TLS, and while earlier data is still waiting to be written.
"""

from functools import partial
from typing import Any

from autobahn.websocket.protocol import PreparedMessage
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import tcp, unix
from twisted.web.http import HTTPChannel


class DirectTransport:
    """Daphne's own end of an open socket."""

    __slots__ = ("_is_plain", "_protocol", "_transport")

    def __init__(self, protocol: WebSocketProtocol) -> None:
        self._protocol = protocol
        self._transport = protocol.transport
        self._is_plain = type(protocol.transport) in (tcp.Server, unix.Server)

    def forget_request(self) -> None:
        """Release the request that opened the socket: it takes as much memory as all the rest."""
        for headers in (self._protocol.clean_headers, self._protocol.http_headers):
            headers.clear()
        # The channel that read the request stays, to pause clients that do not read.
        channel = getattr(self._transport, "producer", None)
        if isinstance(channel, HTTPChannel):
            channel.requests.clear()

    @property
    def waiting(self) -> int:
        """Bytes that the operating system has not taken yet because the client does not read."""
        if not self._is_plain:
            return 0
        return len(self._transport.dataBuffer) + int(self._transport._tempDataLen)

    def write(self, framed: bytes) -> None:
        """Send what `framed_text` returned; does nothing once the socket is closed."""
        if self._protocol.state != WebSocketProtocol.STATE_OPEN:
            return
        transport = self._transport
        # The frame must not overtake data that is already waiting.
        if self._is_plain and not (transport.dataBuffer or transport._tempDataLen):
            sent = transport.writeSomeData(framed)
            if isinstance(sent, int):
                framed = framed[sent:]
        if framed:
            transport.write(framed)


def direct_transport_of(send: Any) -> DirectTransport | None:
    """Return the wire behind an ASGI application's `send`; None if there is no fast path."""
    if isinstance(send, partial) and len(send.args) == 1:
        protocol = send.args[0]
        if isinstance(protocol, WebSocketProtocol) and protocol._perMessageCompress is None:
            return DirectTransport(protocol)
    return None


def framed_text(text: str) -> bytes:
    """Return a text as one unmasked frame, as a server sends it."""
    return PreparedMessage(text.encode(), False, False, True).payloadHybi
