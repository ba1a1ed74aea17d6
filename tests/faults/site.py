"""The site's real processes, and their faults: killed, kept down, and started again.

The commands are those of `manage.py play`; the supervisor is another, since that of `play`
gives up on processes that are killed too often, and cannot keep any down.
"""

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from config.launcher import processes
from config.launcher.address import Address
from config.launcher.lifeline import Lifeline
from config.launcher.valkey import find_valkey
from tests.postgres.cluster import find_postgres, memory, unprivileged_user
from tests.prepared import migrate_postgres, migrate_sqlite

ROOT = Path(__file__).parent.parent.parent
Database = Literal["sqlite", "postgres"]
DATABASES: tuple[Database, ...] = ("sqlite", "postgres")
# `make nightly` breaks the site on PostgreSQL too. Tests that do not depend on the database's
# behaviour run on both only in the long form.
IS_LONG = bool(os.environ.get("FAULTS_LONG"))
BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.nightly)]
EITHER = DATABASES if IS_LONG else DATABASES[:1]
SECONDS_TO_START = 180
# Seconds between a process's end and its next start.
PAUSE_BEFORE_START = 0.3
_OWN = {"REDIS_URL", "DATABASE_URL", "SECRET_KEY", "ALLOWED_HOSTS", "DEBUG", "CHANCELLERY_DATA"}


@dataclass
class Part:
    """A process that is kept running while it is wanted."""

    command: Sequence[str | Path]
    user: int | None = None
    popen: subprocess.Popen[bytes] | None = None
    is_wanted: bool = True
    ended_at: float | None = None
    started_at: float = 0.0
    # Monotonic times: (ended, running again and answering).
    downtimes: list[tuple[float, float]] = field(default_factory=list)

    def runs(self) -> bool:
        return self.popen is not None and self.popen.poll() is None


