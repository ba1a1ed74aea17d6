"""How a fascist plays: hides early, strikes late, and wants Hitler to be Chancellor."""

from collections.abc import Callable

from games.rules.actions import ANSWERS, PROPOSE_VETO, VOTES, Action
from games.rules.components import (
    FASCIST_POLICIES_TO_WIN,
    LIBERAL_POLICIES_TO_WIN,
    Party,
    Policy,
    Role,
)
from games.rules.state import Phase
from games.rules.view import View

from . import liberal
from .liberal import armed, passed_on
from .preference import best_target, with_policy
from .suspicion import Suspicion, public_suspicion

# How much one's own side is worth in a nomination: a little, or the table would see through it.
_OWN_SIDE = 0.05


def choose(view: View, below: Callable[[int], int]) -> Action:
    """What a fascist does, who knows the roles that the night showed."""
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
        case Phase.SPECIAL_ELECTION:
            return best_target(legal, lambda seat: _worth_calling(view, public, seat), below)
        case Phase.INVESTIGATION:
            # Nobody is investigated twice: a look at one's own side is a look nobody else has.
            return best_target(legal, lambda seat: float(is_fascist(view, seat)), below)
        case Phase.EXECUTION:
            return best_target(legal, lambda seat: _worth_executing(view, public, seat), below)
        case _:
            return legal[0]


def is_fascist(view: View, seat: int) -> bool:
    return view.parties[seat] is Party.FASCIST


def is_hitler(view: View, seat: int) -> bool:
    return view.roles[seat] is Role.HITLER


def wanted(view: View, below: Callable[[int], int]) -> Policy:
    """The policy that a fascist in office would have enacted."""
    if view.fascist == FASCIST_POLICIES_TO_WIN - 1 or view.liberal == LIBERAL_POLICIES_TO_WIN - 1:
        return Policy.FASCIST
    president, chancellor = view.president, view.chancellor
    assert president is not None and chancellor is not None
    power = view.powers[view.fascist]
    if power is not None and is_fascist(view, president):
        return Policy.FASCIST
    # One culprit is enough: a President leaves the choice to a fascist Chancellor.
    if view.viewer == president and is_fascist(view, chancellor):
        return Policy.FASCIST if view.fascist else Policy.LIBERAL
    if view.liberal >= 2 or view.fascist >= 2:
        return Policy.FASCIST
    # Early on, trust is worth more than a policy, mostly.
    return Policy.LIBERAL if below(2) else Policy.FASCIST


def enact(view: View, below: Callable[[int], int]) -> Action:
    """As Chancellor: the policy wanted, and a veto where both are liberal."""
    assert view.viewer is not None and view.hand is not None
    veto = PROPOSE_VETO[view.viewer]
    if Policy.FASCIST not in view.hand and veto in view.legal:
        return veto
    return with_policy(view.legal, wanted(view, below))


def answer(view: View) -> Action:
    """As President: consent only where the Chancellor would have to enact a liberal policy."""
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
        # A vote for a pair that everybody fears would be remembered.
        return looks_fine
    # Chaos turns up fascist policies more often than an honest pair does.
    return looks_fine and view.tracker < 2 and not armed(view)


def _worth_calling(view: View, public: Suspicion, seat: int) -> float:
    """A fascist who may nominate Hitler, of those the least suspect."""
    side = 1.0 if is_fascist(view, seat) and not is_hitler(view, seat) else 0.0
    return side - public.fascist[seat]


def _worth_executing(view: View, public: Suspicion, seat: int) -> float:
    """Never Hitler, nor a friend: the liberal whom the table trusts most."""
    if is_fascist(view, seat):
        return -20.0 if is_hitler(view, seat) else -10.0
    return -public.fascist[seat]


def _other(policy: Policy) -> Policy:
    return Policy.FASCIST if policy is Policy.LIBERAL else Policy.LIBERAL
