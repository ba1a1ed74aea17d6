"""The server's time for each page about finished games, on the database of DATABASE_URL.

    DATABASE_URL=sqlite:////tmp/archive.sqlite3 python -m tests.bench.archive_pages --rounds 40

Requests go through the middleware, views, database and templates of this process, without a
network. Each request for a game asks for another game, so nothing is in a cache. Prints a line of
JSON for each page.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from random import Random
from typing import TYPE_CHECKING

from tests.bench.report import quantile

if TYPE_CHECKING:
    from django.test import Client

# Requests ask for other games and people, some of which need this many statements more: a game
# in which the viewer sat, for example.
VARIES = 2


@dataclass(frozen=True, slots=True)
class Measured:
    page: str
    p50: float
    p95: float
    # The most of any request.
    statements: int


def pages_of(random: Random) -> dict[str, Callable[[], str]]:
    """Return the pages, each with a function that gives an address for the next request."""
    from accounts.models import User
    from games.models import Table, UploadedRecord, Visibility
    from games.selectors.ratings import SCOPES

    public = Table.objects.filter(visibility=Visibility.PUBLIC, spectators=True, stage="over")
    newest = Table.objects.order_by("-pk").values_list("pk", flat=True)[0]
    keys = list(User.objects.order_by("pk").values_list("person_key", flat=True)[:20])
    uploads = list(UploadedRecord.objects.values_list("code", flat=True))

    def of_game(path: str) -> Callable[[], str]:
        def address() -> str:
            first = random.randint(1, newest)
            code = public.filter(pk__gte=first).order_by("pk").values_list("code", flat=True)
            return path.format(code=code.first() or public.values_list("code", flat=True)[0])

        return address

    pages: dict[str, Callable[[], str]] = {
        "truth": of_game("/tables/{code}/truth/"),
        "replay, first step": of_game("/tables/{code}/replay/"),
        "replay, step 40": of_game("/tables/{code}/replay/?move=40&eyes="),
        "replay, last step": of_game("/tables/{code}/replay/?move=999&eyes=all"),
        "proof": of_game("/tables/{code}/proof/"),
        "record": of_game("/tables/{code}/record/"),
        "own games": lambda: "/games/",
        "own games, lost": lambda: "/games/?result=lost",
        "own games, rarest": lambda: "/games/?edition=it&size=5&company=bots",
        "own games, old": lambda: f"/games/?before={newest // 20}",
        "person": lambda: f"/people/{random.choice(keys)}/",
        "statistics": lambda: "/statistics/",
        "leaderboard": lambda: "/ratings/",
        "leaderboard of friends": lambda: "/ratings/?friends=on",
        "leaderboards by scope": lambda: f"/ratings/?scope={random.choice(SCOPES)}",
        "dumps": lambda: "/dumps/",
        "fairness": lambda: "/fairness/",
        "uploads": lambda: "/records/",
    }
    if uploads:
        pages["uploaded replay"] = lambda: f"/records/{random.choice(uploads)}/"
    return pages


def measure(client: "Client", rounds: int) -> Iterator[Measured]:
    """Ask for each page this many times, with caches that hold nothing of it."""
    from django.core.cache import cache

    from games.state import positions
    from tests.bench.counting import counting

    # Load templates and catalogs first.
    client.get("/fairness/")
    for name, address in pages_of(Random("pages")).items():
        times, statements = [], 0
        for number in range(rounds + 1):
            path = address()
            cache.clear()
            positions.forget_all()
            with counting() as counts:
                begun = time.perf_counter()
                answer = client.get(path)
                seconds = time.perf_counter() - begun
            if answer.status_code != 200:
                raise RuntimeError(f"{path}: {answer.status_code}")
            if number:
                times.append(1000 * seconds)
                statements = max(statements, len(counts.statements))
        p50, p95 = quantile(times, 0.5), quantile(times, 0.95)
        yield Measured(name, round(p50, 1), round(p95, 1), statements)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
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
    for measured in measure(client, given.rounds):
        print(json.dumps(asdict(measured)), flush=True)


if __name__ == "__main__":
    main()
