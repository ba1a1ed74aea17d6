"""The rhythm of bots' talk: which line a character takes, and when the next one may come.

All of it follows from what everyone at the table has heard.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from games.rules.components import Policy
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen

from .chance import Below
from .cues import GREETINGS, PATIENT, Cue, Occasion

# How many lines each character has for each thing that it says.
LINES: Final = 5
# No line comes twice within this many rounds.
_ROUNDS: Final = 3
# In seconds: the least time between two lines, and how long it takes for so many.
_GAP: Final = 1.5
_MOST, _SPAN = 3, 6.0
_INSTANT: Final = 0.001
# The same words don't come twice within this time, whoever says them.
_ECHO: Final = 10.0
# An answer or a remark that comes later than this is left out: the table has moved on.
_PATIENCE: Final = 120.0
_STALE: Final = 20.0
_STALE_REACTION: Final = 2.0
_REACTIONS: Final = frozenset({Occasion.ARGUMENT, Occasion.ASSENT})
# What a bot says about a government comes after its own claim.
_AFTER_CLAIM: Final = frozenset(
    {Occasion.ACCUSED, Occasion.CONFESSION, Occasion.CONFLICT, Occasion.POLICY}
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line that a bot has said."""

    # In seconds, from any fixed moment.
    at: float
    round: int
    # The character; "" for a bot that says plain phrases.
    voice: str
    # What it was, as `key_of` and `claim_key` write it, and which of the character's lines.
    key: str
    number: int = 0
    seats: tuple[int, ...] = ()


def key_of(code: str, seats: Sequence[int]) -> str:
    """Return the key of a phrase's lines."""
    return f"{code}_{len(seats)}"


def claim_key(claim: Knowledge) -> str:
    """Return the key of the lines that stand beside a claim's cards."""
    match claim:
        case Drawn(policies=policies):
            return f"claim_drew_{policies.count(Policy.LIBERAL)}"
        case Received(policies=policies):
            return f"claim_handed_{policies.count(Policy.LIBERAL)}"
        case TopSeen():
            return "claim_saw"
        case PartySeen(party=party):
            return f"claim_{party}"
        case _ as unreachable:
            assert_never(unreachable)


def wait_before(lines: Sequence[Line], now: float, scale: float = 1.0) -> float:
    """Return for how many seconds the next line still waits; `lines` are from the oldest."""
    if not scale:
        return 0.0
    # A clock that was set back must not silence the bots.
    times = [line.at for line in lines if line.at <= now]
    free = now
    if times:
        free = max(free, times[-1] + _GAP * scale)
    if len(times) >= _MOST:
        free = max(free, times[-_MOST] + _SPAN * scale)
    # Rounding is no wait.
    return free - now if free - now > _INSTANT else 0.0


def gap(scale: float = 1.0) -> float:
    """Return the least seconds between two lines."""
    return _GAP * scale


def is_late(cue: Cue, waited: float) -> bool:
    """Return whether a cue that has waited for so many seconds is left out."""
    # A claim always comes.
    if cue.occasion is Occasion.CLAIM:
        return False
    if cue.occasion in PATIENT:
        return waited > _PATIENCE
    return waited > (_STALE_REACTION if cue.occasion in _REACTIONS else _STALE)


def rank(cue: Cue) -> int:
    """Return the place of a cue among those that are due at the same time."""
    return 0 if cue.occasion is Occasion.CLAIM else 1 if cue.occasion in PATIENT else 2


def waits_for_claim(cue: Cue) -> bool:
    """Return whether a bot that still owes a claim makes it before it speaks at this cue."""
    return cue.occasion in _AFTER_CLAIM


def line_for(
    lines: Sequence[Line],
    said: Line,
    below: Below,
    *,
    scale: float = 1.0,
    is_claim: bool = False,
) -> int | None:
    """Return the number of the line in which `said` comes; None if it had better not come.

    A claim always comes: if each of its lines is too fresh, then in the oldest.
    """
    # Greetings belong to the first round.
    if said.key.rpartition("_")[0] in GREETINGS and said.round > 1:
        return None
    if not said.voice:
        is_echo = not is_claim and any(
            (line.key, line.seats) == (said.key, said.seats) and not line.voice
            for line in lines
            if line.at > said.at - _ECHO * scale
        )
        return None if is_echo else 0
    own = [line for line in lines if (line.voice, line.key) == (said.voice, said.key)]
    recent = {line.number for line in own if line.round > said.round - _ROUNDS}
    free = [number for number in range(LINES) if number not in recent]
    if free:
        # One that the table has not heard at all, while there is one.
        new = [number for number in free if number not in {line.number for line in own}] or free
        return new[below(len(new))]
    return _oldest(own) if is_claim else None


def _oldest(lines: Iterable[Line]) -> int:
    last = {line.number: line.at for line in lines}
    return min(last, key=lambda number: last[number])
