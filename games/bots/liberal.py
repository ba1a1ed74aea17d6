"""How a liberal plays, and any bot that wants to pass for a liberal."""

from collections.abc import Callable
from typing import assert_never

from games.rules.actions import ANSWERS, PROPOSE_VETO, VOTES, Action
from games.rules.components import FAILED_ELECTIONS_TO_CHAOS, Policy
from games.rules.knowledge import Drawn
from games.rules.phases import Phase
from games.rules.powers import POWERS, Aim, Power
from games.rules.view import View

from .preference import best_target, with_policy
from .suspicion import Suspicion

# How far a government's suspicion may exceed the average, by election tracker.
_PATIENCE = (0.10, 0.22, 0.55)
# The highest accepted probability that the Chancellor is Hitler, once three fascist policies are
# enacted, by election tracker.
_DARING = (0.20, 0.25, 0.45)

# How much more likely a nominee is Hitler if the President is a fascist.
_BAD_COMPANY = 1.5


def choose(view: View, belief: Suspicion, below: Callable[[int], int]) -> Action:
    """Return the action of a liberal with this `belief`, in any phase."""
    legal = view.legal
    match view.phase:
        case Phase.NOMINATION:
            return best_target(legal, lambda seat: -chancellor_risk(view, belief, seat), below)
        case Phase.ELECTION:
            assert view.viewer is not None
            return VOTES[view.viewer][0 if trusts_government(view, belief) else 1]
        case Phase.PRESIDENT_DISCARDS:
            return with_policy(legal, Policy.FASCIST)
        case Phase.CHANCELLOR_ENACTS:
            return _enact(view)
        case Phase.VETO_PROPOSED:
            return _answer(view)
        case Power():
            return use_power(view, belief, view.phase, below)
        case Phase.OVER:
            raise AssertionError("the game is over")
        case _:
            assert_never(view.phase)


def use_power(view: View, belief: Suspicion, power: Power, below: Callable[[int], int]) -> Action:
    """Return the action of a President who has this power."""
    legal, aim = view.legal, POWERS[power].aim
    match aim:
        case Aim.NOBODY:
            return legal[0]
        case Aim.PROMOTE:
            return best_target(legal, lambda seat: -belief.fascist[seat], below)
        case Aim.EXPOSE:
            return best_target(legal, lambda seat: worth_looking_at(view, belief, seat), below)
        case Aim.ELIMINATE:
            return best_target(legal, lambda seat: worth_executing(belief, seat), below)
        case _:
            assert_never(aim)


def chancellor_risk(view: View, belief: Suspicion, seat: int) -> float:
    """Return how dangerous this Chancellor would be: as a fascist and, once `armed`, as Hitler."""
    return belief.fascist[seat] + (3 * belief.hitler[seat] if armed(view) else 0.0)


def trusts_government(view: View, belief: Suspicion) -> bool:
    """Return whether a liberal votes Ja: the pair looks no worse than others, or chaos is worse."""
    viewer, president, chancellor = view.viewer, view.candidate, view.nominee
    assert president is not None and chancellor is not None
    tracker = min(view.tracker, FAILED_ELECTIONS_TO_CHAOS - 1)
    if armed(view) and _hitler_risk(view, belief, president, chancellor) > _DARING[tracker]:
        return False
    others = [seat for seat in view.alive if seat != viewer]
    strangers = [seat for seat in (president, chancellor) if seat != viewer]
    fear = sum(belief.fascist[seat] for seat in strangers) / len(strangers)
    if armed(view) and chancellor in view.cleared:
        fear -= 0.1
    return fear <= belief.mean(others) + _PATIENCE[tracker]


def _hitler_risk(view: View, belief: Suspicion, president: int, chancellor: int) -> float:
    """Return the probability that the nominee is Hitler, whom a fascist President would prefer."""
    if president == view.viewer:
        return belief.hitler[chancellor]
    return belief.hitler[chancellor] * (1 + _BAD_COMPANY * belief.fascist[president])


def worth_looking_at(view: View, belief: Suspicion, seat: int) -> float:
    """Score seats for an investigation: the most suspect first, known parties last."""
    return -1.0 if view.parties[seat] is not None else belief.fascist[seat]


def worth_executing(belief: Suspicion, seat: int) -> float:
    """Score seats for an execution: Hitler's death wins the game, a fascist's helps."""
    return belief.fascist[seat] + 2 * belief.hitler[seat]


def armed(view: View) -> bool:
    """Return whether electing Hitler would end the game."""
    return view.armed


def _enact(view: View) -> Action:
    assert view.viewer is not None and view.hand is not None
    veto = PROPOSE_VETO[view.viewer]
    if Policy.LIBERAL not in view.hand and veto in view.legal:
        return veto
    return with_policy(view.legal, Policy.LIBERAL)


def _answer(view: View) -> Action:
    """Answer as President: consent, unless the Chancellor received no fascist policy."""
    assert view.viewer is not None
    return ANSWERS[view.viewer][1 if Policy.FASCIST not in passed_on(view) else 0]


def passed_on(view: View) -> tuple[Policy, ...]:
    """Return the two cards that the viewer, as this round's President, passed to the Chancellor."""
    drawn = next(
        item for item in view.knowledge if isinstance(item, Drawn) and item.round == view.round
    )
    cards = list(drawn.policies)
    cards.remove(drawn.discarded)
    return tuple(cards)
