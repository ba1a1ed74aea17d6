"""How the pages about finished games perform: `make bench ARGS=archive`.

Fills one database with 1,000 finished games and another with 100,000 (12 million actions), lets the
site's own commands derive statistics and ratings and write the dump of a month, and
measures the server's time for each page. The goals: p95 at most 150 ms of processor time, and the
same number of SQL statements with 100,000 games as with 1,000. The processor time leaves out what
other programs do meanwhile; on a quiet machine it is close to the time on the clock, which is
printed beside it.

It prints the peak memory of each step too. The databases stand in the folder for temporary files
(with --folder, elsewhere), and are deleted at the end.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bench.report import Figure, Report
from tests.bench.rig import ROOT

GOAL_MS = 150.0
_FEW = 1000
_LOADER = ("-m", "tests.bench.archive_loader", "--games")
_COMMANDS = ("rebuild_statistics", "rebuild_ratings", "dump")


@contextmanager
def _database(*, is_postgres: bool, parent: Path | None) -> Iterator[dict[str, str]]:
    """Yield the environment of a site with an empty database."""
    from tests.postgres.cluster import cluster, find_postgres

    folder = Path(tempfile.mkdtemp(prefix="archive-", dir=parent))
    here = {
        "CHANCELLERY_DATA": str(folder),
        "SECRET_KEY": "a key for the length of a bench",
        "LOG_LEVEL": "ERROR",
        "LIMITS": "off",
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
    }
    rest = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    try:
        if not is_postgres:
            yield rest | here
            return
        programs = find_postgres()
        if programs is None:
            raise SystemExit("There is no PostgreSQL on this machine.")
        # The server runs as another user if this one is root.
        folder.chmod(0o711)
        with cluster(programs, folder) as url:
            yield rest | here | {"DATABASE_URL": url}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(arguments: Sequence[str], environment: dict[str, str]) -> tuple[list[str], float, float]:
    """Run Python. Return the lines it prints, its seconds, and its peak memory in MB."""
    begun = time.perf_counter()
    with tempfile.TemporaryFile("w+") as printed:
        # Its progress goes to the terminal.
        child = subprocess.Popen(
            [sys.executable, *arguments], cwd=ROOT, env=environment, stdout=printed
        )
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise SystemExit(f"{' '.join(arguments)} ended with status {child.returncode}")
        printed.seek(0)
        lines = printed.read().splitlines()
    return lines, time.perf_counter() - begun, used.ru_maxrss / 1024


def _measure(report: Report, games: int, options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Fill a database, run the commands on it, and return what the pages took."""
    report.begin(f"{games:,} games")
    with _database(is_postgres=options.postgres, parent=options.folder) as environment:
        steps = [(*_LOADER, str(games)), *(("manage.py", name) for name in _COMMANDS)]
        for step, name in zip(steps, ("loader", *_COMMANDS), strict=True):
            lines, seconds, memory = _run(step, environment)
            report.note(f"{name}: {lines[-1] if lines else ''}")
            report.add(Figure(f"{name}, {games:,} games, s", seconds))
            report.add(Figure(f"{name}, {games:,} games, peak memory", memory, "MB"))
        pages = ("-m", "tests.bench.archive_pages", "--rounds", str(options.rounds))
        lines, _, _ = _run(pages, environment)
    return {page["page"]: page for page in map(json.loads, lines)}


def _written(page: dict[str, Any]) -> str:
    return " or ".join(map(str, page["statements"]))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.archive",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=40, help="requests for each page")
    parser.add_argument("--postgres", action="store_true", help="PostgreSQL in place of SQLite")
    parser.add_argument("--folder", type=Path, help="where the databases stand meanwhile")
    parser.add_argument("--json", type=Path, help="adds a line for each figure to this file")
    options = parser.parse_args(arguments)
    database = "PostgreSQL" if options.postgres else "SQLite"
    print(database)
    report = Report(options.json, {"database": database, "games": options.games})
    few = _measure(report, _FEW, options)
    many = _measure(report, options.games, options)
    report.begin(f"Pages with {options.games:,} games")
    grown = 0
    for name, page in many.items():
        before = few[name]
        report.add(Figure(f"{name}, p95, processor ms", page["processor_p95"], goal=GOAL_MS))
        report.note(
            f"{before['processor_p95']} ms with {_FEW:,} games; on the clock p50 {page['p50']} ms, "
            f"p95 {page['p95']} ms; statements: {_written(page)}, with {_FEW:,} games "
            f"{_written(before)}"
        )
        grown += page["statements"] != before["statements"]
    report.add(Figure("pages with another number of statements", grown, goal=0))
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
