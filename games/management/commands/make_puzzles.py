"""Write the games of puzzles that come with the program.

    manage.py make_puzzles --games 30

The same series gives the same games, as long as the bots play the same.
"""

import json
from argparse import ArgumentParser
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand

from games.services.puzzles import games_of
from games.state.puzzles import FILE


class Command(BaseCommand):
    help = "Write the games of puzzles that come with the program"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=30)
        parser.add_argument("--series", default="bundled")

    def handle(self, *args: Any, **options: Any) -> None:
        found = []
        for game in islice(games_of(options["series"]), options["games"]):
            found.append(game)
            self.stdout.write(f"{len(found)} of {options['games']}: {game['seed']}")
        text = json.dumps({"games": found}, separators=(",", ":"))
        FILE.write_text(text + "\n", encoding="utf-8")
