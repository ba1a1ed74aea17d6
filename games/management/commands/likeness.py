"""`manage.py likeness FILE...`: counts how often bots would do what people did."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games import bots
from games.bots.reasoning.habits import playing_by
from games.management.evidence_file import BadFileError, read_records
from games.management.habit_fitting import choices_of, fit
from games.management.languages import add_language_argument
from games.management.likeness import MOVES, Found, count, data
from games.management.progress import Progress
from games.rules.knowledge import Knowledge
from games.rules.record import Record

_BAD_VALUE: Final = 2
_KINDS: Final = tuple(dict.fromkeys((bots.SKILLED, bots.SIMPLE, bots.BASELINE)))
_NAMES: Final = {
    "nomination": gettext_noop("nominations"),
    "vote": gettext_noop("votes"),
    "discard": gettext_noop("discards"),
    "enactment": gettext_noop("enactments"),
    "target": gettext_noop("targets of powers"),
    "veto": gettext_noop("vetoes"),
}

_Games = Sequence[tuple[Record, tuple[Knowledge, ...]]]


class Command(BaseCommand):
    """Needs no database, and writes no file."""

    help = "Count how often bots would do what people did, with the same view."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", metavar="FILE", nargs="+", help="gzip'd JSON lines, or several"
        )
        parser.add_argument("--kinds", nargs="+", default=_KINDS, choices=bots.names())
        parser.add_argument("--games", type=int, help="only so many games, the first ones")
        parser.add_argument(
            "--unseen",
            action="store_true",
            help="let reasoning bots play each half of the games by the habits of the other half",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        add_language_argument(parser)

    def handle(self, *args: Any, files: list[str], language: str, **given: Any) -> None:
        with translation.override(language):
            try:
                games = read_records(files)[: given["games"]]
                if not games or (given["games"] or 1) < 1 or (given["unseen"] and len(games) < 2):
                    raise BadFileError(_("Too few games: check --games."))
            except BadFileError as error:
                self.stderr.write(str(error))
                raise SystemExit(_BAD_VALUE) from None
            found = _found(games, given["kinds"], given["unseen"])
            told = data(found, given["kinds"])
            if given["json"]:
                about = {"games": len(games), "unseen": given["unseen"]}
                self.stdout.write(json.dumps(about | {"kinds": told}))
            else:
                self.stdout.write("\n".join(_table(told, len(games), given["unseen"])))


def _found(games: _Games, kinds: Sequence[str], unseen: bool) -> Found:
    found: Found = {}
    progress = Progress(len(games) * (1 + unseen), sys.stderr)
    numbered = list(enumerate(games))
    if not unseen:
        _count(numbered, kinds, found, progress, 0)
    else:
        by_game = []
        for number, (record, claims) in numbered:
            by_game.append(list(choices_of(record, claims)))
            progress.show(number + 1)
        for half in (0, 1):
            others = fit(choice for choices in by_game[1 - half :: 2] for choice in choices)
            with playing_by(others):
                done = len(games) + half * ((len(games) + 1) // 2)
                _count(numbered[half::2], kinds, found, progress, done)
    progress.clear()
    return found


def _count(
    numbered: Sequence[tuple[int, tuple[Record, tuple[Knowledge, ...]]]],
    kinds: Sequence[str],
    found: Found,
    progress: Progress,
    done: int,
) -> None:
    for number, (record, claims) in numbered:
        count(number, record, claims, kinds, found)
        done += 1
        progress.show(done)


def _table(told: dict[str, Any], games: int, unseen: bool) -> Iterator[str]:
    yield _(
        "In {games} games, the share of people’s moves that each kind of bot finds likeliest, "
        "with the 95 % interval"
    ).format(games=games)
    if unseen:
        yield _("Reasoning bots play each half of the games by the habits of the other half.")
    for move in MOVES:
        rows = {kind: row[move] for kind, row in told.items() if move in row}
        if not rows:
            continue
        yield ""
        n = next(iter(rows.values()))["n"]
        yield _("{moves}: {n}").format(moves=_(_NAMES[move]), n=n)
        for kind, row in rows.items():
            low, high = row["interval_95"]
            yield f"  {kind:<9} {row['share']:>6.1%} ({low:.1%} - {high:.1%})"
