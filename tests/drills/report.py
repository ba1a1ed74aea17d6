"""What a drill expected and what it saw, printed as it goes."""

import time
from collections.abc import Callable


class Report:
    """Prints each expectation beside what was seen, and counts the differences."""

    def __init__(self) -> None:
        self.differences = 0

    def compare(self, what: str, expected: object, seen: object) -> None:
        """Print both, and count a difference if they are not equal."""
        self._tell(what, str(expected), str(seen), expected == seen)

    def at_most(self, what: str, limit: float, seen: float) -> None:
        self._tell(what, f"at most {limit:g}", f"{seen:.3g}", seen <= limit)

    def within(self, what: str, seconds: float, happens: Callable[[], object]) -> None:
        """Wait until `happens()` is true; a difference if it takes longer than `seconds`."""
        begun = time.monotonic()
        while not (is_so := bool(happens())) and time.monotonic() - begun < seconds:
            time.sleep(0.1)
        took = time.monotonic() - begun
        seen = f"after {took:.1f} s" if is_so else f"not in {took:.1f} s"
        self._tell(what, f"within {seconds:g} s", seen, is_so)

    def _tell(self, what: str, expected: str, seen: str, is_right: bool) -> None:
        self.differences += not is_right
        mark = "as expected" if is_right else "DIFFERENT"
        print(f"  {mark:<11} | {what} | expected: {expected} | seen: {seen}", flush=True)
