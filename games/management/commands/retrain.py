"""`manage.py retrain FILE...`: makes all files of models anew from finished games of people."""

import subprocess
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games.services.balance import GAMES


class Command(BaseCommand):
    """Needs no database, and writes the files that the single commands write."""

    help = "Fit all models to finished games with claims, and measure the balance with them."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", metavar="FILE", nargs="+", help="gzip'd JSON lines, or several"
        )
        parser.add_argument(
            "--games", type=int, default=GAMES, help="games of each mix and kind for the balance"
        )
        parser.add_argument("--jobs", type=int, default=1, help="processes that play at once")

    def handle(self, *args: Any, files: list[str], games: int, jobs: int, **given: Any) -> None:
        # The habits are fitted with the tables, and bots play with both. So each step reads what
        # the one before it has written, in a process of its own.
        for step in steps(files, games, jobs):
            self.stdout.write("manage.py " + " ".join(step))
            self.stdout.flush()
            command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *step]
            done = subprocess.run(command, check=False)  # noqa: S603  the file names are its user’s own
            if done.returncode:
                raise SystemExit(done.returncode)


def steps(files: list[str], games: int, jobs: int) -> list[list[str]]:
    """Return the commands in the order in which they depend on each other."""
    return [
        ["fit_evidence", *files],
        ["fit_habits", *files],
        ["balance", "--games", str(games), "--jobs", str(jobs)],
        ["win_rates", "--games", str(games), "--jobs", str(jobs)],
    ]
