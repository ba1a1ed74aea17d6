"""`manage.py balance`: measures how balanced each edition is between bots, ahead of time."""

import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from games.bots import BASELINE, SKILLED
from games.management.model_files import made_by, write_model
from games.management.progress import Progress
from games.services.balance import FORMAT, GAMES, STANDARD, VERSION, standard_mixes
from games.simulation.balance import Measured, measure_all

_BAD_VALUE: Final = 2


class Command(BaseCommand):
    """Needs no database, and writes one file."""

    help = "Let bots play each edition at each size, and write down what the liberals win."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--games", type=int, default=GAMES, help="games of each mix and kind of bot"
        )
        parser.add_argument("--jobs", type=int, default=1, help="processes that play at once")
        parser.add_argument("--seed", default="1", help="any text; the same seed, the same games")
        parser.add_argument("--out", default=str(STANDARD), help="where to write the results")

    def handle(self, *args: Any, games: int, jobs: int, seed: str, out: str, **given: Any) -> None:
        if games < 1 or jobs < 1:
            self.stderr.write(_("Nothing to play: check --games and --jobs."))
            raise SystemExit(_BAD_VALUE)
        mixes = standard_mixes()
        measured = {
            (mix, kind): Measured(mix.options, mix.players, kind)
            for mix in mixes
            for kind in (BASELINE, SKILLED)
        }
        wins: Counter[Measured] = Counter()
        progress = Progress(games * len(measured), sys.stderr)
        done = 0
        for about, played, won in measure_all(list(measured.values()), games, seed, jobs):
            wins[about] += won
            done += played
            progress.show(done)
        progress.clear()
        data = {
            "format": FORMAT,
            "version": VERSION,
            **made_by(f"manage.py balance --games {games} --seed {seed}"),
            "source": {"games_of_each": games, "baseline": BASELINE, "skilled": SKILLED},
            "mixes": [
                {
                    "editions": editions,
                    "options": mix.noticed,
                    "players": mix.players,
                    "games": games,
                    "baseline": wins[measured[mix, BASELINE]],
                    "skilled": wins[measured[mix, SKILLED]],
                }
                for mix, editions in mixes.items()
            ],
        }
        write_model(Path(out), data, self.stderr)
        self.stdout.write(_("Balance from {games} games: {path}").format(games=done, path=out))
