"""`manage.py fit_evidence FILE...`: fits the tables of `games/inference` to finished games."""

import hashlib
import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from games.inference.fitting import fit
from games.inference.tables import STANDARD
from games.management.evidence_file import BadFileError, read_games
from games.management.model_files import made_by, write_model
from games.management.progress import Progress

_BAD_FILE: Final = 2


class Command(BaseCommand):
    """Needs no database, and writes one file."""

    help = "Fit the tables of the inference to finished games with claims."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", metavar="FILE", nargs="+", help="gzip'd JSON lines, or several"
        )
        parser.add_argument("--out", default=str(STANDARD), help="where to write the tables")

    def handle(self, *args: Any, files: list[str], out: str, **options: Any) -> None:
        try:
            games = read_games(files)
        except BadFileError as error:
            self.stderr.write(str(error))
            raise SystemExit(_BAD_FILE) from None
        progress = Progress(len(games), sys.stderr)
        tables = fit(games, progress.show)
        progress.clear()
        sizes = Counter(len(game.roles) for game in games)
        tables.about = {
            **made_by("manage.py fit_evidence " + " ".join(Path(file).name for file in files)),
            "source": {
                "games": len(games),
                "by_players": {str(size): sizes[size] for size in sorted(sizes)},
                "sha256": [hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files],
            },
        }
        write_model(Path(out), tables.data(), self.stderr)
        self.stdout.write(_("Tables from {games} games: {path}").format(games=len(games), path=out))
