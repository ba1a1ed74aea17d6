"""Metrics of this process, for the site's operator.

No metric has a label for a game, a table or a person: label values are few, and known in advance.
Each process counts for itself and is scraped itself (config/observability/health.py).
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from prometheus_client import Counter, Gauge, Histogram

_SHORT: Final = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)

ACTION_SECONDS: Final = Histogram(
    "chancellery_action_seconds",
    "From a posted move to its answer, within the web process.",
    ["answer"],
    buckets=_SHORT,
)
REQUEST_SECONDS: Final = Histogram(
    "chancellery_request_seconds",
    "From a request to its answer, within the web process.",
    ["route", "method", "status"],
    buckets=(0.01, 0.05, 0.2, 1, 5),
)
SOCKETS: Final = Gauge("chancellery_open_sockets", "Sockets that are open now.", ["screen"])
SOCKETS_CLOSED: Final = Counter(
    "chancellery_sockets_closed", "Sockets that have ended, by their close code.", ["code"]
)
SWEEPER_LAG: Final = Histogram(
    "chancellery_sweeper_lag_seconds",
    "How late the longest waiting game was when the alarm clock came by.",
    buckets=(0.1, 0.5, 1, 2, 5, 10, 30, 60, 300),
)
# Create each label's time series at zero from the start, so that sums have no gaps.
for _answer in ("accepted", "refused"):
    ACTION_SECONDS.labels(_answer)
for _screen in ("table", "lobby"):
    SOCKETS.labels(_screen)

# Figures that all processes share: they are read when someone asks. By name, with what they say.
Read = Callable[[datetime], float | None]
FIGURES: Final[dict[str, tuple[str, Read]]] = {}


def register_figure(name: str, about: str, read: Read) -> None:
    """Offer a figure to monitoring. `read` gets the time and returns None if it knows nothing."""
    FIGURES[name] = about, read


def read_figure(name: str, now: datetime) -> float | None:
    """Return the registered figure as of `now`."""
    _, read = FIGURES[name]
    return read(now)
