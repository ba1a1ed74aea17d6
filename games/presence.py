"""A process that serves people tells the others, as long as it lives, whom it serves.

See `games/services/presence.py` for what is told and why.
"""

import logging
import secrets
from threading import Event, Thread
from time import monotonic
from typing import Final

from django.db import connection
from django.utils import timezone

from games.services import presence

# Seconds: how often what has changed is written, and how often what has not.
EVERY: Final = 1.0
_REPEAT_EVERY: Final = 20.0
_CLEAN_EVERY: Final = 10.0

logger = logging.getLogger(__name__)


class Attendance:
    """What a process has told of the people that it serves."""

    def __init__(self) -> None:
        self.process = secrets.token_hex(8)
        self._told: set[presence.Place] = set()
        self._repeated_at = self._cleaned_at = monotonic()

    def tell(self) -> None:
        """Tells what has changed since the last time; now and then, what has not."""
        here = presence.register.here()
        came, went = here - self._told, self._told - here
        if came or went:
            presence.report(process=self.process, came=came, went=went, now=timezone.now())
            self._told = here
        if monotonic() - self._repeated_at >= _REPEAT_EVERY:
            self._repeated_at = monotonic()
            if not presence.repeat(process=self.process, now=timezone.now()) and here:
                # This process was asleep for so long that the others took it for dead.
                self._told = set()
        if monotonic() - self._cleaned_at >= _CLEAN_EVERY:
            self._cleaned_at = monotonic()
            presence.clean(now=timezone.now())

    def start_anew(self) -> None:
        """What is written may be another than what was told: tells all of it again."""
        presence.forget(process=self.process)
        self._told = set()


def start_presence(stop: Event | None = None) -> Thread:
    """Starts telling; it goes on until the process ends, or `stop` is set."""
    teller = Thread(target=_run, args=(stop or Event(),), name="presence", daemon=True)
    teller.start()
    return teller


def _run(stop: Event) -> None:
    attendance, is_well = Attendance(), True
    while True:
        try:
            if not is_well:
                attendance.start_anew()
            attendance.tell()
            is_well = True
        except Exception:
            # One line tells of a database that is away; seats are not known then.
            if is_well:
                logger.warning("who is here cannot be written", exc_info=True)
            is_well = False
        finally:
            # Where nothing was told, none was opened.
            connection.close()
        if stop.wait(EVERY):
            return
