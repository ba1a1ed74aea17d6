"""The whole site as `manage.py play` starts it, on its own core, with its default limits."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.bench.rig import cpu_seconds

# Variables of the caller's environment to drop: the bench measures the defaults.
_OWN = ("LIMIT", "REDIS_URL", "DATABASE_URL", "WEB_THREADS", "WEB_QUEUE", "ACCESS_LOG", "SITE_URL")


@dataclass(frozen=True, slots=True)
class Part:
    """A process of the site. `core` is None if it may run on every core."""

    name: str
    pid: int
    core: int | None

    def cpu(self) -> float:
        """Return the seconds of CPU used so far, or 0 for a process that has ended."""
        with suppress(OSError):
            return cpu_seconds(self.pid)
        return 0.0


@dataclass(frozen=True, slots=True)
class Played:
    port: int
    log: Path
    pid: int
    core: int | None

    @property
    def parts(self) -> list[Part]:
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii")
        return [Part(_name_of(pid), int(pid), self.core) for pid in children.split()]

    @property
    def web(self) -> Part:
        return next(part for part in self.parts if part.name == "web")

    def cpu(self) -> dict[str, float]:
        """Return the seconds of CPU used so far, by the name of the process."""
        used: dict[str, float] = {}
        for part in self.parts:
            used[part.name] = used.get(part.name, 0.0) + part.cpu()
        return used

    def errors(self) -> list[str]:
        """Return the lines of the log that report a failure."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return [line for line in lines if "ERROR" in line or "Traceback" in line]


def _name_of(pid: str) -> str:
    with suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        for word, name in ((b"serve", "web"), (b"worker", "worker"), (b"beat", "beat")):
            if word in words:
                return name
    return "valkey"


@contextmanager
def played_site(*, core: int | None, client_core: int) -> Iterator[Played]:
    """Play in a fresh folder, on `core` or on all; this process moves to `client_core`.

    Sets up Django in this process on the same database.
    """
    from tests.browser.conftest import Site

    class PinnedSite(Site):
        @property
        def pid(self) -> int:
            return self._process.pid

    folder = Path(tempfile.mkdtemp(prefix="abuse-"))
    data = folder / "data"
    for name in [name for name in os.environ if name.startswith(_OWN)]:
        del os.environ[name]
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "CHANCELLERY_DATA": str(data),
        "SECRET_KEY": "a key for the length of a bench",
        "LOG_LEVEL": "WARNING",
        "LIMITS": "on",
        # Otherwise tables that people read or play at would move by themselves.
        "PACE_SCALE": "60",
        "NIGHT_SECONDS": "0",
    }
    everywhere = os.sched_getaffinity(0)
    if core is not None:
        os.sched_setaffinity(0, {core})
    try:
        site = PinnedSite(data)
        try:
            os.sched_setaffinity(0, {client_core} if core is not None else everywhere)
            import django

            django.setup()
            yield Played(site.port, site.log, site.pid, core)
        finally:
            site.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
