"""The shared log: each line is labelled with the name of its process."""

import os
import queue
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress

# The most lines that wait for a blocked terminal. Beyond it the log loses lines, but the site keeps
# running.
LINES_THAT_WAIT = 5_000
COLOURS = {
    "play": "1",
    "daphne": "36",
    "clock": "34",
    "worker": "33",
    "beat": "35",
    "valkey": "32",
}
WIDTH = max(map(len, COLOURS))


class Log:
    """A log that a separate thread writes from a queue.

    A terminal stopped by Ctrl-S, or a pipe without a reader, therefore does not block the
    supervisor, which has processes to stop.
    """

    def __init__(self, descriptor: int, *, coloured: bool) -> None:
        self._descriptor = descriptor
        self._coloured = coloured
        self._lines: queue.Queue[bytes | None] = queue.Queue(LINES_THAT_WAIT)
        self._thread = threading.Thread(target=self._write_all, daemon=True)
        self.broken = threading.Event()
        """Set when the log's output can no longer be written: its reader has gone."""

    @classmethod
    def on_stdout(cls, environment: Mapping[str, str]) -> "Log":
        sys.stdout.flush()
        descriptor = sys.stdout.fileno()
        coloured = os.isatty(descriptor) and not environment.get("NO_COLOR")
        return cls(descriptor, coloured=coloured and environment.get("TERM") != "dumb")

    def start(self) -> None:
        """Write lines in the thread from now on. Before, they are written at once."""
        self._thread.start()

    def say(self, text: str) -> None:
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        for line in text.splitlines():
            self.line("play", line.encode(encoding, "replace"))

    def line(self, name: str, line: bytes) -> None:
        label = f"{name:<{WIDTH}} |"
        if self._coloured:
            label = f"\x1b[{COLOURS.get(name, '1')}m{label}\x1b[0m"
        self._put(label.encode() + b" " + line + b"\n")

    def close(self, seconds: float = 0.3) -> None:
        """Wait until the last lines are written, but at most this many seconds."""
        if self._thread.ident is None:
            self._thread.start()
        self._put(None)
        self._thread.join(seconds)

    def _put(self, line: bytes | None) -> None:
        if line is not None and self._thread.ident is None:
            # No processes run yet, so a blocked terminal does no harm.
            self._write(line)
            return
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            # Drop the oldest line, unless the writer has emptied the queue meanwhile.
            with suppress(queue.Empty):
                self._lines.get_nowait()
            self._lines.put_nowait(line)

    def _write_all(self) -> None:
        while (line := self._lines.get()) is not None and not self.broken.is_set():
            self._write(line)

    def _write(self, line: bytes) -> None:
        try:
            # Not `sys.stdout`: this thread would hold its lock while the terminal blocks.
            while line:
                line = line[os.write(self._descriptor, line) :]
        except OSError:
            self.broken.set()
