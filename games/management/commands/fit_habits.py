"""`manage.py fit_habits FILE...`: fits the habits of reasoning bots to finished games of people."""

import hashlib
import sys
from argparse import ArgumentParser
from math import exp, log
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from games.bots.reasoning.habits import STANDARD
from games.management.evidence_file import BadFileError, read_records
from games.management.habit_fitting import Choice, choices_of, fit, probabilities
from games.management.model_files import made_by, write_model
from games.management.progress import Progress

_BAD_FILE: Final = 2
_LEAST: Final = 1e-9


class Command(BaseCommand):
    """Needs no database, and writes one file."""

    help = "Fit the habits of reasoning bots to finished games with claims."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", metavar="FILE", nargs="+", help="gzip'd JSON lines, or several"
        )
        parser.add_argument("--out", default=str(STANDARD), help="where to write the habits")

    def handle(self, *args: Any, files: list[str], out: str, **options: Any) -> None:
        try:
            games = read_records(files)
        except BadFileError as error:
            self.stderr.write(str(error))
            raise SystemExit(_BAD_FILE) from None
        progress = Progress(len(games), sys.stderr)
        by_game: list[list[Choice]] = []
        for number, (record, claims) in enumerate(games, 1):
            by_game.append(list(choices_of(record, claims)))
            progress.show(number)
        progress.clear()
        self.stdout.write(_("Choices that habits fitted to the other half of the games foresee:"))
        for line in _scores(by_game):
            self.stdout.write(line)
        habits = fit(choice for choices in by_game for choice in choices)
        habits.about = {
            **made_by("manage.py fit_habits " + " ".join(Path(file).name for file in files)),
            "source": {
                "games": len(games),
                "sha256": [hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files],
            },
        }
        write_model(Path(out), habits.data(), self.stderr)


def _scores(by_game: list[list[Choice]]) -> list[str]:
    """Return for each choice how often the likeliest option was taken, in games not fitted."""
    found: dict[str, list[float]] = {}
    for half in (0, 1):
        fitted = fit(choice for choices in by_game[1 - half :: 2] for choice in choices)
        for choice in (choice for choices in by_game[half::2] for choice in choices):
            shares = probabilities(dict(fitted.weights.get(choice.key, {})), choice)
            row = found.setdefault(choice.key, [0.0, 0.0, 0.0])
            row[0] += 1
            row[1] += shares[choice.taken] == max(shares)
            row[2] -= log(max(shares[choice.taken], _LEAST))
    return [
        f"{key:<20} {int(n):>6}  {right / n:>6.1%}  {exp(-loss / n):.3f}"
        for key, (n, right, loss) in sorted(found.items())
    ]
