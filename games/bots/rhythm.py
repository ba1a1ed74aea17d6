"""The rhythm of bots' talk: which line a character takes, and when the next one may come.

All of it follows from what everyone at the table has heard.
"""

from collections.abc import Sequence
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
# Seconds: the least between two lines, and between any line and the third line before it.
GAP: Final = 1.5
_MOST, _SPAN = 3, 6.0
_INSTANT: Final = 0.001
# The same words don't come twice within this time, whoever says them.
_ECHO: Final = 10.0
# An answer or a remark that comes later than this is left out: the table has moved on.
_PATIENCE: Final = 120.0
_STALE: Final = 20.0
_STALE_REACTION: Final = 2.0
_REACTIONS: Final = frozenset({Occasion.ARGUMENT, Occasion.ASSENT})
# At these occasions a bot makes a claim that it owes before it speaks.
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
    """Return the number of seconds until the next line may come. `lines` begin with the oldest."""
    if not scale:
        return 0.0
    # A clock that was set back must not silence the bots.
    times = [line.at for line in lines if line.at <= now]
    free = now
    if times:
        free = max(free, times[-1] + GAP * scale)
    if len(times) >= _MOST:
        free = max(free, times[-_MOST] + _SPAN * scale)
    # Rounding is no wait.
    return free - now if free - now > _INSTANT else 0.0


def is_late(cue: Cue, waited: float) -> bool:
    """Return whether a cue has waited so long that the table has moved on. Claims always come."""
    most = _STALE_REACTION if cue.occasion in _REACTIONS else _STALE
    if cue.occasion in PATIENT:
        most = _PATIENCE
    return cue.occasion is not Occasion.CLAIM and waited > most


def rank(cue: Cue) -> int:
    """Return the rank of a cue among those that are due: claims first, then what is patient."""
    return 0 if cue.occasion is Occasion.CLAIM else 1 if cue.occasion in PATIENT else 2


def waits_for_claim(cue: Cue) -> bool:
    """Return whether a bot makes a claim that it owes before it speaks at this cue."""
    return cue.occasion in _AFTER_CLAIM


def line_for(lines: Sequence[Line], said: Line, below: Below, *, scale: float = 1.0) -> int | None:
    """Return the number of the line in which `said` comes; None for silence instead.

    A claim always comes, in its oldest line if the table has heard each of them lately.
    """
    is_claim = said.key.startswith("claim_")
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
        # Prefer a line that the table has not heard.
        new = [number for number in free if number not in {line.number for line in own}] or free
        return new[below(len(new))]
    last = {line.number: line.at for line in own}
    return min(last, key=last.__getitem__) if is_claim else None
