"""Reports to the other processes which users this web process serves, as long as it runs.

See `games/services/presence.py` for what is reported and why.
"""

import logging
import secrets
from threading import Event, Thread
from time import monotonic
from typing import Final

from django.db import connection
from django.utils import timezone

from games.services import presence

# In seconds: how often changes are written, how often unchanged entries are refreshed, and how
# often stale entries are removed.
EVERY: Final = 1.0
_REPEAT_EVERY: Final = 20.0
_CLEAN_EVERY: Final = 10.0

logger = logging.getLogger(__name__)


class PresenceReporter:
    """The places that this process has reported for the users that it serves."""

    def __init__(self) -> None:
        self.process = secrets.token_hex(8)
        self._told: set[presence.Place] = set()
        self._repeated_at = self._cleaned_at = monotonic()

    def tell(self) -> None:
        """Report what has changed since the last call, and at times refresh what has not."""
        here = presence.register.here()
        came, went = here - self._told, self._told - here
        is_done = True
        if came or went:
            now = timezone.now()
            is_done = presence.report(process=self.process, came=came, went=went, now=now)
            self._told = here
        if monotonic() - self._repeated_at >= _REPEAT_EVERY:
            self._repeated_at = monotonic()
            if not presence.repeat(process=self.process, now=timezone.now()) and here:
                # This process was suspended for so long that the others have removed its entries.
                self._told = set()
        if monotonic() - self._cleaned_at >= _CLEAN_EVERY:
            self._cleaned_at = monotonic()
            is_done = presence.clean(now=timezone.now()) and is_done
        if not is_done:
            # The next time goes on with it.
            self._cleaned_at -= _CLEAN_EVERY

    def start_anew(self) -> None:
        """Report everything again, because the stored entries may differ from what was reported."""
        presence.forget(process=self.process)
        self._told = set()


def start_presence(stop: Event | None = None) -> Thread:
    """Start the reporting thread. It runs until the process ends or `stop` is set."""
    teller = Thread(target=_run, args=(stop or Event(),), name="presence", daemon=True)
    teller.start()
    return teller


def _run(stop: Event) -> None:
    attendance, is_well = PresenceReporter(), True
    while True:
        try:
            if not is_well:
                attendance.start_anew()
            attendance.tell()
            is_well = True
        except Exception:
            # Log an unavailable database once; meanwhile it is unknown which seats are connected.
            if is_well:
                logger.warning("who is here cannot be written", exc_info=True)
            is_well = False
        finally:
            # If nothing was reported, no connection was opened.
            connection.close()
        if stop.wait(EVERY):
            return
