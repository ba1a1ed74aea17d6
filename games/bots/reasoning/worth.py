"""How much a position is worth: the liberals' chance to win, by what has been enacted."""

from typing import Final

from games.rules.components import (
    FAILED_ELECTIONS_TO_CHAOS,
    FASCIST_POLICIES_TO_WIN,
    LIBERAL_POLICIES_TO_WIN,
)

# By liberal and by fascist policies enacted: from games of people, smoothed.
_LIBERALS_WIN: Final = (
    (0.47, 0.44, 0.40, 0.33, 0.27, 0.20),
    (0.52, 0.49, 0.45, 0.37, 0.31, 0.23),
    (0.58, 0.55, 0.51, 0.43, 0.36, 0.28),
    (0.66, 0.63, 0.59, 0.51, 0.44, 0.36),
    (0.78, 0.76, 0.72, 0.65, 0.59, 0.51),
)
# What each failed election costs the liberals: it brings a policy from the top of the pile nearer.
_TRACKER: Final = 0.015


def liberals_win(liberal: int, fascist: int, tracker: int = 0) -> float:
    """Return the liberals' chance to win with so many policies enacted."""
    if liberal >= LIBERAL_POLICIES_TO_WIN:
        return 1.0
    if fascist >= FASCIST_POLICIES_TO_WIN:
        return 0.0
    failed = min(tracker, FAILED_ELECTIONS_TO_CHAOS - 1)
    return _LIBERALS_WIN[liberal][fascist] - _TRACKER * failed
