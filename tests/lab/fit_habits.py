"""Fits the habits of bots to games of people: `python -m tests.lab.fit_habits FILE...`."""

from collections.abc import Sequence
from itertools import chain
from math import exp, log
from typing import Final

from games.bots.reasoning.habits import FORMAT, STANDARD, VERSION

from .corpus import read_games
from .frame import arguments, hashes, names, watched, write_model
from .habit_fitting import Choice, choices_of, fit, probabilities

_LEAST: Final = 1e-9


def main(argv: Sequence[str] | None = None) -> None:
    given = arguments(__doc__, files=True, out=STANDARD).parse_args(argv)
    games = read_games(given.files)
    by_game = [list(choices_of(game)) for game in watched(games, len(games))]
    print("Choices that habits fitted to the other half of the games foresee:")
    print("\n".join(_scores(by_game)))
    weights = {
        key: {name: round(value, 3) for name, value in sorted(of_choice.items())}
        for key, of_choice in sorted(fit(chain(*by_game)).weights.items())
    }
    command = f"python -m tests.lab.fit_habits {names(given.files)}"
    source = {"games": len(games), "sha256": hashes(given.files)}
    data = {"format": FORMAT, "version": VERSION, "weights": weights}
    write_model(given.out, data, command, source)


def _scores(by_game: list[list[Choice]]) -> list[str]:
    """Return for each choice how often the likeliest option was taken, in games not fitted."""
    found: dict[str, list[float]] = {}
    for half in (0, 1):
        fitted = fit(chain(*by_game[1 - half :: 2]))
        for choice in chain(*by_game[half::2]):
            shares = probabilities(dict(fitted.weights.get(choice.key, {})), choice)
            row = found.setdefault(choice.key, [0.0, 0.0, 0.0])
            row[0] += 1
            row[1] += shares[choice.taken] == max(shares)
            row[2] -= log(max(shares[choice.taken], _LEAST))
    return [
        f"{key:<20} {int(n):>6}  {right / n:>6.1%}  {exp(-loss / n):.3f}"
        for key, (n, right, loss) in sorted(found.items())
    ]


if __name__ == "__main__":
    main()
