"""`manage.py evidence FILE...`: scores the inference on finished games with claims."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from games.inference.assignments import HITLER, LIBERAL
from games.inference.corpus import AnnotatedGame, moments
from games.inference.fitting import fit
from games.inference.scores import Predictions, auc, scores
from games.inference.tables import Tables, standard_tables
from games.management.evidence_file import BadFileError, read_games
from games.management.progress import Progress

_BAD_VALUE: Final = 2
_QUESTIONS: Final = ("fascist", "hitler")
_VIEWS: Final = ("public", "liberal")


class Command(BaseCommand):
    """Needs no database, and writes no files."""

    help = "Score the inference on finished games with claims."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", metavar="FILE", nargs="+", help="gzip'd JSON lines, or several"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument(
            "--folds",
            type=int,
            metavar="N",
            help="score each of N groups of games by tables fitted to the other groups",
        )

    def handle(self, *args: Any, files: list[str], folds: int | None, **options: Any) -> None:
        try:
            games = read_games(files)
            if folds is not None and not 2 <= folds <= len(games):
                raise BadFileError(
                    _("--folds: from 2 to the number of games, {games}.").format(games=len(games))
                )
        except BadFileError as error:
            self.stderr.write(str(error))
            raise SystemExit(_BAD_VALUE) from None
        told = _scored(games, folds)
        if options["json"]:
            self.stdout.write(json.dumps(told))
        else:
            self.stdout.write("\n".join(_report(told)))


def _scored(games: Sequence[AnnotatedGame], folds: int | None) -> dict[str, Any]:
    found = {(q, view): Predictions() for q in _QUESTIONS for view in _VIEWS}
    last = {view: Predictions() for view in _VIEWS}
    progress = Progress(len(games), sys.stderr)
    groups = folds or 1
    done = 0
    for group in range(groups):
        tables = _tables(games, group, folds)
        for number in range(group, len(games), groups):
            _score_game(number, games[number], tables, found, last)
            done += 1
            progress.show(done)
    progress.clear()
    result: dict[str, Any] = {
        q: {view: scores(found[q, view]) for view in _VIEWS if len(found[q, view])}
        for q in _QUESTIONS
    }
    result["before_final_action"] = {
        "fascist": {view: {"auc": auc(last[view]), "n": len(last[view])} for view in _VIEWS}
    }
    result["seat_moments"] = len(found["fascist", "public"])
    result["games"] = len(games)
    result["folds"] = folds
    return result


def _tables(games: Sequence[AnnotatedGame], group: int, folds: int | None) -> Tables:
    if folds is None:
        return standard_tables()
    return fit([game for i, game in enumerate(games) if i % folds != group])


def _score_game(
    number: int,
    game: AnnotatedGame,
    tables: Tables,
    found: dict[tuple[str, str], Predictions],
    last: dict[str, Predictions],
) -> None:
    liberals = [seat for seat, role in enumerate(game.roles) if role == LIBERAL]
    for viewer in (None, *liberals):
        view = "public" if viewer is None else "liberal"
        for moment in moments(game, viewer, tables):
            belief = moment.belief
            for seat, role in enumerate(game.roles):
                # A liberal knows the own role, which would only flatter the score.
                if seat == viewer:
                    continue
                fascist = belief.fascist(seat)
                if moment.is_last:
                    last[view].add(fascist, role != LIBERAL, number)
                    continue
                found["fascist", view].add(fascist, role != LIBERAL, number)
                found["hitler", view].add(belief.hitler(seat), role == HITLER, number)


def _report(told: dict[str, Any]) -> Iterator[str]:
    yield _("Games: {games}; moments, counted for each seat: {moments}").format(
        games=told["games"], moments=told["seat_moments"]
    )
    for question in _QUESTIONS:
        for view, row in told[question].items():
            yield ""
            yield f"{question}, {view}"
            low, high = row["log_loss_95"]
            yield f"  log loss {row['log_loss']:.4f} ({low:.4f} - {high:.4f})"
            ranking = "-" if row["auc"] is None else f"{row['auc']:.4f}"
            yield f"  Brier {row['brier']:.4f}, AUC {ranking}, ECE {row['ece']:.4f}"
            for line in row["reliability"]:
                yield (
                    f"  {line['from']:.1f}-{line['to']:.1f}: n {line['n']:>6}, "
                    f"predicted {line['predicted']:.3f}, true {line['true']:.3f}"
                )
    for view, row in told["before_final_action"]["fascist"].items():
        if row["auc"] is not None:
            yield ""
            yield f"fascist, {view}, before the final action: AUC {row['auc']:.4f}"
