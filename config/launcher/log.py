"""The shared log: each line is labelled with the name of its process."""

import os
import queue
import sys
import threading
from contextlib import suppress

# The most lines that wait for a blocked terminal. Beyond it the log loses lines, but the site keeps
# running.
LINES_THAT_WAIT = 5_000
COLOURS = {"play": 1, "daphne": 36, "clock": 34, "worker": 33, "beat": 35, "valkey": 32}
WIDTH = max(map(len, COLOURS))


class Log:
    """A log that a separate thread writes from a queue.

    A terminal stopped by Ctrl-S, or a pipe without a reader, therefore does not block the
    supervisor, which has processes to stop.
    """

    def __init__(self, descriptor: int, *, coloured: bool) -> None:
        self._descriptor = descriptor
        self._coloured = coloured
        self._lines: queue.Queue[bytes] = queue.Queue(LINES_THAT_WAIT)
        self._thread = threading.Thread(target=self._write_all, daemon=True)
        self._thread.start()
        self.broken = False
        """Whether the log's output can no longer be written: its reader has gone."""

    @classmethod
    def on_stdout(cls) -> "Log":
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        return cls(sys.stdout.fileno(), coloured=sys.stdout.isatty() and not plain)

    def say(self, text: str) -> None:
        for line in text.splitlines():
            self.line("play", line.encode(sys.stdout.encoding, "replace"))

    def line(self, name: str, line: bytes) -> None:
        label = f"{name:<{WIDTH}} |"
        if self._coloured:
            label = f"\x1b[{COLOURS.get(name, 1)}m{label}\x1b[0m"
        with suppress(queue.Full):
            self._lines.put_nowait(label.encode() + b" " + line + b"\n")

    def close(self, seconds: float = 0.3) -> None:
        """Wait until the last lines are written, but at most this many seconds."""
        with suppress(queue.Full):
            self._lines.put_nowait(b"")
        self._thread.join(seconds)

    def _write_all(self) -> None:
        try:
            # An empty line is the end. Not `sys.stdout`: this thread would hold its lock while the
            # terminal blocks.
            while line := self._lines.get():
                while line:
                    line = line[os.write(self._descriptor, line) :]
        except OSError:
            self.broken = True
