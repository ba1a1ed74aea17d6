"""When a process that ended by itself is restarted, and when the site gives up."""

from collections import deque
from typing import Final

# Seconds before each restart, by how often the process has ended within `MINUTE`. A process that
# ends more often than that will not recover by itself.
PAUSES: Final = (0.2, 0.5, 1.0, 2.0)
MINUTE: Final = 60.0


class Restarts:
    """The recent ends of one process."""

    def __init__(self) -> None:
        self._ends: deque[float] = deque()

    def pause_after_end(self, now: float) -> float | None:
        """Note an end. Return the seconds before the next start, or None after one too many."""
        self._ends.append(now)
        while self._ends[0] <= now - MINUTE:
            self._ends.popleft()
        count = len(self._ends)
        return PAUSES[count - 1] if count <= len(PAUSES) else None
