"""Work in several processes at once."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")


def in_processes(work: Callable[[T], U], batches: Sequence[T], jobs: int) -> Iterator[U]:
    """Yield the result of each batch, in order. With one job, no other process is started."""
    if jobs == 1:
        yield from map(work, batches)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(work, batches)
