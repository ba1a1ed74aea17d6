"""Signs of throwing or stalling in a finished game, for a moderator to judge.

Pure functions over the record. A hint is no proof: a liberal may discard a liberal policy to test
another player, and connections break. So each hint says only what happened and in which round.
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

# A decision is slow from this share of the allowed time on.
SLOW: Final = 0.75
# With fewer timed moves a share means nothing.
_LEAST_MOVES: Final = 4
# A player has left if the clock made at least this many decisions in a row, up to the last one of
# the game.
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
    # The player was no longer there when the game ended.
    LEFT = "left"
    # Decisions that took three quarters of their time or more.
    SLOW = "slow"


@dataclass(frozen=True, slots=True)
class Hint:
    sign: Sign
    # The rounds in which it happened, each once.
    rounds: tuple[int, ...] = ()
    # How often it happened, and out of how many decisions.
    count: int = 0
    of: int = 0


@dataclass(slots=True)
class _Seen:
    """What is collected about a seat while its game is replayed."""

    rounds: dict[Sign, list[int]] = field(default_factory=dict)
    # Each decision, oldest first: its round, and whether the clock made it.
    decided: list[tuple[int, bool]] = field(default_factory=list)
    # How long each decision took that the player made.
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
    """Return the hints about the player of `seat` in a record; () if there are none.

    `allowed` is the time limit of a decision, None without a clock. `first` and `last` are action
    numbers, for a seat that changed hands: the player held it from action `first` on and before
    action `last`. Raises what `replay` raises.
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
        # A ballot may be changed: only the first one counts.
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
    """Return the part of a game in which a player held the seat: `first` and `last` of `hints_of`.

    `changes` are the numbers of the actions at which the seat changed hands, in order; `length` is
    the number of actions at a moment when this player held the seat.

    >>> spell([], 7)
    (0, None)
    >>> spell([10, 20], 7), spell([10, 20], 10), spell([10, 20], 33)
    ((0, 10), (10, 20), (20, None))
    """
    first: int = max((change for change in changes if change <= length), default=0)
    last = min((change for change in changes if change > length), default=None)
    return first, last


def _sign(state: GameState, action: Action) -> Sign | None:
    """Return the sign if a liberal chose a fascist policy while a liberal one was possible."""
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
    """Return the rounds of the final decisions that the clock made in a row, oldest first."""
    rounds: list[int] = []
    for number, is_late in reversed(decided):
        if not is_late:
            break
        rounds.insert(0, number)
    return rounds if len(rounds) >= _LEFT else []
