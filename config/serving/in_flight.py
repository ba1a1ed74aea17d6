"""How many requests to each path this process has received and not yet answered.

Everything but `requests_to` is called on the event loop.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_requests: Final[Counter[str]] = Counter()
_when_idle: Final[dict[str, list[Callable[[], object]]]] = {}


@contextmanager
def counted(path: str) -> Iterator[None]:
    """Count a request to `path` while it waits and is being answered."""
    _requests[path] += 1
    try:
        yield
    finally:
        _requests[path] -= 1
        if not _requests[path]:
            del _requests[path]
            for callback in _when_idle.pop(path, ()):
                callback()


def requests_to(path: str) -> int:
    """Return how many requests to `path` wait or are being answered. Any thread may ask."""
    return _requests[path]


def call_when_idle(path: str, callback: Callable[[], object]) -> None:
    """Call back once no request to `path` waits or is being answered."""
    if _requests[path]:
        _when_idle.setdefault(path, []).append(callback)
    else:
        callback()
