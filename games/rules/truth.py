"""The moment of truth: the one thing about which players must not lie.

A new Chancellor is asked after the third fascist policy, and an executed Hitler must say so. In
some editions other executed players answer, too. Question and answer are public.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from .editions import Options
from .events import Elected, Event, NotHitler, Over
from .phases import Ending
from .powers import Executed


@dataclass(frozen=True, slots=True)
class Answer:
    """What a player has answered to the question whether they are Hitler."""

    seat: int
    # Whether a new Chancellor was asked; otherwise an executed player.
    is_chancellor: bool
    is_hitler: bool


def answer_of(events: Iterable[Event], options: Options | None) -> Answer | None:
    """Return the answer among the events of one action, or None if no player was asked."""
    told = tuple(events)
    ending = next((event.ending for event in told if isinstance(event, Over)), "")
    for event in told:
        if isinstance(event, NotHitler):
            return Answer(event.seat, is_chancellor=True, is_hitler=False)
        if isinstance(event, Elected) and ending == Ending.HITLER_ELECTED:
            return Answer(event.chancellor, is_chancellor=True, is_hitler=True)
        if isinstance(event, Executed):
            is_hitler = ending == Ending.HITLER_EXECUTED
            if is_hitler or (options is not None and options.executed_says_not_hitler):
                return Answer(event.target, is_chancellor=False, is_hitler=is_hitler)
    return None
