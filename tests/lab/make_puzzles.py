"""Writes the games of puzzles that come with the program: `python -m tests.lab.make_puzzles`.

The same seed gives the same games, as long as the bots play the same.
"""

import json
from collections.abc import Sequence
from itertools import islice

from .frame import arguments, fail, watched, with_django


def main(argv: Sequence[str] | None = None) -> None:
    with_django()
    from games.services.puzzles import games_of
    from games.state.puzzles import FILE

    parser = arguments(__doc__, games=30, seed="bundled", out=FILE)
    given = parser.parse_args(argv)
    found = list(watched(islice(games_of(given.seed), given.games), given.games))
    text = json.dumps({"games": found}, separators=(",", ":"))
    try:
        given.out.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        fail(f"Can’t write {given.out}: {error.strerror}")


if __name__ == "__main__":
    main()
