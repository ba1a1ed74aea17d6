"""No child outlives the supervisor, not even a killed one, which cannot clean up.

Linux does it: each child asks the kernel to be killed when its parent dies
(PR_SET_PDEATHSIG), between fork and exec.

Elsewhere a watcher process holds the reading end of a pipe. Each child writes its number to it
between fork and exec, and the only writing end that stays open is the supervisor's, so the
pipe's end is the supervisor's end: the watcher then kills the groups of all whose end
it was not told, and ends itself. It is this file, run as a program.
"""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1


class KernelLifeline:
    def __init__(self) -> None:
        # Looked up here: after the fork as little as possible should happen.
        self._prctl = ctypes.CDLL(None).prctl

    def in_child(self) -> Callable[[], None]:
        """What the child has to call between fork and exec."""
        prctl, parent = self._prctl, os.getpid()

        def tie() -> None:
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:
                # It died before we asked; the kernel will not tell.
                os._exit(1)

        return tie

    def ended(self, pid: int) -> None:
        """Nothing to do: the kernel knows."""

    def close(self) -> None:
        """Nothing to do: each child has its own."""


class WatcherLifeline:
    def __init__(self) -> None:
        self._watcher = subprocess.Popen(  # noqa: S603  this very file
            [sys.executable, "-I", "-S", __file__], stdin=subprocess.PIPE, start_new_session=True
        )
        assert self._watcher.stdin is not None
        self._pipe = self._watcher.stdin.fileno()

    def in_child(self) -> Callable[[], None]:
        pipe = self._pipe
        return lambda: _write(pipe, f"+{os.getpid()}\n")

    def ended(self, pid: int) -> None:
        _write(self._pipe, f"-{pid}\n")

    def close(self) -> None:
        assert self._watcher.stdin is not None
        self._watcher.stdin.close()
        self._watcher.wait()


Lifeline = KernelLifeline | WatcherLifeline


def tie_lifeline() -> Lifeline:
    return KernelLifeline() if sys.platform == "linux" else WatcherLifeline()


def _write(pipe: int, line: str) -> None:
    # So few bytes are written whole or not at all.
    os.write(pipe, line.encode())


def watch() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Whoever ends the supervisor ends us by it, and not before it.
        signal.signal(number, signal.SIG_IGN)
    running: set[int] = set()
    for line in sys.stdin:
        change, pid = line[0], int(line[1:])
        if change == "+":
            running.add(pid)
        else:
            running.discard(pid)
    for pid in running:
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


if __name__ == "__main__":
    watch()
