"""The processes that are the site, as `play` starts them. Production starts the same."""

import sys
from dataclasses import dataclass
from pathlib import Path

from config.play.address import Address


@dataclass(frozen=True)
class Process:
    name: str
    """As the log calls it."""
    command: list[str]
    needed_by_others: bool = False


def valkey(binary: Path, socket_path: Path) -> Process:
    return Process(
        "valkey",
        [
            *(str(binary), "--port", "0"),
            *("--unixsocket", str(socket_path), "--unixsocketperm", "700"),
            *("--dir", str(socket_path.parent), "--save", "", "--appendonly", "no"),
            *("--daemonize", "no", "--loglevel", "warning"),
        ],
        needed_by_others=True,
    )


def web(address: Address) -> Process:
    return Process(
        "daphne",
        [
            *(sys.executable, "manage.py", "serve"),
            *("--host", address.ip, "--port", str(address.port)),
            # There is no proxy to notice, and the whole stop has three seconds.
            *("--grace", "0", "--spread", "0", "--patience", "1.5"),
        ],
    )


def worker() -> Process:
    return Process(
        "worker",
        [
            *(sys.executable, "-m", "celery", "-A", "config", "--quiet", "worker"),
            # Threads, so that there are no grandchildren to outlive anybody.
            *("--pool", "threads", "--concurrency", "2", "--loglevel", "INFO"),
            # There are no other workers to get to know first.
            *("--without-gossip", "--without-mingle"),
        ],
    )


def beat(run_dir: Path) -> Process:
    return Process(
        "beat",
        [
            *(sys.executable, "-m", "celery", "-A", "config", "--quiet", "beat"),
            # When each tick was last due is of no use to the next run.
            *("--schedule", str(run_dir / "beat"), "--pidfile", "", "--loglevel", "INFO"),
        ],
    )
