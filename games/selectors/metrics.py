"""Figures of all games together, read from the database when they are asked for."""

from datetime import datetime
from functools import partial

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


def pulse_seconds(of: Pulse.Of, now: datetime) -> float | None:
    """Return the seconds since this part last ran, or None if it never did.

    They are negative if the machine's clock was set back since then.
    """
    at = Pulse.objects.filter(pk=of).values_list("at", flat=True).first()
    return None if at is None else (now - at).total_seconds()


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
    for of, name, about in (
        (Pulse.Of.CLOCK, "chancellery_pulse_age_seconds", "Since the alarm clock last ran."),
        (
            Pulse.Of.WORKER,
            "chancellery_worker_pulse_age_seconds",
            "Since the worker for tasks that can wait last ran.",
        ),
        (Pulse.Of.BEAT, "chancellery_beat_pulse_age_seconds", "Since beat last sent a tick."),
    ):
        register_figure(name, about, partial(pulse_seconds, of))
