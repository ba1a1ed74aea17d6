"""Parts of `play` that a run of the whole command hardly tests."""

import asyncio
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from config.launcher.data import DataFolder, run_folder
from config.launcher.errors import PlayError
from config.launcher.lifeline import Lifeline
from config.launcher.log import Log
from config.launcher.processes import Process
from config.launcher.supervisor import (
    LONGEST_LINE,
    STOP_SIGNALS,
    Supervisor,
    how_it_ended,
    lines_of,
)

ROOT = Path(__file__).parent.parent.parent

# A supervisor that prints the PIDs of its children, one stopped, and is killed.
KILLED = """
import os, signal, subprocess, time
from config.launcher.lifeline import Lifeline
lifeline = Lifeline()
children = [
    subprocess.Popen(["sleep", "600"], process_group=lifeline.group) for __ in range(2)
]
os.kill(children[0].pid, signal.SIGSTOP)
print(*(child.pid for child in children), flush=True)
time.sleep(600)
"""


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    # A zombie has ended too: it waits for the process that reaps orphans.
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z"


def wait_until_gone(*pids: int) -> None:
    until = time.monotonic() + 5
    while not all(map(gone, pids)) and time.monotonic() < until:
        time.sleep(0.02)
    assert all(map(gone, pids))


def test_no_child_outlives_a_killed_supervisor() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED], cwd=ROOT, stdout=subprocess.PIPE
    ) as supervisor:
        assert supervisor.stdout is not None
        pids = [int(word) for word in supervisor.stdout.readline().split()]
        assert not any(map(gone, pids))
        supervisor.kill()
    wait_until_gone(*pids)


def test_a_closed_lifeline_leaves_no_child() -> None:
    lifeline = Lifeline()
    child = subprocess.Popen(["sleep", "600"], process_group=lifeline.group)
    lifeline.close()
    assert child.wait(5) == -signal.SIGKILL


def test_a_closed_lifeline_spares_other_processes() -> None:
    other = subprocess.Popen(["sleep", "600"])
    Lifeline().close()
    assert other.poll() is None
    other.kill()
    other.wait()


# Output ----------------------------------------------------------------------------------------


def output_of(code: str) -> tuple[list[bytes], str]:
    """Return the lines of a Python program, as the log gets them, and how it ended."""

    async def run() -> tuple[list[bytes], str]:
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-uc", code), stdout=subprocess.PIPE, limit=LONGEST_LINE
        )
        assert child.stdout is not None
        lines = [line async for line in lines_of(child.stdout)]
        return lines, how_it_ended(await child.wait())

    return asyncio.run(run())


def test_a_process_is_told_line_by_line_the_unfinished_one_too() -> None:
    lines, __ = output_of("print('one\\n\\ntwo'); print('three', end='')")
    assert lines == [b"one", b"two", b"three"]


def test_a_line_without_an_end_fills_no_memory() -> None:
    lines, __ = output_of("print('x' * 1_000_000, end='')")
    assert max(map(len, lines)) <= LONGEST_LINE
    assert b"".join(lines) == b"x" * 1_000_000


def test_how_a_process_ended_is_told() -> None:
    assert output_of("raise SystemExit(4)") == ([], "exit status 4")
    assert output_of("import os; os.kill(os.getpid(), 9)") == ([], "killed by SIGKILL")


# Restarts --------------------------------------------------------------------------------------


async def wait_forever() -> None:
    await asyncio.Event().wait()


def supervise(
    *processes: Process, announce: Callable[[], Awaitable[None]] = wait_forever
) -> tuple[str, str]:
    """Run the processes until the supervisor gives up. Return its reason and the log."""
    reader, writer = os.pipe()
    log = Log(writer, coloured=False)
    supervisor = Supervisor(processes, environment=os.environ, log=log)
    handlers = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    try:
        with pytest.raises(PlayError) as given_up:
            asyncio.run(supervisor.run(announce))
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
    assert reason == "beat stopped unexpectedly (exit status 7). Its last lines:\n    too hot"
    assert log.count("beat stopped unexpectedly (exit status 7). Restarting it.") == 4
    assert log.count("beat   | too hot") == 5
    assert (tmp_path / "starts").read_text() == "x"


def test_the_pauses_grow_and_the_fifth_end_within_a_minute_is_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("config.launcher.supervisor.PAUSES", (0.1, 0.2, 0.4, 0.8))
    began = time.monotonic()
    __, log = supervise(Process("beat", ["false"]))
    assert log.count("Restarting it") == 4
    assert time.monotonic() - began >= 1.5


def test_an_end_more_than_a_minute_ago_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.launcher.supervisor.MINUTE", 0.1)
    starts = tmp_path / "starts"
    code = f"open({str(starts)!r}, 'a').write('x')"

    async def enough() -> None:
        while not starts.exists() or len(starts.read_text()) < 7:
            await asyncio.sleep(0.02)
        raise PlayError("enough")

    reason, log = supervise(Process("beat", [sys.executable, "-c", code]), announce=enough)
    assert reason == "enough"
    assert log.count("Restarting it") >= 6


def test_a_failed_start_is_retried_too(tmp_path: Path) -> None:
    """The machine may have no process number free; here the program disappears for good."""
    program = tmp_path / "program"
    program.write_text(f'#!{sys.executable}\nimport os\nos.remove("{program}")\n')
    program.chmod(0o755)
    reason, log = supervise(Process("beat", [str(program)]))
    assert reason == "Can’t start beat: No such file or directory."
    # The program's own end, and three failed starts before the last one.
    assert log.count("Restarting it") == 1
    assert log.count("Can’t start beat") == 3


# The log ---------------------------------------------------------------------------------------


def test_a_log_that_no_one_reads_holds_up_no_one() -> None:
    reader, writer = os.pipe()
    log = Log(writer, coloured=False)
    for __ in range(50_000):
        log.line("worker", b"x" * 200)
    log.close(seconds=0.1)
    assert not log.broken
    os.close(reader)


def test_a_log_whose_reader_has_gone_says_so() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    log = Log(writer, coloured=False)
    log.line("worker", b"to nobody")
    until = time.monotonic() + 5
    while not log.broken and time.monotonic() < until:
        time.sleep(0.02)
    assert log.broken
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


def test_the_database_and_the_files_beside_it_are_no_one_else_s(tmp_path: Path) -> None:
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
