"""Metrics of the site for its operator.

No metric has a label for a game, a table or a person: label values are few, and known in advance.
Each process counts for itself and is scraped itself (config/health.py).
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from prometheus_client import Counter, Gauge, Histogram

from games.models import Game, Pulse, Table

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


def overdue_seconds(now: datetime) -> float:
    """Return how overdue the longest waiting game is, in seconds; 0 if none waits."""
    wakes_at = (
        Game.objects.filter(wakes_at__lte=now)
        .order_by("wakes_at")
        .values_list("wakes_at", flat=True)
        .first()
    )
    return 0.0 if wakes_at is None else (now - wakes_at).total_seconds()


def pulse_seconds(now: datetime) -> float | None:
    """Return the seconds since the clock last ran, or None if it never did."""
    at = Pulse.objects.filter(pk=1).values_list("at", flat=True).first()
    return None if at is None else max((now - at).total_seconds(), 0.0)


def games_running() -> int:
    return Table.objects.filter(stage=Table.Stage.RUNNING).count()


# Values read from the database when scraped, the same in every process.
SHARED: Final[dict[str, tuple[str, Callable[[datetime], float | None]]]] = {
    "chancellery_games_running": ("Games that are being played.", lambda _: games_running()),
    "chancellery_overdue_seconds": (
        "For how long the longest waiting game should have moved by itself.",
        overdue_seconds,
    ),
    "chancellery_pulse_age_seconds": ("Since the alarm clock last ran.", pulse_seconds),
}
