"""Signs of throwing or stalling in a finished game, for a moderator to judge.

Pure functions over the record. A hint is no proof: a liberal may discard a liberal policy to test
another player, and connections break. So each hint says only what happened and in which round.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, assert_never

from games.rules.actions import Action, AnswerVeto, Discard, Enact, Nominate, ProposeVeto, Vote
from games.rules.components import Policy, Role
from games.rules.powers import UsePower
from games.rules.view import Turn, View

# A decision is slow from this share of the allowed time on.
SLOW: Final = 0.75
# With fewer timed moves a share means nothing.
_LEAST_MOVES: Final = 4
# A player has left if the clock made at least this many decisions in a row, up to the last one of
# the game.
_LEFT: Final = 2

_BY_CLOCK: Final = "clock"
_BY_PLAYER: Final = "player"


class SignKind(StrEnum):
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
class ConductSign:
    sign: SignKind
    # The rounds in which it happened, each once.
    rounds: tuple[int, ...] = ()
    # How often it happened, and out of how many decisions.
    count: int = 0
    of: int = 0


@dataclass(slots=True)
class _Seen:
    """What is collected about a seat while its game is replayed."""

    rounds: dict[SignKind, list[int]] = field(default_factory=dict)
    # Each decision, oldest first: its round, and whether the clock made it.
    decided: list[tuple[int, bool]] = field(default_factory=list)
    # How long each decision took that the player made.
    times: list[timedelta] = field(default_factory=list)

    def note(self, sign: SignKind, number: int) -> None:
        self.rounds.setdefault(sign, []).append(number)


def conduct_signs_of(
    turns: Iterable[Turn],
    *,
    allowed: timedelta | None = None,
    first: int = 0,
    last: int | None = None,
) -> tuple[ConductSign, ...]:
    """Return the hints about the player of a seat, () if there are none.

    `turns` are those of the game as the seat saw them. `allowed` is the time limit of a decision,
    None without a clock. `first` and `last` are action numbers, for a seat that changed hands: the
    player held it from action `first` on and before action `last`.
    """
    seen = _Seen()
    begun: datetime | None = None
    voted = ""
    for turn in turns:
        before = turn.before
        at = None if turn.at is None else datetime.fromisoformat(turn.at)
        # Only the seat's own actions are known.
        action = turn.action
        is_held = first <= turn.number and (last is None or turn.number < last)
        # A ballot may be changed: only the first one counts.
        is_again = isinstance(action, Vote) and voted == before.decision
        if action is not None and is_held and not is_again:
            is_late = turn.by == _BY_CLOCK
            seen.decided.append((before.round, is_late))
            if is_late:
                seen.note(SignKind.RAN_OUT, before.round)
            elif turn.by in (None, _BY_PLAYER):
                sign = _kind_of(before, action)
                if sign is not None:
                    seen.note(sign, before.round)
                if at is not None and begun is not None:
                    seen.times.append(at - begun)
            if isinstance(action, Vote):
                voted = before.decision
        if turn.after.decision != before.decision:
            begun = at
    return _signs(seen, allowed, is_to_the_end=last is None)


def time_in_seat(changes: Sequence[int], length: int) -> tuple[int, int | None]:
    """Return the first and last action between which a player held the seat.

    `changes` are the numbers of the actions at which the seat changed hands, in order; `length` is
    the number of actions at a moment when this player held the seat.

    >>> time_in_seat([], 7)
    (0, None)
    >>> time_in_seat([10, 20], 7), time_in_seat([10, 20], 10), time_in_seat([10, 20], 33)
    ((0, 10), (10, 20), (20, None))
    """
    first: int = max((change for change in changes if change <= length), default=0)
    last = min((change for change in changes if change > length), default=None)
    return first, last


def _kind_of(view: View, action: Action) -> SignKind | None:
    """Return the sign if a liberal chose a fascist policy while a liberal one was possible."""
    if view.role is not Role.LIBERAL or view.hand is None:
        return None
    match action:
        case Discard(policy=Policy.LIBERAL) if Policy.FASCIST in view.hand:
            return SignKind.DISCARDED_LIBERAL
        case Enact(policy=Policy.FASCIST) if Policy.LIBERAL in view.hand:
            return SignKind.ENACTED_FASCIST
        case Discard() | Enact() | Nominate() | Vote() | ProposeVeto() | AnswerVeto() | UsePower():
            return None
        case _:
            assert_never(action)


def _signs(
    seen: _Seen, allowed: timedelta | None, *, is_to_the_end: bool
) -> tuple[ConductSign, ...]:
    hints = [
        ConductSign(sign, tuple(dict.fromkeys(seen.rounds[sign])), len(seen.rounds[sign]))
        for sign in (SignKind.DISCARDED_LIBERAL, SignKind.ENACTED_FASCIST)
        if sign in seen.rounds
    ]
    late = seen.rounds.get(SignKind.RAN_OUT, [])
    if late:
        rounds = tuple(dict.fromkeys(late))
        hints.append(ConductSign(SignKind.RAN_OUT, rounds, len(late), len(seen.decided)))
    absent = _absent(seen.decided)
    if is_to_the_end and absent:
        hints.append(ConductSign(SignKind.LEFT, (absent[0],), len(absent)))
    if allowed is not None and len(seen.times) >= _LEAST_MOVES:
        slow = sum(1 for time in seen.times if time >= SLOW * allowed)
        if slow:
            hints.append(ConductSign(SignKind.SLOW, (), slow, len(seen.times)))
    return tuple(hints)


def _absent(decided: Sequence[tuple[int, bool]]) -> list[int]:
    """Return the rounds of the final decisions that the clock made in a row, oldest first."""
    rounds: list[int] = []
    for number, is_late in reversed(decided):
        if not is_late:
            break
        rounds.insert(0, number)
    return rounds if len(rounds) >= _LEFT else []
