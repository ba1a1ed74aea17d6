"""The flag that says that this process drains: it still answers, but should get nothing new.

`manage.py serve` sets it at SIGTERM. The readiness check reads it (config/observability/health.py).
"""

from threading import Event
from typing import Final

_begun: Final = Event()


def begin() -> None:
    """Mark this process as not ready. This cannot be undone; only a new process is ready again."""
    _begun.set()


def is_draining() -> bool:
    return _begun.is_set()
