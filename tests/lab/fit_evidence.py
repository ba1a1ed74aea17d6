"""Fits the inference to games with claims: `python -m tests.lab.fit_evidence FILE...`."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from games.inference.tables import FORMAT, OUTCOMES, PULLS, STANDARD, VERSION, Tables

from .corpus import read_games
from .fitting import fit
from .frame import arguments, hashes, names, write_model


def main(argv: Sequence[str] | None = None) -> None:
    given = arguments(__doc__, files=True, out=STANDARD).parse_args(argv)
    games = read_games(given.files)
    sizes = Counter(len(game.roles) for game in games)
    source = {
        "games": len(games),
        "by_players": {str(size): sizes[size] for size in sorted(sizes)},
        "sha256": hashes(given.files),
    }
    command = f"python -m tests.lab.fit_evidence {names(given.files)}"
    write_model(given.out, tables_json(fit(games)), command, source)


def tables_json(tables: Tables) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "exponents": tables.exponents,
        "shrinkage": tables.shrinkage,
        "choices": {
            name: {
                " ".join(where): {
                    outcome: counts[outcome] for outcome in OUTCOMES[name] if counts.get(outcome)
                }
                for where, counts in sorted(tables.choices.get(name, {}).items())
            }
            for name in OUTCOMES
        },
        "pulls": {
            name: {
                " ".join(where): [[chosen, round(even, 3)] for chosen, even in counts]
                for where, counts in sorted(tables.pulls.get(name, {}).items())
            }
            for name in PULLS
        },
    }


if __name__ == "__main__":
    main()
