"""Which actions a seat may take now, and which rule any other action breaks."""

from typing import Final, assert_never

from .actions import (
    ANSWERS,
    DISCARD,
    ENACT,
    NOMINATE,
    PROPOSE_VETO,
    USE_POWER,
    VOTES,
    Action,
    AnswerVeto,
    Discard,
    Enact,
    Nominate,
    ProposeVeto,
    Vote,
)
from .components import Policy
from .phases import AnyPhase, Phase
from .powers import POWER_OF_ACTION, POWERS, Power, UsePower, UsePowerOn
from .reasons import Reason
from .state import GameState


class IllegalAction(Exception):
    """An action that the rules do not allow; `reason` names the rule. The position is unchanged."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


NOMINATION: Final = Phase.NOMINATION
ELECTION: Final = Phase.ELECTION

# The phase of each action. Proposing a veto belongs to the Chancellor's phase.
_PHASES: Final[dict[type[Action], AnyPhase]] = {
    Nominate: Phase.NOMINATION,
    Vote: Phase.ELECTION,
    Discard: Phase.PRESIDENT_DISCARDS,
    Enact: Phase.CHANCELLOR_ENACTS,
    ProposeVeto: Phase.CHANCELLOR_ENACTS,
    AnswerVeto: Phase.VETO_PROPOSED,
    **{entry.action: power for power, entry in POWERS.items()},
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
    if phase is Phase.OVER:
        return ()
    if isinstance(phase, Power):
        return _uses(state, seat, phase)
    assert_never(phase)


def _uses(state: GameState, seat: int, power: Power) -> tuple[Action, ...]:
    entry, uses = POWERS[power], USE_POWER[power][seat]
    if not entry.has_target:
        return uses
    refusal_of = entry.refusal
    return tuple(
        [
            uses[target]
            for target in state.alive
            if target != seat and refusal_of(state, target) is None
        ]
    )


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
    match action:
        case Discard() | Enact():
            return None if action.policy in state.hand else Reason.NOT_IN_HAND
        case Nominate() | UsePowerOn():
            return _target_refusal(state, action)
        case ProposeVeto():
            if not state.veto_unlocked:
                return Reason.VETO_LOCKED
            return Reason.VETO_REFUSED if state.veto_refused else None
        case Vote() | AnswerVeto() | UsePower():
            return None
        case _:
            assert_never(action)


def _target_refusal(state: GameState, action: Nominate | UsePowerOn) -> Reason | None:
    target = action.target
    if not 0 <= target < state.players:
        return Reason.NO_SUCH_SEAT
    if target == action.seat:
        return Reason.YOURSELF
    if target not in state.alive:
        return Reason.TARGET_DEAD
    if isinstance(action, UsePowerOn):
        return POWERS[POWER_OF_ACTION[type(action)]].refusal(state, target)
    return Reason.TERM_LIMITED if target in state.limited else None


def _kinds(hand: tuple[Policy, ...]) -> list[Policy]:
    # Two equal tiles offer only one choice.
    first = hand[0]
    if all(policy is first for policy in hand):
        return [first]
    return [Policy.LIBERAL, Policy.FASCIST]
