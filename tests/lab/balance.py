"""Measures how balanced each edition is between bots: `python -m tests.lab.balance`."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

from .frame import arguments, counted, with_django, write_model


def main(argv: Sequence[str] | None = None) -> None:
    with_django()
    from games.bots import BASELINE, SKILLED
    from games.services.balance import FORMAT, GAMES, STANDARD, VERSION, standard_mixes

    parser = arguments(__doc__, games=GAMES, jobs=True, seed="1", out=STANDARD)
    given = parser.parse_args(argv)
    mixes = standard_mixes()
    wanted = [(mix, kind) for mix in mixes for kind in (BASELINE, SKILLED)]
    wins = counted(partial(_won, given.seed), wanted, range(given.games), given.jobs)
    rows = [
        {
            "editions": editions,
            "options": mix.noticed,
            "players": mix.players,
            "games": given.games,
            "baseline": wins[mix, BASELINE][True],
            "skilled": wins[mix, SKILLED][True],
        }
        for mix, editions in mixes.items()
    ]
    command = f"python -m tests.lab.balance --games {given.games} --seed {given.seed}"
    source = {"games_of_each": given.games, "baseline": BASELINE, "skilled": SKILLED}
    data = {"format": FORMAT, "version": VERSION, "mixes": rows}
    write_model(given.out, data, command, source)


def _won(seed: str, about: tuple[object, str], number: int) -> Counter[bool]:
    with_django()
    from games.services.balance import Mix, liberals_win

    mix, kind = about
    assert isinstance(mix, Mix)
    return Counter([liberals_win(mix.options, mix.players, kind, seed, number)])


if __name__ == "__main__":
    main()
