"""Ends all children when the supervisor dies, even by SIGKILL, when it cannot clean up.

On Linux the kernel does it: between fork and exec, each child asks to be killed when its parent
dies (PR_SET_PDEATHSIG).

Elsewhere a watcher process holds the reading end of a pipe. Each child writes its process ID to
the pipe between fork and exec. The only writing end that stays open is the supervisor's, so that
the watcher sees the end of the pipe when the supervisor has ended. It then kills the process
groups of all children that were not reported as ended, and exits. The watcher runs this file as a
program.
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
        # Looked up here, because as little as possible should happen after the fork.
        self._prctl = ctypes.CDLL(None).prctl

    def in_child(self) -> Callable[[], None]:
        """Return the function that the child has to call between fork and exec."""
        prctl, parent = self._prctl, os.getpid()

        def tie() -> None:
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:
                # The parent died before the call above, so the kernel will send no signal.
                os._exit(1)

        return tie

    def ended(self, pid: int) -> None:
        """Nothing to do: the kernel knows."""

    def close(self) -> None:
        """Nothing to do: each child has its own request with the kernel."""


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
    # A write of so few bytes to a pipe is atomic.
    os.write(pipe, line.encode())


def watch() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # The watcher has to outlive the supervisor: it exits when the pipe ends, not at a signal.
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
