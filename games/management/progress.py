"""How far a command is: a bar on a terminal, a line a minute elsewhere, such as in a log."""

from time import monotonic
from typing import Final, TextIO

_WIDTH: Final = 40
_SECONDS_BETWEEN: Final = 0.1
_SECONDS_BETWEEN_LINES: Final = 60.0


class Progress:
    """Redraws itself in one line of a terminal. Writes a line a minute to other streams."""

    def __init__(self, total: int, stream: TextIO) -> None:
        self._total = total
        self._stream = stream
        self._is_watched = stream.isatty()
        self._drawn_at = 0.0 if self._is_watched else monotonic()

    def show(self, done: int) -> None:
        """Draw the bar or write the line, unless the last one is very recent."""
        now = monotonic()
        if not self._is_watched:
            if now - self._drawn_at >= _SECONDS_BETWEEN_LINES:
                self._drawn_at = now
                self._stream.write(f"{done}/{self._total}\n")
                self._stream.flush()
            return
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
