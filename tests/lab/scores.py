"""How good probabilities are: proper scores, ranking, calibration, and their uncertainty."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import log
from random import Random
from typing import Any, Final

BINS: Final = 10
_LEAST: Final = 1e-6
_RESAMPLES: Final = 200
_TAIL: Final = 0.025


@dataclass(slots=True)
class Predictions:
    """Probabilities and what was true, with the number of the game that each belongs to."""

    probability: list[float] = field(default_factory=list)
    truth: list[bool] = field(default_factory=list)
    game: list[int] = field(default_factory=list)

    def add(self, probability: float, truth: bool, game: int) -> None:
        self.probability.append(probability)
        self.truth.append(truth)
        self.game.append(game)

    def __len__(self) -> int:
        return len(self.truth)


def log_losses(predictions: Predictions) -> list[float]:
    """Return the log loss of each prediction. A certainty that is wrong costs 14, not infinity.

    >>> one = Predictions([0.5], [True], [0])
    >>> [round(loss, 3) for loss in log_losses(one)]
    [0.693]
    """
    return [
        -log(max(_LEAST, p if true else 1 - p))
        for p, true in zip(predictions.probability, predictions.truth, strict=True)
    ]


def brier_scores(predictions: Predictions) -> list[float]:
    return [
        (p - true) ** 2 for p, true in zip(predictions.probability, predictions.truth, strict=True)
    ]


def auc(predictions: Predictions) -> float | None:
    """Return how likely a true case ranks above a false one; None if either kind is missing.

    >>> auc(Predictions([0.1, 0.4, 0.4, 0.9], [False, True, False, True], [0] * 4))
    0.875
    """
    pairs = sorted(zip(predictions.probability, predictions.truth, strict=True))
    true = sum(predictions.truth)
    false = len(pairs) - true
    if not true or not false:
        return None
    rank_sum, at = 0.0, 0
    while at < len(pairs):
        end = at
        while end < len(pairs) and pairs[end][0] == pairs[at][0]:
            end += 1
        # Equal probabilities share the mean of their ranks.
        rank_sum += (at + 1 + end) / 2 * sum(truth for _, truth in pairs[at:end])
        at = end
    return (rank_sum - true * (true + 1) / 2) / (true * false)


def reliability(predictions: Predictions) -> list[dict[str, float]]:
    """Return for each tenth of the scale how often it came true, where there are predictions."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for p, true in zip(predictions.probability, predictions.truth, strict=True):
        bins[min(int(p * BINS), BINS - 1)].append((p, true))
    return [
        {
            "from": index / BINS,
            "to": (index + 1) / BINS,
            "n": len(found),
            "predicted": sum(p for p, _ in found) / len(found),
            "true": sum(true for _, true in found) / len(found),
        }
        for index, found in enumerate(bins)
        if found
    ]


def calibration_error(predictions: Predictions) -> float:
    """Return the expected calibration error: the mean distance in the table of `reliability`."""
    table = reliability(predictions)
    return sum(row["n"] * abs(row["predicted"] - row["true"]) for row in table) / len(predictions)


def scores(predictions: Predictions) -> dict[str, Any]:
    """Return all scores of at least one prediction, with the interval of the log loss."""
    losses = log_losses(predictions)
    return {
        "log_loss": _mean(losses),
        "log_loss_95": interval(losses, predictions.game),
        "brier": _mean(brier_scores(predictions)),
        "auc": auc(predictions),
        "ece": calibration_error(predictions),
        "n": len(predictions),
        "reliability": reliability(predictions),
    }


def interval(values: Sequence[float], games: Sequence[int]) -> list[float]:
    """Return a 95 % interval of the mean by bootstrap: whole games are drawn again."""
    by_game: dict[int, list[float]] = {}
    for value, game in zip(values, games, strict=True):
        by_game.setdefault(game, []).append(value)
    sums = [(sum(found), len(found)) for found in by_game.values()]
    below = _below(Random(1))
    means = []
    for _ in range(_RESAMPLES):
        drawn = [sums[below(len(sums))] for _ in sums]
        means.append(sum(total for total, _ in drawn) / sum(count for _, count in drawn))
    means.sort()
    return [means[int(_TAIL * _RESAMPLES)], means[int((1 - _TAIL) * _RESAMPLES) - 1]]


def _below(random: Random) -> Callable[[int], int]:
    return lambda n: int(random.random() * n)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
