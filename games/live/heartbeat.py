"""The web process's heartbeat: it regularly records its pulse. See `games/services/outages.py`."""

import logging
from threading import Event, Thread

from django.db import connection
from django.utils import timezone

from games.services import outages

logger = logging.getLogger(__name__)


def start_heartbeat(stop: Event | None = None) -> Thread:
    """Start this process's heartbeat thread. It runs until the process ends or `stop` is set."""
    heart = Thread(target=_run, args=(stop or Event(),), name="heartbeat", daemon=True)
    heart.start()
    return heart


def _run(stop: Event) -> None:
    is_well = True
    while True:
        try:
            outages.note_open(timezone.now())
            is_well = True
        except Exception:
            # An unavailable database is itself an outage; log it once.
            if is_well:
                logger.warning("the site's pulse cannot be written", exc_info=True)
            is_well = False
        finally:
            connection.close()
        if stop.wait(outages.PULSE.total_seconds()):
            return
