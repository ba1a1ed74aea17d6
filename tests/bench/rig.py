"""The real processes, each on its core: Valkey, Daphne with the site, Daphne with the echo.

Linux only: it pins processes with sched_setaffinity and reads figures from /proc.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

from config.launcher.address import choose_address
from config.launcher.lifeline import Lifeline
from config.launcher.processes import Process, valkey
from config.launcher.valkey import find_valkey

ROOT = Path(__file__).resolve().parent.parent.parent
SITE = "config.asgi:application"
COUNTED_SITE = "tests.bench.counted:application"
ECHO = "tests.bench.echo:application"
_TICKS = os.sysconf("SC_CLK_TCK")
# In seconds.
_LONGEST_START = 120.0


@dataclass(frozen=True, slots=True)
class Cores:
    """The cores to run on. `server` and `client` must differ, or a figure means nothing."""

    server: int
    client: int
    # The core of a second web process, if any. On a small machine the client shares it.
    second: int

    @property
    def is_second_shared(self) -> bool:
        return self.second == self.client


def choose_cores(*, is_timed: bool) -> Cores:
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        if not is_timed:
            return Cores(cores[0], cores[0], cores[0])
        raise SystemExit("The bench needs two cores: one for the server and one for the client.")
    return Cores(cores[0], cores[1], cores[2] if len(cores) > 2 else cores[1])


@dataclass
class Running:
    """A process of the rig."""

    name: str
    popen: subprocess.Popen[bytes]
    log: Path
    core: int
    port: int = 0
    words_read: int = field(default=0)

    @property
    def pid(self) -> int:
        return self.popen.pid

    def cpu(self) -> float:
        """Return the seconds of CPU used so far."""
        return cpu_seconds(self.pid)

    def rss(self) -> int:
        """Return the bytes of memory in use."""
        for line in Path(f"/proc/{self.pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise RuntimeError(f"{self.name} has no memory")

    def complaints(self) -> list[str]:
        """Return the errors and warnings logged since the last call."""
        with self.log.open(encoding="utf-8", errors="replace") as file:
            file.seek(self.words_read)
            lines = file.read().splitlines()
            self.words_read = file.tell()
        return [
            line for line in lines if line.startswith(("ERROR", "WARNING", "CRITICAL", "Traceback"))
        ]


@dataclass(frozen=True, slots=True)
class Cluster:
    """A PostgreSQL server: one process per connection, all children of the first."""

    pid: int
    core: int

    def cpu(self) -> float:
        """Return the seconds of CPU used so far, including connections that have ended."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii")
        ticks = sum(_stat(self.pid)[11:15])
        for child in children.split():
            with suppress(FileNotFoundError, ProcessLookupError):
                ticks += sum(_stat(int(child))[11:13])
        return ticks / _TICKS


def cpu_seconds(pid: int) -> float:
    """Return the seconds of CPU that a process has used so far."""
    return sum(_stat(pid)[11:13]) / _TICKS


def _stat(pid: int) -> list[int]:
    """Return /proc/<pid>/stat after the name, with 0 as the state; 11 and 12 are CPU ticks."""
    text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    return [0, *map(int, text.rpartition(")")[2].split()[1:])]


class Rig:
    """One database, one Valkey, and the web processes that a figure needs."""

    def __init__(self, *, folder: Path, environment: dict[str, str], cores: Cores) -> None:
        self.folder = folder
        self.cores = cores
        self._environment = environment
        self.lifeline = Lifeline()
        self._started = 0
        self.valkey: Running
        self.cluster: Cluster | None = None

    @property
    def behind(self) -> list[Running | Cluster]:
        """The processes that serve the web processes."""
        return [self.valkey] if self.cluster is None else [self.valkey, self.cluster]

    def start(self, process: Process, *, core: int, port: int = 0) -> Running:
        self._started += 1
        log = self.folder / f"{process.name}-{self._started}.log"
        with log.open("wb") as file:
            popen = subprocess.Popen(
                process.command,
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                process_group=self.lifeline.group,
                preexec_fn=lambda: os.sched_setaffinity(0, {core}),
            )
        return Running(process.name, popen, log, core, port)

    @contextmanager
    def web(self, application: str = SITE, *, core: int | None = None) -> Iterator[Running]:
        """Start a Daphne with `application` on the server that `play` uses, ready to answer."""
        address = choose_address("127.0.0.1", 0)
        where = ["--host", address.ip, "--port", str(address.port)]
        command = [sys.executable, "-m", "tests.bench.serve", application, *where]
        process = Process("daphne", command)
        running = self.start(
            process, core=self.cores.server if core is None else core, port=address.port
        )
        try:
            _wait_for(running)
            yield running
        finally:
            stop(running)


