"""`manage.py win_rates`: counts who wins from each state of the tracks, between bots."""

import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from games.analysis.win_rates import FORMAT, STANDARD, VERSION, TrackState
from games.bots import SKILLED
from games.management.model_files import made_by, write_model
from games.management.progress import Progress
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS
from games.simulation.win_rates import EDITION, count_all

_GAMES: Final = 400
_BAD_VALUE: Final = 2


class Command(BaseCommand):
    """Needs no database, and writes one file."""

    help = "Let bots play each size, and write down who wins from each state of the tracks."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=_GAMES, help="games of each size")
        parser.add_argument("--jobs", type=int, default=1, help="processes that play at once")
        parser.add_argument("--seed", default="1", help="any text; the same seed, the same games")
        parser.add_argument("--out", default=str(STANDARD), help="where to write the results")

    def handle(self, *args: Any, games: int, jobs: int, seed: str, out: str, **given: Any) -> None:
        if games < 1 or jobs < 1:
            self.stderr.write(_("Nothing to play: check --games and --jobs."))
            raise SystemExit(_BAD_VALUE)
        sizes = range(LEAST_PLAYERS, MOST_PLAYERS + 1)
        counts = {size: Counter[TrackState]() for size in sizes}
        wins = {size: Counter[TrackState]() for size in sizes}
        progress = Progress(games * len(sizes), sys.stderr)
        done = 0
        for players, seen, won in count_all(sizes, SKILLED, games, seed, jobs):
            counts[players].update(seen)
            wins[players].update(won)
            done += seen[(0, 0, 0)]
            progress.show(done)
        progress.clear()
        data = {
            "format": FORMAT,
            "version": VERSION,
            **made_by(f"manage.py win_rates --games {games} --seed {seed}"),
            "source": {"games_of_each": games, "bots": SKILLED, "edition": EDITION},
            "columns": ["liberal", "fascist", "tracker", "games", "liberal wins"],
            "players": {
                str(size): [
                    [*state, counts[size][state], wins[size][state]]
                    for state in sorted(counts[size])
                ]
                for size in sizes
            },
        }
        write_model(Path(out), data, self.stderr)
        self.stdout.write(
            _("Winning chances from {games} games: {path}").format(games=done, path=out)
        )