class Site:
    """Web, clock, worker, beat, Valkey, and PostgreSQL if asked for. A context manager.

    `hints_through` is the path of a socket between the web processes and Valkey: hints.py.
    """

    def __init__(self, database: Database, *, hints_through: str = "", **settings: str) -> None:
        self.database = database
        # Not in pytest's folder: a socket's path is limited to about a hundred bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="site-", dir=memory()))
        self.valkey_socket = self.folder / "valkey.sock"
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in _OWN},
            "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
            "CHANCELLERY_DATA": str(self.folder),
            "SECRET_KEY": secrets.token_hex(32),
            "REDIS_URL": f"unix://{self.valkey_socket}",
            "DATABASE_URL": f"sqlite:///{self.folder / 'db.sqlite3'}",
            # Programs beside the site keep one connection per thread.
            "DATABASE_POOL_MAX": "24",
            "PYTHONUNBUFFERED": "1",
            **settings,
        }
        self._web_environment = dict(self.environment)
        if hints_through:
            self._web_environment["REDIS_URL"] = f"unix://{hints_through}"
        address = Address("127.0.0.1", "127.0.0.1", self.port)
        self.parts: dict[str, Part] = {}
        if database == "postgres":
            self._make_cluster()
        self.parts |= {
            "valkey": Part(processes.valkey(find_valkey(), self.valkey_socket).command),
            "beat": Part(processes.beat(self.folder).command),
            "clock": Part(processes.clock().command),
            "worker": Part(processes.worker().command),
            "web": Part(processes.web(address).command),
        }
        self._lifeline = Lifeline()
        self._lock = threading.Lock()
        self._beside: subprocess.Popen[str] | None = None
        self._asking = threading.Lock()
        self._is_over = threading.Event()
        self._supervisor = threading.Thread(target=self._supervise, daemon=True)

    def __enter__(self) -> "Site":
        try:
            for name in self.parts:
                self.parts[name].is_wanted = name in ("postgres", "valkey")
            self._supervisor.start()
            self._wait(self._has_database, "its database")
            if self.database == "postgres":
                migrate_postgres(self.environment["DATABASE_URL"])
            else:
                migrate_sqlite(self.folder / "db.sqlite3")
            for part in self.parts.values():
                part.is_wanted = True
            self.wait_until_it_answers()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        if self._supervisor.is_alive():
            self._supervisor.join()
        if self._beside is not None:
            # Closing its standard input ends the process.
            self._beside.communicate(timeout=20)
        for name, part in reversed(self.parts.items()):
            if part.popen is not None and part.runs():
                # SIGQUIT makes PostgreSQL end at once, with all its children.
                part.popen.send_signal(signal.SIGQUIT if name == "postgres" else signal.SIGKILL)
                part.popen.wait(timeout=20)
        self._lifeline.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    # Faults ----------------------------------------------------------------------------------

    @property
    def victims(self) -> tuple[str, ...]:
        parts = ("web", "clock", "worker", "beat", "valkey")
        return (*parts, "postgres", "backend") if self.database == "postgres" else parts

    def kill(self, name: str) -> bool:
        """Kill with SIGKILL; "backend" is one of PostgreSQL's. Return whether there was one."""
        if name == "backend":
            return self._kill_a_backend()
        with self._lock:
            part = self.parts[name]
            if not part.runs():
                return False
            assert part.popen is not None
            part.popen.kill()
            part.popen.wait()
        return True

    def keep_down(self, *names: str) -> None:
        for name in names:
            self.parts[name].is_wanted = False
            self.kill(name)

    def let_up(self, *names: str) -> None:
        for name in names:
            self.parts[name].ended_at = None
            self.parts[name].is_wanted = True

    def suspend(self, name: str) -> None:
        """Let a part and its children hang: their connections stay open, and nothing answers."""
        self._signal(name, signal.SIGSTOP)

    def resume(self, name: str) -> None:
        self._signal(name, signal.SIGCONT)

    def _signal(self, name: str, number: int) -> None:
        popen = self.parts[name].popen
        assert popen is not None
        # The parent first: it starts no more children.
        os.kill(popen.pid, number)
        for pid, _ in self._children(name):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _kill_a_backend(self) -> bool:
        for pid, title in self._children("postgres"):
            if title.startswith(b"postgres: chancellery"):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    return True
        return False

    def _children(self, name: str) -> Iterator[tuple[int, bytes]]:
        """Yield the process ID and the command line of each child of a part."""
        popen = self.parts[name].popen
        assert popen is not None
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError, IndexError, ValueError):
                parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
                title = (place / "cmdline").read_bytes()
                if parent == popen.pid:
                    yield int(place.name), title

    # Questions -------------------------------------------------------------------------------

    def wait_until_it_answers(self) -> None:
        self._wait(self._answers, "its web process")

    def run(self, *command: str, stdin: str = "") -> str:
        """Run a Python program in the site's environment and return its output."""
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=self.environment,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}: {done.stdout[-2000:]} {done.stderr[-4000:]}"
        return done.stdout

    def ask(self, module: str, *, alone: bool = False, **question: Any) -> Any:
        """Ask a module of tests.faults, in a process beside the site: beside.py.

        `alone`: in a process of its own, which may take long or change its settings.
        """
        line = json.dumps([module, question])
        if alone:
            return json.loads(self.run("-m", "tests.faults.beside", stdin=line))
        with self._asking:
            if self._beside is None:
                self._beside = self._start_beside()
            assert self._beside.stdin and self._beside.stdout
            print(line, file=self._beside.stdin, flush=True)
            answer = self._beside.stdout.readline()
            if not answer:
                self._beside = None
                raise AssertionError(f"{module}: {self.log('beside')[-4000:]}")
            return json.loads(answer)

    def _start_beside(self) -> subprocess.Popen[str]:
        with (self.folder / "beside.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "tests.faults.beside"],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )

    def log(self, name: str) -> str:
        path = self.folder / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def errors(self) -> list[str]:
        """Return log lines that no kill explains: writers that did not queue for each other."""
        return [
            f"{name}: {line}"
            for name in self.parts
            for line in self.log(name).splitlines()
            if "database is locked" in line or "deadlock detected" in line
        ]

    # Supervision ------------------------------------------------------------------------------

    def _supervise(self) -> None:
        while not self._is_over.wait(0.02):
            for name, part in self.parts.items():
                with self._lock:
                    self._look_after(name, part)

    def _look_after(self, name: str, part: Part) -> None:
        if part.runs() or not part.is_wanted:
            return
        now = time.monotonic()
        if part.popen is not None and part.ended_at is None:
            part.ended_at = now
        if part.ended_at is None or now - part.ended_at >= PAUSE_BEFORE_START:
            self._start(name, part)
            part.ended_at = None

    def _start(self, name: str, part: Part) -> None:
        if name == "valkey":
            self.valkey_socket.unlink(missing_ok=True)
        with (self.folder / f"{name}.log").open("ab") as log:
            part.popen = subprocess.Popen(
                [str(word) for word in part.command],
                cwd=ROOT if part.user is None else "/",
                env=self._web_environment if name == "web" else self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                user=part.user,
                group=part.user and _gid(part.user),
                extra_groups=None if part.user is None else [],
                process_group=self._lifeline.group,
            )
        part.started_at = time.monotonic()

    def _make_cluster(self) -> None:
        programs = find_postgres()
        if programs is None:
            pytest.skip("there is no PostgreSQL here (Debian: apt-get install postgresql)")
        user = unprivileged_user()
        data = self.folder / "pg" / "data"
        data.parent.mkdir()
        self.folder.chmod(0o755)
        if user:
            shutil.chown(data.parent, user.pw_name)
        subprocess.run(
            [
                *(programs / "initdb", "-D", data, "--no-sync"),
                *("-U", "chancellery", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"),
            ],
            check=True,
            cwd="/",
            user=user.pw_uid if user else None,
            group=user.pw_gid if user else None,
            extra_groups=[] if user else None,
            env={"PATH": os.defpath, "LC_ALL": "C"},
            stdout=subprocess.DEVNULL,
        )
        self.parts["postgres"] = Part(
            [
                *(programs / "postgres", "-D", data, "-k", data.parent),
                *("-c", "listen_addresses=", "-c", "max_connections=200"),
                # No disk fails here, but a killed server must keep what it has committed.
                *("-c", "fsync=off", "-c", "synchronous_commit=on"),
            ],
            user=user.pw_uid if user else None,
        )
        url = f"postgres://chancellery@/postgres?host={data.parent}"
        self.environment["DATABASE_URL"] = self._web_environment["DATABASE_URL"] = url

    def _has_database(self) -> bool:
        if not self.valkey_socket.exists():
            return False
        if self.database == "sqlite":
            return True
        programs = find_postgres()
        assert programs is not None
        socket_folder = str(self.folder / "pg")
        ready = [programs / "pg_isready", "-h", socket_folder, "-q"]
        return subprocess.run(ready, check=False).returncode == 0

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/account/sign-in/", timeout=10) as answer:
                return bool(answer.status == 200)
        except (OSError, urllib.error.URLError):
            return False

    def _wait(self, what: Any, name: str) -> None:
        until = time.monotonic() + SECONDS_TO_START
        while not what():
            if time.monotonic() > until:
                logs = "\n".join(self.log(part)[-2000:] for part in self.parts)
                raise AssertionError(f"the site waits for {name}:\n{logs}")
            time.sleep(0.1)


def _gid(uid: int) -> int:
    import pwd

    return pwd.getpwuid(uid).pw_gid


def _free_port() -> int:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
