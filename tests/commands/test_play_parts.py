"""Parts of `play` that a run of the whole command hardly tests."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from config.play.address import Address
from config.play.child import LONGEST_LINE, Child
from config.play.data import DataFolder, run_folder
from config.play.errors import PlayError
from config.play.lifeline import WatcherLifeline, tie_lifeline
from config.play.log import Log
from config.play.probe import Probe
from config.play.processes import Process
from config.play.restarts import Restarts
from config.play.supervisor import STOP_SIGNALS, Supervisor

ROOT = Path(__file__).parent.parent.parent

# A supervisor that prints its child's PID and is killed while the child sleeps.
KILLED = """
import subprocess, sys, time
from config.play.lifeline import KernelLifeline, WatcherLifeline
lifeline = {name}()
child = subprocess.Popen(
    ["sleep", "600"], preexec_fn=lifeline.in_child(), start_new_session=True
)
print(child.pid, flush=True)
time.sleep(600)
"""


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    # A zombie has ended too: it waits for the process that reaps orphans.
    return Path(f"/proc/{pid}/cmdline").exists() and not Path(f"/proc/{pid}/cmdline").read_bytes()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            "KernelLifeline",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="is Linux' own"),
        ),
        "WatcherLifeline",
    ],
)
def test_no_child_outlives_a_killed_supervisor(name: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED.format(name=name)], cwd=ROOT, stdout=subprocess.PIPE
    ) as supervisor:
        assert supervisor.stdout is not None
        pid = int(supervisor.stdout.readline())
        assert not gone(pid)
        supervisor.kill()
    until = time.monotonic() + 5
    while not gone(pid) and time.monotonic() < until:
        time.sleep(0.02)
    assert gone(pid)


def test_a_watcher_leaves_alone_whose_end_it_was_told() -> None:
    lifeline = WatcherLifeline()
    child = subprocess.Popen(
        ["sleep", "600"], preexec_fn=lifeline.in_child(), start_new_session=True
    )
    lifeline.ended(child.pid)
    lifeline.close()
    assert child.poll() is None
    child.kill()
    child.wait()


def start(code: str) -> Child:
    process = Process("daphne", [sys.executable, "-uc", code])
    return Child(process, cwd=ROOT, environment=os.environ, lifeline=tie_lifeline())


def all_lines(child: Child) -> list[bytes]:
    lines: list[bytes] = []
    while not child.said_all:
        lines += child.lines()
        time.sleep(0.01)
    while child.runs():
        time.sleep(0.01)
    return lines


def test_a_process_is_told_line_by_line_the_unfinished_one_too() -> None:
    assert all_lines(start("print('one\\n\\ntwo'); print('three', end='')")) == [
        b"one",
        b"two",
        b"three",
    ]


def test_a_line_without_an_end_fills_no_memory() -> None:
    lines = all_lines(start("print('x' * 1_000_000, end='')"))
    assert max(map(len, lines)) <= LONGEST_LINE
    assert len(lines) > 1


def test_how_a_process_ended_is_told() -> None:
    child = start("raise SystemExit(4)")
    all_lines(child)
    assert child.how_it_ended() == "exit status 4"
    child = start("import time; time.sleep(600)")
    child.kill()
    all_lines(child)
    assert child.how_it_ended() == "killed by SIGKILL"


def test_a_program_that_is_not_there_is_said() -> None:
    with pytest.raises(PlayError, match="worker cannot be started: No such file"):
        Child(
            Process("worker", ["/nowhere/at/all"]),
            cwd=ROOT,
            environment={},
            lifeline=tie_lifeline(),
        )


# Restarts --------------------------------------------------------------------------------------


def test_the_pauses_grow_and_the_fifth_end_within_a_minute_is_the_last() -> None:
    restarts = Restarts()
    pauses = [restarts.pause_after_end(now) for now in (0.0, 10.0, 20.0, 30.0, 59.9)]
    assert pauses == [0.2, 0.5, 1.0, 2.0, None]


def test_an_end_more_than_a_minute_ago_does_not_count() -> None:
    restarts = Restarts()
    pauses = [restarts.pause_after_end(now) for now in (0.0, 10.0, 20.0, 30.0, 60.0, 200.0)]
    assert pauses == [0.2, 0.5, 1.0, 2.0, 2.0, 0.2]


def supervise(*processes: Process) -> tuple[str, str]:
    """Run the processes until the supervisor gives up. Return its reason and the log."""
    reader, writer = os.pipe()
    log = Log(writer, coloured=False)
    address = Address("127.0.0.1", "127.0.0.1", 9)
    supervisor = Supervisor(
        processes,
        cwd=ROOT,
        environment=os.environ,
        log=log,
        probe=Probe(address, "127.0.0.1"),
        ready=lambda: None,
        parent=None,
    )
    handlers = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    try:
        with pytest.raises(PlayError) as given_up:
            supervisor.run()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    log.close()
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        return str(given_up.value), file.read().decode()


def test_one_process_keeps_failing_and_the_others_are_not_restarted(tmp_path: Path) -> None:
    code = f"open({str(tmp_path / 'starts')!r}, 'a').write('x')"
    steady = Process("clock", [sys.executable, "-c", f"{code}; import time; time.sleep(600)"])
    falling = Process("beat", [sys.executable, "-uc", "print('too hot'); raise SystemExit(7)"])
    reason, log = supervise(steady, falling)
    assert reason == "beat ended by itself (exit status 7). Its last lines:\n    too hot"
    assert log.count("beat ended by itself (exit status 7) and is started again.") == 4
    assert log.count("beat   | too hot") == 5
    assert (tmp_path / "starts").read_text() == "x"


def test_a_failed_start_is_retried_too(tmp_path: Path) -> None:
    """The machine may have no process number free; here the program disappears for good."""
    program = tmp_path / "program"
    program.write_text(f'#!{sys.executable}\nimport os\nos.remove("{program}")\n')
    program.chmod(0o755)
    reason, log = supervise(Process("beat", [str(program)]))
    assert reason == "beat cannot be started: No such file or directory."
    # The program's own end, and three failed starts before the last one.
    assert log.count("is started again") == 1
    assert log.count("beat cannot be started") == 3


# The log ---------------------------------------------------------------------------------------


def test_a_log_that_nobody_reads_holds_up_nobody() -> None:
    reader, writer = os.pipe()
    log = Log(writer, coloured=False)
    log.start()
    for __ in range(50_000):
        log.line("worker", b"x" * 200)
    log.close(seconds=0.1)
    assert not log.broken.is_set()
    os.close(reader)


def test_a_log_whose_reader_has_gone_says_so() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    log = Log(writer, coloured=False)
    log.start()
    log.line("worker", b"to nobody")
    assert log.broken.wait(5)
    os.close(writer)


def test_on_a_terminal_each_process_has_its_colour() -> None:
    reader, writer = os.pipe()
    log = Log(writer, coloured=True)
    log.line("worker", b"one")
    log.line("daphne", b"two")
    log.close()
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        first, second = file.read().splitlines()
    assert first != second
    assert first.startswith(b"\x1b[33mworker |")
    assert first.endswith(b"\x1b[0m one")


# The data folder -------------------------------------------------------------------------------


def test_half_a_key_is_made_anew(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    (tmp_path / "secret_key").write_text("")
    folder.make_secret_key()
    assert len((tmp_path / "secret_key").read_text()) >= 50


def test_a_key_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("a key")
    (tmp_path / "secret_key").chmod(0o644)
    DataFolder(tmp_path).make_secret_key()
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "secret_key").read_text() == "a key"


def test_the_database_and_the_files_beside_it_are_nobody_else_s(tmp_path: Path) -> None:
    path = tmp_path / "db.sqlite3"
    before = os.umask(0o022)
    try:
        for _ in range(2):
            DataFolder(tmp_path).make_database()
            connection = sqlite3.connect(path)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("CREATE TABLE IF NOT EXISTS hands (card)")
            made = sorted(tmp_path.iterdir())
            assert [each.name for each in made] == [
                "db.sqlite3",
                "db.sqlite3-shm",
                "db.sqlite3-wal",
            ]
            assert {stat.S_IMODE(each.stat().st_mode) for each in made} == {0o600}
            connection.close()
            # An earlier version created the file with these permissions.
            path.chmod(0o644)
    finally:
        os.umask(before)


def test_the_lock_is_let_go_at_the_end(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    with folder.lock(), pytest.raises(PlayError, match="already"), folder.lock():
        pass
    with folder.lock():
        pass


def test_only_our_own_leftovers_are_removed(tmp_path: Path) -> None:
    theirs = tmp_path / "precious"
    theirs.mkdir()
    folder = DataFolder(tmp_path / "data")
    folder.path.mkdir()
    # A killed site leaves such a note behind.
    folder.note(address="", run_dir=theirs)
    with folder.lock():
        assert theirs.is_dir()


def test_a_sockets_path_is_short_wherever_temporary_files_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 100)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    with run_folder() as path:
        assert len(str(path / "valkey.sock")) < 104
        assert path.stat().st_mode & 0o777 == 0o700
    assert not path.exists()
