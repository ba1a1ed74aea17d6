"""The server's time for each page about finished games, on the database of DATABASE_URL.

    DATABASE_URL=sqlite:////tmp/archive.sqlite3 python -m tests.bench.archive_pages --rounds 40

Requests go through the middleware, views, database and templates of this process, without a
network. Caches are empty before each request, and each request for a game asks for another game.
Prints a line of JSON for each page.

The processor time of a request is that of this process, and on PostgreSQL that of the server's
process for this connection, too. Other programs on the machine do not count in it.
"""

import argparse
import gc
import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from tests.bench.archive_addresses import pages_of
from tests.bench.report import quantile

if TYPE_CHECKING:
    from django.test import Client


@dataclass(frozen=True, slots=True)
class Measured:
    """The milliseconds of a page, and its numbers of SQL statements."""

    page: str
    p50: float
    p95: float
    processor_p95: float
    # Every number that a request has needed, in order. Like requests need one number.
    statements: tuple[int, ...]


def measure(client: "Client", visitor: "Client", rounds: int, only: str = "") -> Iterator[Measured]:
    """Ask for each page this many times, with caches that hold nothing of it.

    `client` is signed in, `visitor` is not: addresses that any cache may keep are asked for by it.
    `only` is a part of the names of the pages that are asked for.
    """
    from django.core.cache import cache

    from accounts.site.switches import forget_switches
    from games import panels
    from games.state import positions
    from tests.bench.counting import counting

    # Load templates and catalogs first.
    client.get("/statistics/")
    for name, address in pages_of(Random("pages")).items():
        if only not in name:
            continue
        times: list[float] = []
        processor: list[float] = []
        statements: set[int] = set()
        for number in range(rounds + 1):
            path = address()
            asks = visitor if path.startswith("/api/") or "/feed/" in path else client
            cache.clear()
            positions.forget_all()
            panels.forget_all()
            forget_switches()
            with counting() as counts:
                busy, begun = _processor_seconds(), time.perf_counter()
                answer = asks.get(path)
                asked = len(counts.statements)
                # A file is sent in parts, with a statement for each.
                size = sum(map(len, answer))
                seconds, busy = time.perf_counter() - begun, _processor_seconds() - busy
            if answer.status_code != 200 or not size:
                raise RuntimeError(f"{path}: {answer.status_code}, {size} bytes")
            # The first request also loads the templates.
            if number:
                times.append(1000 * seconds)
                processor.append(1000 * busy)
                statements.add(asked)
        yield Measured(
            name,
            round(quantile(times, 0.5), 1),
            round(quantile(times, 0.95), 1),
            round(quantile(processor, 0.95), 1),
            tuple(sorted(statements)),
        )


def _processor_seconds() -> float:
    """Return the processor time so far of this process and of its PostgreSQL connection."""
    from django.db import connection

    used = time.process_time()
    if connection.vendor == "postgresql":
        connection.ensure_connection()
        schedule = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")
        used += int(schedule.read_text(encoding="ascii").split()[0]) / 1e9
    return used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--only", default="", help="a part of the names of pages")
    given = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["LIMITS"] = "off"
    import django

    django.setup()
    from django.conf import settings
    from django.test import Client
    from django.test.utils import setup_test_environment

    from accounts.models import User

    setup_test_environment()
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    client = Client()
    client.force_login(User.objects.order_by("pk")[0])
    client.get("/archive/")
    # As `config.serving.server` does.
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 10, 50)
    for measured in measure(client, Client(), given.rounds, given.only):
        print(json.dumps(asdict(measured)), flush=True)


if __name__ == "__main__":
    main()
