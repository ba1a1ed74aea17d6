"""The site of the command `play`, in processes of its own."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.prepared import keep, lay

ROOT = Path(__file__).parent.parent.parent
READY = re.compile(r"The site is ready: (http://\S+)")


# An environment variable of every process that these tests' `play` starts, also of orphans.
MARK = "CHANCELLERY_TEST_MARK"


linux = pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")


class Play:
    """One `play` in its own process."""

    def __init__(
        self,
        data: Path,
        log_folder: Path,
        *arguments: str,
        through: tuple[str, ...] = (),
        **env: str,
    ) -> None:
        self.mark = f"{os.getpid()}.{time.monotonic_ns()}"
        self.data = data
        self.run_dir = "unknown"
        lay(data)
        self.log = log_folder / f"{self.mark}.log"
        command = [sys.executable, str(ROOT / "manage.py"), "play", "--data", str(data)]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*through, *command, *(arguments or ("--port", "0"))],
                cwd=ROOT,
                env=without_settings() | {"LC_ALL": "C", MARK: self.mark} | env,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def said(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def url(self) -> str:
        """Wait until the site says that it is ready; return its URL."""
        wait_for(lambda: READY.search(self.said()) or self.process.poll() is not None, 180)
        found = READY.search(self.said())
        assert found, self.said()
        self.run_dir = json.loads((self.data / "play.lock").read_text())["run_dir"]
        keep(self.data)
        return found[1]

    def ends(self) -> int:
        return self.process.wait(timeout=60)

    def family(self) -> dict[int, str]:
        """Return the running processes of this `play`, itself included: PID and command line.

        They are found by the mark in their environment, since orphans have another parent. Valkey
        overwrites its environment with its title, and has its socket's path in the title.
        """
        found = {}
        mark = f"{MARK}={self.mark}".encode()
        for place in Path("/proc").glob("[0-9]*"):
            try:
                environment = (place / "environ").read_bytes().split(b"\0")
                command = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            # A zombie process has no command line.
            if command and (mark in environment or self.run_dir in command):
                found[int(place.name)] = command
        return found

    def member(self, word: str) -> int:
        return next(pid for pid, command in self.family().items() if word in command)

    def other_than(self, pid: int, word: str) -> bool:
        """Return whether a process with this word runs that is not `pid`."""
        return any(word in command for other, command in self.family().items() if other != pid)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(timeout=15)
        if sys.platform == "linux":
            wait_for(lambda: not self.family(), 5)
        # Otherwise only the next start with this data folder would remove it.
        shutil.rmtree(self.run_dir, ignore_errors=True)


def without_settings() -> dict[str, str]:
    """Return the environment without the settings of a developer's own site."""
    own = {"REDIS_URL", "DATABASE_URL", "SECRET_KEY", "ALLOWED_HOSTS", "DEBUG", "SITE_URL"}
    return {name: value for name, value in os.environ.items() if name not in own}


def wait_for(what: Callable[[], object], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not what() and time.monotonic() < until:
        time.sleep(0.02)


def status_of(url: str) -> int:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.status


def answers(url: str) -> bool:
    with suppress(OSError):
        return status_of(url) == 200
    return False


VICTIMS = {
    "valkey": "valkey-server",
    "daphne": "manage.py serve",
    "clock": "--queues clock",
    "worker": "--queues default",
    "beat": "celery -A config --quiet beat",
}
