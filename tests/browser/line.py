"""A person's network connection to the site, which can break and records what it receives."""

import socket
import threading
from contextlib import suppress


class Line:
    """A TCP forwarder on its own port. One thread per connection and direction."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._received: list[bytearray] = []
        self._is_cut = False
        self._swallows = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def mark(self) -> list[int]:
        """Return how many bytes each connection has received so far."""
        with self._lock:
            return [len(heard) for heard in self._received]

    def received(self, until: list[int] | None = None) -> list[str]:
        """Return what the site sent, one text per connection: pages, fragments, frames and headers.

        With `until`, return only what had arrived at that earlier `mark`.
        """
        with self._lock:
            ends = [len(heard) for heard in self._received] if until is None else until
            parts = [bytes(h[:end]) for h, end in zip(self._received, ends, strict=False)]
        return [part.decode("utf-8", "replace") for part in parts]

    def cut(self) -> None:
        """Break all open connections, and refuse new ones."""
        with self._lock:
            self._is_cut = True
            broken = list(self._open)
        for end in broken:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def swallow(self) -> None:
        """Pass nothing on in either direction, while all connections look open."""
        with self._lock:
            self._swallows = True

    def mend(self) -> None:
        with self._lock:
            self._is_cut = self._swallows = False

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                is_cut = self._is_cut
            if is_cut:
                near.close()
                continue
            try:
                far = socket.create_connection(self._target, timeout=10)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            heard = bytearray()
            with self._lock:
                self._open |= {near, far}
                self._received.append(heard)
            threading.Thread(target=self._pass_on, args=(near, far, None), daemon=True).start()
            threading.Thread(target=self._pass_on, args=(far, near, heard), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, heard: bytearray | None) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                with self._lock:
                    if self._swallows:
                        continue
                    if heard is not None:
                        heard += data
                sink.sendall(data)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._open -= {source, sink}
        source.close()
