"""A progress bar, shown only on a terminal."""

from time import monotonic
from typing import Final, TextIO

_WIDTH: Final = 40
_SECONDS_BETWEEN: Final = 0.1


class Progress:
    """Redraws itself in one line of a terminal. Does nothing for other streams."""

    def __init__(self, total: int, stream: TextIO) -> None:
        self._total = total
        self._stream = stream
        self._is_watched = stream.isatty()
        self._drawn_at = 0.0

    def show(self, done: int) -> None:
        """Draw the bar, unless it was drawn very recently."""
        if not self._is_watched:
            return
        now = monotonic()
        if now - self._drawn_at >= _SECONDS_BETWEEN:
            self._drawn_at = now
            full = _WIDTH * done // self._total
            bar = "█" * full + "░" * (_WIDTH - full)
            self._stream.write(f"\r{bar} {done}/{self._total}")
            self._stream.flush()

    def clear(self) -> None:
        """Clear the line."""
        if self._is_watched:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
