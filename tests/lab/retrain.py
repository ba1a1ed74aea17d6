"""Makes all models anew from finished games of people: `python -m tests.lab.retrain FILE...`."""

import subprocess
import sys
from collections.abc import Sequence

from .frame import arguments


def main(argv: Sequence[str] | None = None) -> None:
    given = arguments(__doc__, files=True, games=400, jobs=True).parse_args(argv)
    play = ["--games", str(given.games), "--jobs", str(given.jobs)]
    # The habits are fitted with the tables, and bots play with both. So each step reads what the
    # one before it has written, in a process of its own.
    for name, step in (
        ("fit_evidence", given.files),
        ("fit_habits", given.files),
        ("balance", play),
        ("win_rates", play),
    ):
        print(name, flush=True)
        done = subprocess.run([sys.executable, "-m", f"tests.lab.{name}", *step], check=False)
        if done.returncode:
            raise SystemExit(done.returncode)


if __name__ == "__main__":
    main()
