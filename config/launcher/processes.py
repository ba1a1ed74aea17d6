"""The processes of the site, as `play` starts them. Production starts the same processes."""

import sys
from dataclasses import dataclass
from pathlib import Path

from config.launcher.address import Address


@dataclass(frozen=True)
class Process:
    name: str
    """The process's name in the log."""
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
            # When it is full, it forgets what expires, which is the cache's, and never a task.
            *("--maxmemory", "256mb", "--maxmemory-policy", "volatile-lru"),
        ],
        needed_by_others=True,
    )


def web(address: Address) -> Process:
    return Process(
        "daphne",
        [
            *(sys.executable, "manage.py", "serve"),
            *("--host", address.ip, "--port", str(address.port)),
            # No proxy has to notice the drain, and the whole site has to stop within three seconds.
            *("--grace", "0", "--spread", "0", "--patience", "1.5"),
        ],
    )


def clock() -> Process:
    """Return the worker that serves the alarm clock's queue, and nothing else."""
    return _celery("clock", "worker", *_worker_options("clock"))


def worker() -> Process:
    """Return the worker for tasks that can wait, at a low priority (config/celery.py)."""
    return _celery("worker", "worker", *_worker_options("default"))


def beat(run_dir: Path) -> Process:
    # The next run has no use for the times of the last ticks.
    return _celery("beat", "beat", "--schedule", str(run_dir / "beat"), "--pidfile", "")


def _celery(name: str, *command: str) -> Process:
    celery = [sys.executable, "-m", "celery", "-A", "config", "--quiet"]
    return Process(name, [*celery, *command, "--loglevel", "INFO"])


def _worker_options(queue: str) -> list[str]:
    return [
        *("--queues", queue, "--hostname", f"{queue}@%h"),
        # Threads, so that no grandchild process keeps the log's pipe open.
        *("--pool", "threads", "--concurrency", "2"),
        # The workers need not talk to each other.
        *("--without-gossip", "--without-mingle"),
    ]
