"""Figures of all games together, read from the database when they are asked for."""

from datetime import datetime

from config.observability.metrics import register_figure
from games.models import Game, Pulse, Table


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


def register_figures() -> None:
    """Offer these figures to the operator's monitoring."""
    register_figure(
        "chancellery_games_running", "Games that are being played.", lambda _: games_running()
    )
    register_figure(
        "chancellery_overdue_seconds",
        "For how long the longest waiting game should have moved by itself.",
        overdue_seconds,
    )
    register_figure(
        "chancellery_pulse_age_seconds", "Since the alarm clock last ran.", pulse_seconds
    )
