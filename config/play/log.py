"""The one log: each line under the name of the process that said it."""

import os
import queue
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress

# Never more than this waits for a terminal that does not scroll; what is over it is lost
# from the log, and the site runs on.
LINES_THAT_WAIT = 5_000
COLOURS = {"play": "1", "daphne": "36", "worker": "33", "beat": "35", "valkey": "32"}
WIDTH = max(map(len, COLOURS))


class Log:
    """Lines wait in a queue for a thread of their own.

    So a terminal stopped by Ctrl-S, or a pipe that nobody reads, does not hold up
    the supervisor, which has processes to stop.
    """

    def __init__(self, descriptor: int, *, coloured: bool) -> None:
        self._descriptor = descriptor
        self._coloured = coloured
        self._lines: queue.Queue[bytes | None] = queue.Queue(LINES_THAT_WAIT)
        self._thread = threading.Thread(target=self._write_all, daemon=True)
        self.broken = threading.Event()
        """Whoever read the log has gone."""

    @classmethod
    def on_stdout(cls, environment: Mapping[str, str]) -> "Log":
        sys.stdout.flush()
        descriptor = sys.stdout.fileno()
        coloured = os.isatty(descriptor) and not environment.get("NO_COLOR")
        return cls(descriptor, coloured=coloured and environment.get("TERM") != "dumb")

    def start(self) -> None:
        """Not earlier than the last fork: a forked child has no use for our thread's locks."""
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
        """Waits for the last lines to be read, but not for ever."""
        if self._thread.ident is None:
            self._thread.start()
        self._put(None)
        self._thread.join(seconds)

    def _put(self, line: bytes | None) -> None:
        if line is not None and self._thread.ident is None:
            # Nothing runs yet that a stopped terminal could hold up.
            self._write(line)
            return
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            # The oldest line goes; if the writer was quicker, nothing needs to.
            with suppress(queue.Empty):
                self._lines.get_nowait()
            self._lines.put_nowait(line)

    def _write_all(self) -> None:
        while (line := self._lines.get()) is not None and not self.broken.is_set():
            self._write(line)

    def _write(self, line: bytes) -> None:
        try:
            # Not through `sys.stdout`: its lock would be held by us while we wait.
            while line:
                line = line[os.write(self._descriptor, line) :]
        except OSError:
            self.broken.set()