def stop(running: Running) -> None:
    running.popen.terminate()
    try:
        running.popen.wait(5)
    except subprocess.TimeoutExpired:
        running.popen.kill()
        running.popen.wait()


def _wait_for(running: Running) -> None:
    # On a busy machine a server can take half a minute to start.
    end = time.monotonic() + _LONGEST_START
    while time.monotonic() < end:
        if running.popen.poll() is not None:
            break
        try:
            with urlopen(f"http://127.0.0.1:{running.port}/", timeout=20) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.05)
    words = running.log.read_text(encoding="utf-8", errors="replace")[-3000:]
    raise RuntimeError(f"{running.name} does not answer. Its last words:\n{words}")


@contextmanager
def rig(*, postgres: bool = False, is_timed: bool = True) -> Iterator[Rig]:
    """Start a fresh database and a Valkey.

    Sets this process up for Django on that database, too, and pins it to the client's core.
    Runs that only count and take no times may share a core.
    """
    cores = choose_cores(is_timed=is_timed)
    database: Cluster | None = None
    with ExitStack() as until_the_end:
        folder = Path(tempfile.mkdtemp(prefix="bench-"))
        until_the_end.callback(shutil.rmtree, folder, ignore_errors=True)
        here = {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "CHANCELLERY_DATA": str(folder),
            "SECRET_KEY": "a key for the length of a bench",
            "LOG_LEVEL": "WARNING",
            # One machine plays all the users here.
            "LIMITS": "off",
            # No player runs out of time, however long a bench takes.
            "PACE_SCALE": "60",
            "NIGHT_SECONDS": "0",
            "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        }
        os.environ.pop("REDIS_URL", None)
        if postgres:
            from tests.postgres.cluster import cluster, find_postgres

            programs = find_postgres()
            if programs is None:
                raise SystemExit("There is no PostgreSQL on this machine.")
            os.sched_setaffinity(0, {cores.server})
            here["DATABASE_URL"] = url = until_the_end.enter_context(cluster(programs))
            note = Path(url.partition("host=")[2]) / "data" / "postmaster.pid"
            pid = int(note.read_text(encoding="ascii").split()[0])
            database = Cluster(pid, cores.server)
        os.sched_setaffinity(0, {cores.client})
        os.environ |= here
        _prepare()
        socket = folder / "valkey.sock"
        environment = {**os.environ, "REDIS_URL": f"unix://{socket}", "PYTHONUNBUFFERED": "1"}
        made = Rig(folder=folder, environment=environment, cores=cores)
        until_the_end.callback(made.lifeline.close)
        made.cluster = database
        made.valkey = made.start(valkey(find_valkey(), socket), core=cores.server)
        until_the_end.callback(stop, made.valkey)
        while not socket.exists():
            if made.valkey.popen.poll() is not None:
                raise RuntimeError(made.valkey.log.read_text(encoding="utf-8"))
            time.sleep(0.02)
        yield made


def _prepare() -> None:
    import django

    django.setup()

    from config.launcher.prepare import collect_static, prepare_catalogs, prepare_database

    prepare_catalogs()
    prepare_database()
    collect_static()


@dataclass
class Usage:
    """The resources that a block of code used; filled in when it ends."""

    seconds: float = 0.0
    # CPU seconds of the server's processes.
    server: float = 0.0
    # The share of its core that the client used.
    client_share: float = 0.0
    # The share of the server's core that other programs used: noise.
    others_share: float = 0.0


@contextmanager
def usage(server: Sequence[Running | Cluster], core: int) -> Iterator[Usage]:
    used = Usage()
    begun, own, others = time.perf_counter(), time.process_time(), _busy(core)
    before = [running.cpu() for running in server]
    try:
        yield used
    finally:
        used.seconds = time.perf_counter() - begun
        took = [running.cpu() - at for running, at in zip(server, before, strict=True)]
        used.server = sum(took)
        here = sum(cpu for cpu, running in zip(took, server, strict=True) if running.core == core)
        used.client_share = (time.process_time() - own) / used.seconds
        used.others_share = max(0.0, (_busy(core) - others - here) / used.seconds)


def _busy(core: int) -> float:
    """Return the seconds during which the core was busy."""
    for line in Path("/proc/stat").read_text(encoding="ascii").splitlines():
        name, *numbers = line.split()
        if name == f"cpu{core}":
            ticks = [int(number) for number in numbers[:8]]
            return (sum(ticks) - ticks[3] - ticks[4]) / _TICKS
    return 0.0


def python_profiler() -> str:
    found = shutil.which("py-spy", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if found is None:
        raise SystemExit("--profile needs py-spy: .venv/bin/pip install py-spy")
    return found
