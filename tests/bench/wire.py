"""A client for sockets and forms on bare asyncio, so that one core can drive thousands.

It understands only what Daphne sends: whole text frames without compression, answers with a
Content-Length, connections that are kept.
"""

import asyncio
import socket
from collections.abc import Callable, Mapping
from urllib.parse import urlencode

# A mask of zeros leaves the bytes unchanged. A server cannot tell and need not care.
_NO_MASK = b"\0\0\0\0"


class Refused(Exception):
    """The server closed a connection or did not open it."""


class SocketLine(asyncio.Protocol):
    """One WebSocket. `on_text(payload, size on the wire)` runs for each message."""

    def __init__(self, request: bytes, on_text: Callable[[bytes, int], None]) -> None:
        self._request = request
        self._on_text = on_text
        self._rest = b""
        self._is_open = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.close_code: int | None = None
        self.is_gone = False
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self._request)

    def connection_lost(self, error: Exception | None) -> None:
        self.is_gone = True
        if not self.opened.done():
            self.opened.set_exception(Refused(self._rest[:100].decode("latin-1")))

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
        if not self._is_open:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._rest = head
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self._rest = head
                self.transport.abort()
                return
            self._is_open = True
            self.opened.set_result(None)
        position, size = 0, len(data)
        while size - position >= 2:
            length, head_size = data[position + 1] & 127, 2
            if length == 126:
                if size - position < 4:
                    break
                length, head_size = int.from_bytes(data[position + 2 : position + 4], "big"), 4
            elif length == 127:
                if size - position < 10:
                    break
                length, head_size = int.from_bytes(data[position + 2 : position + 10], "big"), 10
            end_of_frame = position + head_size + length
            if end_of_frame > size:
                break
            self._frame(data[position], data[position + head_size : end_of_frame], head_size)
            position = end_of_frame
        self._rest = data[position:]

    def _frame(self, first: int, payload: bytes, head_size: int) -> None:
        opcode = first & 15
        if opcode == 1 and first & 128:
            self._on_text(payload, head_size + len(payload))
        elif opcode == 8:
            self.close_code = int.from_bytes(payload[:2], "big") if payload else 1005
            self.transport.close()
        elif opcode == 9:
            self._send(0x8A, payload)
        elif opcode != 10:
            raise ValueError("a frame in pieces")

    def send(self, text: str) -> None:
        self._send(0x81, text.encode())

    def _send(self, first: int, payload: bytes) -> None:
        length = len(payload)
        if length < 126:
            head = bytes((first, 128 | length))
        elif length < 65536:
            head = bytes((first, 254)) + length.to_bytes(2, "big")
        else:
            raise ValueError("a client's messages are short")
        if not self.is_gone:
            self.transport.write(head + _NO_MASK + payload)

    def close(self) -> None:
        if not self.is_gone:
            self._send(0x88, (1000).to_bytes(2, "big"))
            self.transport.close()


async def open_socket(
    *,
    port: int,
    path: str,
    cookie: str,
    address: str,
    on_text: Callable[[bytes, int], None],
    is_thin: bool = False,
) -> SocketLine:
    """Open a WebSocket from the loopback `address`. Raises Refused.

    A thin one has small segments and a small window, as far as the kernel allows: data that the
    client does not read then stays in the server and not in the kernel's buffers.
    """
    host = f"127.0.0.1:{port}"
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: YmVuY2ggYmVuY2ggYmVuYw==\r\nAccept-Language: en\r\n\r\n"
    ).encode()
    loop = asyncio.get_running_loop()
    if is_thin:
        raw = socket.socket()
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.bind((address, 0))
        raw.setblocking(False)
        await loop.sock_connect(raw, ("127.0.0.1", port))
        _, line = await loop.create_connection(lambda: SocketLine(request, on_text), sock=raw)
    else:
        _, line = await loop.create_connection(
            lambda: SocketLine(request, on_text), "127.0.0.1", port, local_addr=(address, 0)
        )
    try:
        await asyncio.wait_for(line.opened, 30)
    except TimeoutError:
        line.transport.abort()
        raise
    return line


class FormLine(asyncio.Protocol):
    """One kept HTTP connection, with one request under way at a time."""

    def __init__(self) -> None:
        self._data = b""
        self._answer: asyncio.Future[tuple[int, dict[str, str], bytes]] | None = None
        self.is_gone = False
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        self.is_gone = True
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(Refused("the connection ended without an answer"))

    def data_received(self, data: bytes) -> None:
        self._data += data
        head, end, body = self._data.partition(b"\r\n\r\n")
        if not end or self._answer is None or self._answer.done():
            return
        status, *lines = head.decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in lines)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        if len(body) < int(headers.get("content-length", "0")):
            return
        self._data = b""
        if headers.get("connection", "").lower() == "close":
            self.transport.close()
            self.is_gone = True
        self._answer.set_result((int(status.split()[1]), headers, body))

    def ask(self, request: bytes) -> asyncio.Future[tuple[int, dict[str, str], bytes]]:
        self._answer = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return self._answer


async def form_line(*, port: int, address: str) -> FormLine:
    _, line = await asyncio.get_running_loop().create_connection(
        FormLine, "127.0.0.1", port, local_addr=(address, 0)
    )
    return line


def form_request(
    *,
    port: int,
    path: str,
    cookie: str,
    csrf: str,
    panels: str,
    fields: Mapping[str, str],
    live: str = "0",
) -> bytes:
    """Return the bytes of a form's POST as htmx sends it from a page with a socket."""
    host = f"127.0.0.1:{port}"
    body = urlencode(fields)
    return (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n"
        f"X-CSRFToken: {csrf}\r\nHX-Request: true\r\nX-Panels: {panels}\r\nX-Live: {live}\r\n"
        "Accept-Language: en\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


async def get(port: int, path: str) -> bytes:
    """Return the body of a page. Raises Refused if the status is not 200."""
    line = await form_line(port=port, address="127.0.0.1")
    status, _, body = await line.ask(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    )
    line.transport.close()
    if status != 200:
        raise Refused(f"{path}: {status}")
    return body
