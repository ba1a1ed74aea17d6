"""Scores the inference on finished games with claims: `python -m tests.lab.evidence FILE...`."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from games.inference.assignments import HITLER, LIBERAL
from games.inference.tables import Tables, standard_tables

from .corpus import AnnotatedGame, moments, read_games
from .fitting import fit
from .frame import arguments, fail, watched
from .scores import Predictions, auc, scores

_QUESTIONS: Final = ("fascist", "hitler")
_VIEWS: Final = ("public", "liberal")


def main(argv: Sequence[str] | None = None) -> None:
    parser = arguments(__doc__, files=True, as_json=True)
    parser.add_argument(
        "--folds",
        type=int,
        metavar="N",
        help="score each of N groups of games by tables fitted to the other groups",
    )
    given = parser.parse_args(argv)
    games = read_games(given.files)
    if given.folds is not None and not 2 <= given.folds <= len(games):
        fail(f"--folds: from 2 to the number of games, {len(games)}.")
    told = _scored(games, given.folds)
    print(json.dumps(told) if given.json else "\n".join(_report(told)))


def _scored(games: Sequence[AnnotatedGame], folds: int | None) -> dict[str, Any]:
    found = {(q, view): Predictions() for q in _QUESTIONS for view in _VIEWS}
    last = {view: Predictions() for view in _VIEWS}
    groups = folds or 1
    order = [(group, i) for group in range(groups) for i in range(group, len(games), groups)]
    tables, fitted_to = standard_tables(), None
    for group, number in watched(order, len(games)):
        if folds is not None and group != fitted_to:
            tables = fit([game for i, game in enumerate(games) if i % folds != group])
            fitted_to = group
        _score_game(number, games[number], tables, found, last)
    result: dict[str, Any] = {
        q: {view: scores(found[q, view]) for view in _VIEWS if len(found[q, view])}
        for q in _QUESTIONS
    }
    result["before_final_action"] = {
        "fascist": {view: {"auc": auc(last[view]), "n": len(last[view])} for view in _VIEWS}
    }
    result["seat_moments"] = len(found["fascist", "public"])
    return result | {"games": len(games), "folds": folds}


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
    yield f"Games: {told['games']}; moments, counted for each seat: {told['seat_moments']}"
    for question in _QUESTIONS:
        for view, row in told[question].items():
            low, high = row["log_loss_95"]
            ranking = "-" if row["auc"] is None else f"{row['auc']:.4f}"
            yield f"\n{question}, {view}"
            yield f"  log loss {row['log_loss']:.4f} ({low:.4f} - {high:.4f})"
            yield f"  Brier {row['brier']:.4f}, AUC {ranking}, ECE {row['ece']:.4f}"
            for line in row["reliability"]:
                yield (
                    f"  {line['from']:.1f}-{line['to']:.1f}: n {line['n']:>6}, "
                    f"predicted {line['predicted']:.3f}, true {line['true']:.3f}"
                )
    for view, row in told["before_final_action"]["fascist"].items():
        if row["auc"] is not None:
            yield f"\nfascist, {view}, before the final action: AUC {row['auc']:.4f}"


if __name__ == "__main__":
    main()
