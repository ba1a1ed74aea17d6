"""Ends all children when the supervisor dies, even by SIGKILL, when it cannot clean up."""

import subprocess


class Lifeline:
    """A process group that lives no longer than this process.

    Its leader is a shell that waits for the end of a pipe from this process, and then kills the
    whole group, itself included.
    """

    def __init__(self) -> None:
        self._leader = subprocess.Popen(
            ["/bin/sh", "-c", "trap '' HUP INT TERM; read _; kill -9 0"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={},
            process_group=0,
        )
        self.group = self._leader.pid
        """Start children with `process_group` set to it. Ctrl-C at the terminal spares them."""

    def close(self) -> None:
        """Kill every process of the group."""
        if self._leader.stdin is not None:
            self._leader.stdin.close()
        self._leader.wait()
