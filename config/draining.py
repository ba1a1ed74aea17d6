"""Whether this process is on its way out: it answers still, but should get nothing new.

`manage.py serve` begins it at SIGTERM; what says whether a process is ready reads it.
"""

from threading import Event
from typing import Final

_begun: Final = Event()


def begin() -> None:
    """From now on this process is not ready. There is no way back but a new process."""
    _begun.set()


def is_draining() -> bool:
    return _begun.is_set()
