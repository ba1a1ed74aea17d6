"""`manage.py tournament`: lets kinds of bots play against each other, side by side."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.utils import translation
from django.utils.translation import gettext as _

from games import bots, wording
from games.management.languages import add_language_argument
from games.management.progress import Progress
from games.rules.editions import EDITIONS, options_of
from games.rules.phases import Ending
from games.simulation.tournament import Pairing, Score, play

_BAD_VALUE: Final = 2


class Command(BaseCommand):
    """Needs no database, and writes no file."""

    help = "Let kinds of bots play against each other, and count what each side wins."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--liberals", nargs="+", default=bots.names(), choices=bots.names())
        parser.add_argument("--fascists", nargs="+", default=bots.names(), choices=bots.names())
        parser.add_argument("--edition", nargs="+", default=["en"], choices=tuple(EDITIONS))
        parser.add_argument("--players", nargs="+", type=int, help="all that the rules allow")
        parser.add_argument("--games", type=int, default=100, help="games of each pairing")
        parser.add_argument("--jobs", type=int, default=1, help="processes that play at once")
        parser.add_argument("--seed", default="1", help="any text; the same seed, the same games")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        add_language_argument(parser)

    def handle(self, *args: Any, language: str, **given: Any) -> None:
        with translation.override(language):
            pairings = _pairings(given)
            if not pairings or given["games"] < 1 or given["jobs"] < 1:
                self.stderr.write(_("Nothing to play: check --players, --games and --jobs."))
                raise SystemExit(_BAD_VALUE)
            scores = self._scores(pairings, given)
            if given["json"]:
                self.stdout.write(json.dumps({"pairings": [_data(*item) for item in scores]}))
            else:
                self.stdout.write("\n".join(_table(scores)))

    def _scores(
        self, pairings: Sequence[Pairing], given: dict[str, Any]
    ) -> list[tuple[Pairing, Score]]:
        scores = {pairing: Score() for pairing in pairings}
        progress = Progress(given["games"] * len(pairings), sys.stderr)
        done = 0
        for pairing, part in play(pairings, given["games"], given["seed"], given["jobs"]):
            score = scores[pairing]
            score.endings += part.endings
            score.liberal_wins += part.liberal_wins
            done += part.games
            progress.show(done)
        progress.clear()
        return list(scores.items())


def _pairings(given: dict[str, Any]) -> list[Pairing]:
    found = []
    for edition in given["edition"]:
        least, most = options_of(edition).players
        for players in given["players"] or range(least, most + 1):
            if least <= players <= most:
                found += [
                    Pairing(edition, players, liberals, fascists)
                    for liberals in given["liberals"]
                    for fascists in given["fascists"]
                ]
    return found


def _data(pairing: Pairing, score: Score) -> dict[str, Any]:
    low, high = score.interval
    return {
        "edition": pairing.edition,
        "players": pairing.players,
        "liberals": pairing.liberals,
        "fascists": pairing.fascists,
        "games": score.games,
        "liberals_win": score.liberal_wins / score.games,
        "interval_95": [low, high],
        "endings": {str(ending): score.endings[ending] for ending in Ending},
    }


def _table(scores: Sequence[tuple[Pairing, Score]]) -> Iterator[str]:
    yield _("The liberals win, with the 95 % interval; then how the games end")
    head = None
    for pairing, score in scores:
        if (pairing.edition, pairing.players) != head:
            head = pairing.edition, pairing.players
            yield ""
            yield _("{edition}, {players} players, {games} games of each pairing").format(
                edition=wording.edition_name(pairing.edition),
                players=pairing.players,
                games=score.games,
            )
        low, high = score.interval
        endings = " ".join(f"{score.endings[ending] / score.games:>4.0%}" for ending in Ending)
        yield (
            f"{pairing.liberals:>9} - {pairing.fascists:<9} "
            f"{score.liberal_wins / score.games:>6.1%} ({low:.1%} - {high:.1%})   {endings}"
        )
