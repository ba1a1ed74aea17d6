"""Which actions a seat may take now, and which rule any other action breaks."""

from enum import StrEnum
from typing import Final

from .actions import (
    ANSWERS,
    CALL,
    DISCARD,
    ENACT,
    EXECUTE,
    INVESTIGATE,
    NOMINATE,
    PEEK,
    PROPOSE_VETO,
    VOTES,
    Action,
    AnswerVeto,
    CallSpecialElection,
    Discard,
    Enact,
    Execute,
    Investigate,
    Nominate,
    Peek,
    ProposeVeto,
    Vote,
)
from .components import Policy
from .state import GameState, Phase


class Reason(StrEnum):
    """The rule that an illegal action breaks."""

    GAME_OVER = "game_over"
    NO_SUCH_SEAT = "no_such_seat"
    DEAD = "dead"
    WRONG_PHASE = "wrong_phase"
    NOT_YOUR_TURN = "not_your_turn"
    YOURSELF = "yourself"
    TARGET_DEAD = "target_dead"
    TERM_LIMITED = "term_limited"
    NOT_IN_HAND = "not_in_hand"
    VETO_LOCKED = "veto_locked"
    VETO_REFUSED = "veto_refused"
    INVESTIGATED_BEFORE = "investigated_before"


class IllegalAction(Exception):
    """An action that the rules do not allow; `reason` names the rule. The position is unchanged."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


NOMINATION: Final = Phase.NOMINATION
ELECTION: Final = Phase.ELECTION

# The phase of each action. Proposing a veto belongs to the Chancellor's phase.
_PHASES: Final[dict[type[Action], Phase]] = {
    Nominate: Phase.NOMINATION,
    Vote: Phase.ELECTION,
    Discard: Phase.PRESIDENT_DISCARDS,
    Enact: Phase.CHANCELLOR_ENACTS,
    ProposeVeto: Phase.CHANCELLOR_ENACTS,
    AnswerVeto: Phase.VETO_PROPOSED,
    Investigate: Phase.INVESTIGATION,
    CallSpecialElection: Phase.SPECIAL_ELECTION,
    Peek: Phase.PEEK,
    Execute: Phase.EXECUTION,
}


def legal_actions(state: GameState, seat: int) -> tuple[Action, ...]:
    """Return every action that `seat` may take now; empty if it has nothing to decide."""
    phase = state.phase
    if phase is ELECTION:
        return VOTES[seat] if seat in state.alive else ()
    if seat not in state.to_act:
        return ()
    if phase is NOMINATION:
        row = NOMINATE[seat]
        return tuple([row[target] for target in state.eligible])
    if phase is Phase.PRESIDENT_DISCARDS:
        return tuple([DISCARD[seat][policy] for policy in _kinds(state.hand)])
    if phase is Phase.CHANCELLOR_ENACTS:
        enact = tuple([ENACT[seat][policy] for policy in _kinds(state.hand)])
        if state.veto_unlocked and not state.veto_refused:
            return (*enact, PROPOSE_VETO[seat])
        return enact
    if phase is Phase.VETO_PROPOSED:
        return ANSWERS[seat]
    if phase is Phase.PEEK:
        return PEEK[seat]
    others = [target for target in state.alive if target != seat]
    if phase is Phase.INVESTIGATION:
        row_i = INVESTIGATE[seat]
        return tuple([row_i[target] for target in others if target not in state.investigated])
    if phase is Phase.SPECIAL_ELECTION:
        return tuple([CALL[seat][target] for target in others])
    return tuple([EXECUTE[seat][target] for target in others])


def refusal(state: GameState, action: Action) -> Reason | None:
    """Return the rule that `action` breaks in this position, or None if it is legal."""
    phase = state.phase
    seat = action.seat
    kind = type(action)
    if kind is Vote and phase is ELECTION and seat in state.alive:
        return None
    if phase is Phase.OVER:
        return Reason.GAME_OVER
    if not 0 <= seat < state.players:
        return Reason.NO_SUCH_SEAT
    if seat not in state.alive:
        return Reason.DEAD
    if phase is not _PHASES[kind]:
        return Reason.WRONG_PHASE
    if seat not in state.to_act:
        return Reason.NOT_YOUR_TURN
    if isinstance(action, Nominate | Investigate | CallSpecialElection | Execute):
        return _target_refusal(state, action)
    if isinstance(action, Discard | Enact):
        return None if action.policy in state.hand else Reason.NOT_IN_HAND
    if kind is ProposeVeto:
        if not state.veto_unlocked:
            return Reason.VETO_LOCKED
        if state.veto_refused:
            return Reason.VETO_REFUSED
    return None


def _target_refusal(
    state: GameState, action: Nominate | Investigate | CallSpecialElection | Execute
) -> Reason | None:
    target = action.target
    if not 0 <= target < state.players:
        return Reason.NO_SUCH_SEAT
    if target == action.seat:
        return Reason.YOURSELF
    if target not in state.alive:
        return Reason.TARGET_DEAD
    if type(action) is Nominate and target in state.limited:
        return Reason.TERM_LIMITED
    if type(action) is Investigate and target in state.investigated:
        return Reason.INVESTIGATED_BEFORE
    return None


def _kinds(hand: tuple[Policy, ...]) -> list[Policy]:
    # Two equal tiles offer only one choice.
    first = hand[0]
    if all(policy is first for policy in hand):
        return [first]
    return [Policy.LIBERAL, Policy.FASCIST]
