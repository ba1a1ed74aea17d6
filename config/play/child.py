"""One running process: its output, line by line, and its exit."""

import os
import signal
import subprocess
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from django.utils.translation import gettext as _

from config.play.errors import PlayError
from config.play.lifeline import Lifeline
from config.play.processes import Process

# A longer line is split, so that a process that never ends its line cannot fill the memory.
LONGEST_LINE = 16 * 1024
LAST_LINES = 15


class Child:
    def __init__(
        self, process: Process, *, cwd: Path, environment: Mapping[str, str], lifeline: Lifeline
    ) -> None:
        self.name = process.name
        self.needed_by_others = process.needed_by_others
        self.last_lines: deque[bytes] = deque(maxlen=LAST_LINES)
        self._rest = b""
        self._asked_to_end = False
        self._lifeline = lifeline
        try:
            self._popen = subprocess.Popen(  # noqa: S603  our own command lines
                process.command,
                cwd=cwd,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                # A session of its own: the terminal's Ctrl-C goes to the supervisor only,
                # which stops the processes in order.
                start_new_session=True,
                preexec_fn=lifeline.in_child(),
            )
        except OSError as error:
            raise PlayError(
                _("%(name)s cannot be started: %(reason)s.")
                % {"name": self.name, "reason": error.strerror}
            ) from error
        assert self._popen.stdout is not None
        self.pipe = self._popen.stdout.fileno()
        os.set_blocking(self.pipe, False)
        self.said_all = False

    @property
    def pid(self) -> int:
        return self._popen.pid

    def runs(self) -> bool:
        if self._popen.returncode is not None:
            return False
        if self._popen.poll() is None:
            return True
        self._lifeline.ended(self.pid)
        return False

    def lines(self) -> Iterator[bytes]:
        """Yield the complete lines since the last call, and after the exit also a partial one."""
        while not self.said_all:
            try:
                part = os.read(self.pipe, 64 * 1024)
            except BlockingIOError:
                return
            self.said_all = not part
            *whole, self._rest = (self._rest + part).split(b"\n")
            yield from (self._kept(line) for line in whole if line.strip())
            if self._rest and (self.said_all or len(self._rest) > LONGEST_LINE):
                yield self._kept(self._rest)
                self._rest = b""

    def _kept(self, line: bytes) -> bytes:
        line = line.rstrip(b"\r")[:LONGEST_LINE]
        self.last_lines.append(line)
        return line

    def terminate(self) -> None:
        """Send SIGTERM, but only once: at a second one Celery would abandon its running tasks."""
        if not self._asked_to_end:
            self._asked_to_end = True
            self._popen.terminate()

    def kill(self) -> None:
        # Kill the whole process group, in case the process has children of its own.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Close the pipe of the child's output; nothing more is read from it."""
        assert self._popen.stdout is not None
        self.said_all = True
        self._popen.stdout.close()

    def how_it_ended(self) -> str:
        status = self._popen.returncode
        if status < 0:
            return _("killed by %(signal)s") % {"signal": signal.Signals(-status).name}
        return _("exit status %(status)s") % {"status": status}
