"""What a beginner should know at a moment of the game, told from their own view alone."""

from enum import StrEnum
from typing import Final

from .components import FAILED_ELECTIONS_TO_CHAOS, Policy, Role
from .phases import Phase
from .powers import Power
from .view import View


class Hint(StrEnum):
    """One piece of advice. `games.wording.hints` has the sentences."""

    NOMINATE = "nominate"
    NOMINATE_ARMED = "nominate_armed"
    NOMINATE_FASCIST = "nominate_fascist"
    NOMINATE_HITLER_NOW = "nominate_hitler_now"
    NOMINATE_AS_HITLER = "nominate_as_hitler"
    VOTE = "vote"
    VOTE_LAST_CHANCE = "vote_last_chance"
    VOTE_ARMED = "vote_armed"
    VOTE_FASCIST = "vote_fascist"
    VOTE_HITLER_IN = "vote_hitler_in"
    VOTE_ME_IN = "vote_me_in"
    DISCARD = "discard"
    DISCARD_ALL_FASCIST = "discard_all_fascist"
    DISCARD_ALL_LIBERAL = "discard_all_liberal"
    DISCARD_FASCIST = "discard_fascist"
    DISCARD_LIBERAL = "discard_liberal"
    ENACT = "enact"
    ENACT_BOTH_FASCIST = "enact_both_fascist"
    ENACT_BOTH_LIBERAL = "enact_both_liberal"
    ENACT_FASCIST = "enact_fascist"
    VETO = "veto"
    INVESTIGATION = "investigation"
    SPECIAL_ELECTION = "special_election"
    PEEK = "peek"
    EXECUTION = "execution"
    EXECUTION_FASCIST = "execution_fascist"
    WAIT_NOMINATION = "wait_nomination"
    WAIT_NOMINATION_FASCIST = "wait_nomination_fascist"
    WAIT_SESSION = "wait_session"
    WAIT_POWER = "wait_power"


_POWERS: Final = {
    Power.INVESTIGATION: Hint.INVESTIGATION,
    Power.SPECIAL_ELECTION: Hint.SPECIAL_ELECTION,
    Power.PEEK: Hint.PEEK,
}

# What is the same in each round is said in the first ones: how to vote in two, what to watch while
# others act in one.
_ROUNDS_OF_VOTES: Final = 2
_ROUNDS_OF_WAITING: Final = 1


def hint_of(view: View) -> Hint | None:
    """Return the advice for the viewer's seat now; None for the dead and after the game."""
    if view.viewer is None or view.role is None or view.viewer not in view.alive:
        return None
    phase = view.phase
    if not view.legal:
        return _waiting(view)
    if phase is Phase.NOMINATION:
        return _nominating(view)
    if phase is Phase.ELECTION:
        return _voting(view)
    if phase is Phase.PRESIDENT_DISCARDS:
        return _discarding(view)
    if phase is Phase.CHANCELLOR_ENACTS:
        return _enacting(view)
    if phase is Phase.VETO_PROPOSED:
        return Hint.VETO
    if phase is Power.EXECUTION:
        return Hint.EXECUTION if _is_liberal(view) else Hint.EXECUTION_FASCIST
    return _POWERS.get(phase) if isinstance(phase, Power) else None


def _is_liberal(view: View) -> bool:
    return view.role is Role.LIBERAL


def _waiting(view: View) -> Hint | None:
    is_new = view.round <= _ROUNDS_OF_WAITING
    if view.phase is Phase.NOMINATION and is_new:
        return Hint.WAIT_NOMINATION if _is_liberal(view) else Hint.WAIT_NOMINATION_FASCIST
    if view.phase in (Phase.PRESIDENT_DISCARDS, Phase.CHANCELLOR_ENACTS) and is_new:
        return Hint.WAIT_SESSION
    return Hint.WAIT_POWER if isinstance(view.phase, Power) else None


def _nominating(view: View) -> Hint:
    if _is_liberal(view):
        return Hint.NOMINATE_ARMED if view.armed else Hint.NOMINATE
    if view.role is Role.HITLER:
        return Hint.NOMINATE_AS_HITLER
    hitler = view.roles.index(Role.HITLER) if Role.HITLER in view.roles else None
    return (
        Hint.NOMINATE_HITLER_NOW
        if view.armed and hitler in view.eligible
        else (Hint.NOMINATE_FASCIST)
    )


def _voting(view: View) -> Hint | None:
    nominee = view.nominee
    if not _is_liberal(view) and view.armed and nominee is not None:
        if nominee == view.viewer and view.role is Role.HITLER:
            return Hint.VOTE_ME_IN
        if view.roles[nominee] is Role.HITLER:
            return Hint.VOTE_HITLER_IN
    if view.tracker == FAILED_ELECTIONS_TO_CHAOS - 1:
        return Hint.VOTE_LAST_CHANCE
    if _is_liberal(view) and view.armed:
        return Hint.VOTE_ARMED
    if view.round > _ROUNDS_OF_VOTES:
        return None
    return Hint.VOTE if _is_liberal(view) else Hint.VOTE_FASCIST


def _discarding(view: View) -> Hint:
    kinds = {*(view.hand or ())}
    if len(kinds) == 1:
        is_liberal = Policy.LIBERAL in kinds
        return Hint.DISCARD_ALL_LIBERAL if is_liberal else Hint.DISCARD_ALL_FASCIST
    if _is_liberal(view):
        return Hint.DISCARD
    is_lone = [*(view.hand or ())].count(Policy.FASCIST) == 1
    return Hint.DISCARD_LIBERAL if is_lone else Hint.DISCARD_FASCIST


def _enacting(view: View) -> Hint:
    kinds = {*(view.hand or ())}
    if len(kinds) == 1:
        is_liberal = Policy.LIBERAL in kinds
        return Hint.ENACT_BOTH_LIBERAL if is_liberal else Hint.ENACT_BOTH_FASCIST
    return Hint.ENACT if _is_liberal(view) else Hint.ENACT_FASCIST
