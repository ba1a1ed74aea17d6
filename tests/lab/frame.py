"""What the commands of the lab share: arguments, progress, processes and files of models."""

import hashlib
import json
import os
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

import django
from django.apps import apps

from games.management.progress import Progress

T = TypeVar("T")
U = TypeVar("U")
K = TypeVar("K", bound=Hashable)

_BAD_VALUE: Final = 2
# Games that one process plays before it reports.
_BATCH: Final = 10
# The quantile of the normal distribution for an interval of 95 %.
_Z: Final = 1.96


def arguments(
    about: str,
    *,
    files: bool = False,
    games: int | None = None,
    jobs: bool = False,
    seed: str | None = None,
    out: Path | None = None,
    as_json: bool = False,
) -> ArgumentParser:
    """Return a parser with those of the shared arguments that a command has."""
    parser = ArgumentParser(description=about)
    if files:
        parser.add_argument("files", metavar="FILE", nargs="+", help="gzip'd JSON lines")
    if games is not None:
        parser.add_argument("--games", type=positive, default=games, help=f"{games} by default")
    if jobs:
        parser.add_argument("--jobs", type=positive, default=1, help="processes at once")
    if seed is not None:
        parser.add_argument("--seed", default=seed, help="the same seed gives the same games")
    if out is not None:
        parser.add_argument("--out", type=Path, default=out, help="where to write the model")
    if as_json:
        parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def with_django() -> None:
    """Set Django up, for what asks the site's settings, models or words."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if not apps.ready:
        django.setup()


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def fail(message: str) -> NoReturn:
    """End the command with a sentence for its user."""
    print(message, file=sys.stderr)
    raise SystemExit(_BAD_VALUE)


def watched(items: Iterable[T], total: int) -> Iterator[T]:
    """Yield the items, and show how many are done."""
    progress = Progress(total, sys.stderr)
    for done, item in enumerate(items, 1):
        yield item
        progress.show(done)
    progress.clear()


def in_processes(work: Callable[[T], U], items: Sequence[T], jobs: int) -> Iterator[U]:
    """Yield the result of each item, in order. With one job, no other process is started."""
    if jobs == 1:
        yield from watched(map(work, items), len(items))
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from watched(pool.map(work, items), len(items))


def counted(
    play: Callable[[K, int], Counter[Any]], wanted: Sequence[K], numbers: range, jobs: int
) -> dict[K, Counter[Any]]:
    """Return what `play` counts in the games of these numbers, added up for each that is wanted."""
    batches = [
        (each, numbers[first : first + _BATCH])
        for first in range(0, len(numbers), _BATCH)
        for each in wanted
    ]
    found: dict[K, Counter[Any]] = {each: Counter() for each in wanted}
    for each, counts in in_processes(partial(_played, play), batches, jobs):
        found[each].update(counts)
    return found


def _played(
    play: Callable[[K, int], Counter[Any]], batch: tuple[K, range]
) -> tuple[K, Counter[Any]]:
    each, numbers = batch
    return each, sum((play(each, number) for number in numbers), Counter())


def share_interval(part: int, whole: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson)."""
    share = part / whole
    middle = (share + _Z**2 / (2 * whole)) / (1 + _Z**2 / whole)
    half = _Z / (1 + _Z**2 / whole) * sqrt(share * (1 - share) / whole + _Z**2 / (4 * whole**2))
    return middle - half, middle + half


def write_model(path: Path, data: Mapping[str, Any], command: str, source: Any) -> None:
    """Write a file that the site reads, with its command, the day and its source inside."""
    head = {name: data[name] for name in ("format", "version")}
    made = {"command": command, "date": f"{datetime.now(UTC):%Y-%m-%d}", "source": source}
    try:
        path.write_text(json.dumps(head | made | data, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        fail(f"Can’t write {path}: {error.strerror or error}")
    print(path)


def hashes(files: Sequence[str]) -> list[str]:
    """Return what tells whether a model was made from these files."""
    return [hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files]


def names(files: Sequence[str]) -> str:
    return " ".join(Path(file).name for file in files)
