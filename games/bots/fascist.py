"""How a fascist plays: hides early, strikes late, and tries to make Hitler Chancellor."""

from collections.abc import Callable
from typing import assert_never

from games.rules.actions import ANSWERS, PROPOSE_VETO, VOTES, Action
from games.rules.components import (
    FASCIST_POLICIES_TO_WIN,
    LIBERAL_POLICIES_TO_WIN,
    Party,
    Policy,
    Role,
)
from games.rules.phases import Phase
from games.rules.powers import POWERS, Aim, Power
from games.rules.view import View

from . import liberal
from .liberal import armed, passed_on
from .preference import best_target, with_policy
from .suspicion import Suspicion, public_suspicion

# The bonus for nominating the bot's own side. Small, or the table would see through it.
_OWN_SIDE = 0.05


def choose(view: View, below: Callable[[int], int]) -> Action:
    """Return the action of a fascist, who knows the roles revealed on the first night."""
    legal = view.legal
    public = public_suspicion(view)
    match view.phase:
        case Phase.NOMINATION:
            return best_target(legal, lambda seat: _worth_nominating(view, public, seat), below)
        case Phase.ELECTION:
            assert view.viewer is not None
            return VOTES[view.viewer][0 if _votes_ja(view, public) else 1]
        case Phase.PRESIDENT_DISCARDS:
            return with_policy(legal, _other(wanted(view, below)))
        case Phase.CHANCELLOR_ENACTS:
            return enact(view, below)
        case Phase.VETO_PROPOSED:
            return answer(view)
        case Power():
            return _use_power(view, public, view.phase, below)
        case Phase.OVER:
            raise AssertionError("the game is over")
        case _:
            assert_never(view.phase)


def _use_power(view: View, public: Suspicion, power: Power, below: Callable[[int], int]) -> Action:
    legal, aim = view.legal, POWERS[power].aim
    match aim:
        case Aim.NOBODY:
            return legal[0]
        case Aim.PROMOTE:
            return best_target(legal, lambda seat: _worth_calling(view, public, seat), below)
        case Aim.EXPOSE:
            # A seat is investigated only once: if a fascist uses that look on a fascist, no one
            # else gets it.
            return best_target(legal, lambda seat: float(is_fascist(view, seat)), below)
        case Aim.ELIMINATE:
            return best_target(legal, lambda seat: _worth_executing(view, public, seat), below)
        case _:
            assert_never(aim)


def is_fascist(view: View, seat: int) -> bool:
    return view.parties[seat] is Party.FASCIST


def is_hitler(view: View, seat: int) -> bool:
    return view.roles[seat] is Role.HITLER


def wanted(view: View, below: Callable[[int], int]) -> Policy:
    """Return the policy that a fascist in office wants enacted."""
    if view.fascist == FASCIST_POLICIES_TO_WIN - 1 or view.liberal == LIBERAL_POLICIES_TO_WIN - 1:
        return Policy.FASCIST
    president, chancellor = view.president, view.chancellor
    assert president is not None and chancellor is not None
    power = view.powers[view.fascist]
    if power is not None and is_fascist(view, president):
        return Policy.FASCIST
    # One culprit is enough: a fascist President leaves the choice to a fascist Chancellor.
    if view.viewer == president and is_fascist(view, chancellor):
        return Policy.FASCIST if view.fascist else Policy.LIBERAL
    if view.liberal >= 2 or view.fascist >= 2:
        return Policy.FASCIST
    # Early in the game, trust is usually worth more than a policy.
    return Policy.LIBERAL if below(2) else Policy.FASCIST


def enact(view: View, below: Callable[[int], int]) -> Action:
    """Act as Chancellor: enact the wanted policy, or propose a veto if both are liberal."""
    assert view.viewer is not None and view.hand is not None
    veto = PROPOSE_VETO[view.viewer]
    if Policy.FASCIST not in view.hand and veto in view.legal:
        return veto
    return with_policy(view.legal, wanted(view, below))


def answer(view: View) -> Action:
    """Answer as President: consent only if the Chancellor would have to enact a liberal policy."""
    assert view.viewer is not None
    return ANSWERS[view.viewer][1 if Policy.FASCIST in passed_on(view) else 0]


def _worth_nominating(view: View, public: Suspicion, seat: int) -> float:
    if armed(view) and is_hitler(view, seat):
        return 10.0
    return (_OWN_SIDE if is_fascist(view, seat) else 0.0) - liberal.chancellor_risk(
        view, public, seat
    )


def _votes_ja(view: View, public: Suspicion) -> bool:
    president, chancellor = view.candidate, view.nominee
    assert president is not None and chancellor is not None
    if armed(view) and is_hitler(view, chancellor):
        return True
    looks_fine = liberal.trusts_government(view, public)
    if is_fascist(view, president) or is_fascist(view, chancellor):
        # The table would remember a vote for a pair that everyone suspects.
        return looks_fine
    # Chaos enacts fascist policies more often than an honest pair does.
    return looks_fine and view.tracker < 2 and not armed(view)


def _worth_calling(view: View, public: Suspicion, seat: int) -> float:
    """Score seats for a special election: fascists who may nominate Hitler, least suspect first."""
    side = 1.0 if is_fascist(view, seat) and not is_hitler(view, seat) else 0.0
    return side - public.fascist[seat]


def _worth_executing(view: View, public: Suspicion, seat: int) -> float:
    """Score seats for an execution: never Hitler or a fascist, else the most trusted liberal."""
    if is_fascist(view, seat):
        return -20.0 if is_hitler(view, seat) else -10.0
    return -public.fascist[seat]


def _other(policy: Policy) -> Policy:
    return Policy.FASCIST if policy is Policy.LIBERAL else Policy.LIBERAL
