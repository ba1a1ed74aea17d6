"""How Hitler plays: like a liberal, until playing as a fascist can win the game."""

from collections.abc import Callable

from games.rules.actions import Action
from games.rules.components import FASCIST_POLICIES_TO_WIN, LIBERAL_POLICIES_TO_WIN, Policy
from games.rules.phases import Phase
from games.rules.powers import POWERS, Aim, Power
from games.rules.view import View

from . import fascist, liberal
from .preference import best_target, with_policy
from .suspicion import public_suspicion


def choose(view: View, below: Callable[[int], int]) -> Action:
    """Return Hitler's action. Hitler knows the fascist with five or six players, else no one."""
    public = public_suspicion(view)
    if view.phase is Phase.ELECTION and liberal.armed(view) and view.nominee == view.viewer:
        return view.legal[0]
    if isinstance(view.phase, Power) and POWERS[view.phase].aim is Aim.ELIMINATE:
        # Spare the known fascist. If none is known, execute the most trusted seat, which is a
        # liberal.
        return best_target(
            view.legal,
            lambda seat: -2.0 * fascist.is_fascist(view, seat) - public.fascist[seat],
            below,
        )
    if _is_decisive(view):
        if view.phase is Phase.PRESIDENT_DISCARDS:
            return with_policy(view.legal, Policy.LIBERAL)
        if view.phase is Phase.CHANCELLOR_ENACTS:
            return fascist.enact(view, below)
        if view.phase is Phase.VETO_PROPOSED:
            return fascist.answer(view)
    return liberal.choose(view, public, below)


def _is_decisive(view: View) -> bool:
    """Return whether either side is close to winning, so that little is left to hide for."""
    return (
        view.fascist >= FASCIST_POLICIES_TO_WIN - 1 or view.liberal >= LIBERAL_POLICIES_TO_WIN - 2
    )
