"""What a finished game hints at: throwing and stalling, for a person to judge.

Pure functions over the record. A hint is no proof: a liberal may discard a liberal policy to
test somebody, and lines break. So each says what happened and in which round, and no more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from games.rules.actions import Action, Discard, Enact, Vote
from games.rules.components import Policy, Role
from games.rules.record import Record, replay
from games.rules.state import GameState

# Of the time that a decision may take.
SLOW: Final = 0.75
# Of fewer moves on a clock a share says nothing.
_LEAST_MOVES: Final = 4
# As many decisions in a row made by the clock, the last of the game among them: left.
_LEFT: Final = 2

_BY_CLOCK: Final = "clock"
_BY_PLAYER: Final = "player"


class Sign(StrEnum):
    # A liberal President discarded a liberal policy with a fascist one in hand.
    DISCARDED_LIBERAL = "discarded_liberal"
    # A liberal Chancellor enacted a fascist policy with a liberal one in hand.
    ENACTED_FASCIST = "enacted_fascist"
    # The clock ran out, and a stand-in decided.
    RAN_OUT = "ran_out"
    # Nobody was there any more when the game ended.
    LEFT = "left"
    # Decisions that took three quarters of their time or more.
    SLOW = "slow"


@dataclass(frozen=True, slots=True)
class Hint:
    sign: Sign
    # In which rounds, each once.
    rounds: tuple[int, ...] = ()
    # How often, and of how many decisions.
    count: int = 0
    of: int = 0


@dataclass(slots=True)
class _Seen:
    """What is noted of a seat while its game is told once more."""

    rounds: dict[Sign, list[int]] = field(default_factory=dict)
    # By decision, oldest first: the round, and whether the clock made it.
    decided: list[tuple[int, bool]] = field(default_factory=list)
    # How long each decision of the person's own took.
    times: list[timedelta] = field(default_factory=list)

    def note(self, sign: Sign, number: int) -> None:
        self.rounds.setdefault(sign, []).append(number)


def hints_of(
    record: Record,
    seat: int,
    *,
    allowed: timedelta | None = None,
    first: int = 0,
    last: int | None = None,
) -> tuple[Hint, ...]:
    """What the record hints at about whoever had `seat`; () where there is nothing.

    `allowed` is how long a decision may take, None where there is no clock. `first` and
    `last` are numbers of actions, for a seat that changed hands: from the first, before the
    last. Raises what `replay` raises.
    """
    seen = _Seen()
    begun: datetime | None = None
    before: GameState | None = None
    voted = ""
    for position in replay(record):
        entry = position.entry
        if entry is None or before is None:
            before = position.state
            continue
        at = None if entry.at is None else datetime.fromisoformat(entry.at)
        number = position.after - 1
        action = entry.action
        is_own = action.seat == seat and first <= number and (last is None or number < last)
        # A ballot may be cast again: the first one counts.
        is_again = isinstance(action, Vote) and voted == before.decision
        if is_own and not is_again:
            is_late = entry.by == _BY_CLOCK
            seen.decided.append((before.round, is_late))
            if is_late:
                seen.note(Sign.RAN_OUT, before.round)
            elif entry.by in (None, _BY_PLAYER):
                sign = _sign(before, action)
                if sign is not None:
                    seen.note(sign, before.round)
                if at is not None and begun is not None:
                    seen.times.append(at - begun)
            if isinstance(action, Vote):
                voted = before.decision
        if position.state.decision != before.decision:
            begun = at
        before = position.state
    return _hints(seen, allowed, is_to_the_end=last is None)


def spell(changes: Sequence[int], length: int) -> tuple[int, int | None]:
    """The part of a game that somebody had a seat for: `first` and `last` of `hints_of`.

    `changes` are the numbers of actions at which the seat changed hands, in their order;
    `length` is where the game stood when this person had it.

    >>> spell([], 7)
    (0, None)
    >>> spell([10, 20], 7), spell([10, 20], 10), spell([10, 20], 33)
    ((0, 10), (10, 20), (20, None))
    """
    first: int = max((change for change in changes if change <= length), default=0)
    last = min((change for change in changes if change > length), default=None)
    return first, last


def _sign(state: GameState, action: Action) -> Sign | None:
    """Whether a liberal chose the fascists' way where there was the other."""
    if state.setup.roles[action.seat] is not Role.LIBERAL:
        return None
    match action:
        case Discard(policy=Policy.LIBERAL) if Policy.FASCIST in state.hand:
            return Sign.DISCARDED_LIBERAL
        case Enact(policy=Policy.FASCIST) if Policy.LIBERAL in state.hand:
            return Sign.ENACTED_FASCIST
    return None


def _hints(seen: _Seen, allowed: timedelta | None, *, is_to_the_end: bool) -> tuple[Hint, ...]:
    hints = [
        Hint(sign, tuple(dict.fromkeys(seen.rounds[sign])), len(seen.rounds[sign]))
        for sign in (Sign.DISCARDED_LIBERAL, Sign.ENACTED_FASCIST)
        if sign in seen.rounds
    ]
    late = seen.rounds.get(Sign.RAN_OUT, [])
    if late:
        rounds = tuple(dict.fromkeys(late))
        hints.append(Hint(Sign.RAN_OUT, rounds, len(late), len(seen.decided)))
    absent = _absent(seen.decided)
    if is_to_the_end and absent:
        hints.append(Hint(Sign.LEFT, (absent[0],), len(absent)))
    if allowed is not None and len(seen.times) >= _LEAST_MOVES:
        slow = sum(1 for time in seen.times if time >= SLOW * allowed)
        if slow:
            hints.append(Hint(Sign.SLOW, (), slow, len(seen.times)))
    return tuple(hints)


def _absent(decided: Sequence[tuple[int, bool]]) -> list[int]:
    """The rounds of the last decisions, where the clock made them all; oldest first."""
    rounds: list[int] = []
    for number, is_late in reversed(decided):
        if not is_late:
            break
        rounds.insert(0, number)
    return rounds if len(rounds) >= _LEFT else []
