"""The alarm clock's scheduler."""

import logging
from datetime import timedelta
from typing import Any

from celery.beat import PersistentScheduler

# Clocks are corrected by less than this all the time.
_STEP = timedelta(seconds=1)

logger = logging.getLogger(__name__)


class SteadyScheduler(PersistentScheduler):
    """Celery's scheduler, which goes on when the machine's clock is set back.

    Celery's own would send nothing until the clock shows again what it showed before.
    """

    def tick(self, *args: Any, **kwargs: Any) -> float:
        now = self.app.now()
        latest = now + _STEP
        early = [
            entry
            for entry in self.schedule.values()
            if entry.last_run_at is not None and entry.last_run_at > latest
        ]
        if early:
            logger.warning("the clock was set back; its tasks are scheduled anew")
            for entry in early:
                entry.last_run_at = now
            self._heap = None
        return float(super().tick(*args, **kwargs))
