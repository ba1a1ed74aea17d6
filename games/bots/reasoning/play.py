"""How a reasoning bot decides: as people of its role do, moved towards what wins.

Each option has the log odds of the habit, plus its worth to the bot's side times `_WEIGHT`. The
option is drawn from the result, so that a bot that hides does now and then what a liberal would
not, as people do.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import comb, exp
from typing import Final, assert_never

from games.bots.heard import Heard
from games.inference import questions, standard_tables
from games.inference.assignments import CODES, LIBERAL, joint_roles
from games.rules.actions import (
    ANSWERS,
    PROPOSE_VETO,
    VOTES,
    Action,
    Discard,
    Enact,
    Nominate,
)
from games.rules.components import (
    FAILED_ELECTIONS_TO_CHAOS,
    FASCIST_POLICIES_TO_WIN,
    LIBERAL_POLICIES,
    LIBERAL_POLICIES_TO_WIN,
    POLICIES,
    Policy,
    Role,
)
from games.rules.phases import Phase
from games.rules.powers import POWERS, Aim, Power, UsePowerOn
from games.rules.view import View

from .habits import standard_habits
from .mind import Odds, odds_for, own_belief, public_belief
from .situation import (
    is_armed,
    is_fascist,
    is_hitler,
    logit,
    nomination_features,
    policy_features,
    target_features,
    veto_features,
    vote_features,
)
from .worth import liberals_win

Below = Callable[[int], int]

# How strongly the worth of an option moves a bot away from habit. With 10, an option that wins 10
# percentage points more often becomes e times as likely.
WEIGHT: Final = {
    "lvote": 80.0, "fvote": 0.0, "hvote": 0.0, "win": 3.0, "winnom": 1.5,
    "lnom": 80.0, "fnom": 0.0, "hnom": 0.0,
    "lpolicy": 30.0, "fpolicy": 6.0, "hpolicy": 0.0,
    "ltarget": 60.0, "ftarget": 60.0, "htarget": 60.0,
    "lhabit": 1.0, "fhabit": 1.0, "hhabit": 1.0,
}
# How often a government of these roles (President, Chancellor) enacts a fascist policy, in games
# of people: True for a fascist.
_FASCIST_POLICY: Final = {
    (False, False): 0.30,
    (False, True): 0.52,
    (True, False): 0.66,
    (True, True): 0.75,
}
_FINE: Final = 1 << 30


def choose(view: View, heard: Heard, below: Below) -> Action:
    """Return the action of a reasoning bot."""
    if len(view.legal) == 1:
        return view.legal[0]
    match view.phase:
        case Phase.NOMINATION:
            return _nominate(view, heard, below)
        case Phase.ELECTION:
            return _vote(view, heard, below)
        case Phase.PRESIDENT_DISCARDS:
            return _discard(view, below)
        case Phase.CHANCELLOR_ENACTS:
            return _enact(view, below)
        case Phase.VETO_PROPOSED:
            return _answer(view, below)
        case Power():
            return _use_power(view, heard, view.phase, below)
        case Phase.OVER:
            raise AssertionError("the game is over")
        case _:
            assert_never(view.phase)


# Elections ------------------------------------------------------------------------------------


def _mask(view: View) -> View:
    """Return the view that a liberal in the viewer's seat would have, who has seen nothing."""
    if view.role is Role.LIBERAL:
        return view
    roles = tuple(Role.LIBERAL if seat == view.viewer else None for seat in range(view.players))
    parties = tuple(None if role is None else role.party for role in roles)
    return replace(view, role=Role.LIBERAL, roles=roles, parties=parties)


def _vote(view: View, heard: Heard, below: Below) -> Action:
    assert view.viewer is not None and view.role is not None
    odds, mask = odds_for(view, heard), _mask(view)
    president, chancellor = view.candidate, view.nominee
    assert president is not None and chancellor is not None
    score = standard_habits().score("vote", Role.LIBERAL, vote_features(mask, odds))
    refused = _worth_of_refusal(view)
    score += WEIGHT["lvote"] * (_worth_of(mask, heard, odds, president, chancellor) - refused)
    if mask is not view:
        gain = _worth_of(view, heard, odds, president, chancellor) - refused
        score -= _weight(view, "vote") * gain
        if is_armed(view) and is_hitler(view, chancellor):
            score += WEIGHT["win"]
    return VOTES[view.viewer][0 if _happens(score, below) else 1]


def _worth_of(view: View, heard: Heard, odds: Odds, president: int, chancellor: int) -> float:
    """Return the liberals' chance to win after this government is elected, as the viewer sees it."""
    hitler = 0.0
    if is_armed(view) and chancellor not in view.cleared and chancellor != view.viewer:
        hitler = _sharp(odds.hitler[chancellor])
    if view.role is not Role.LIBERAL:
        p, c = is_fascist(view, president), is_fascist(view, chancellor)
        hitler = float(is_armed(view) and is_hitler(view, chancellor))
        fascist = _FASCIST_POLICY[p, c]
    else:
        p_odds = 0.0 if president == view.viewer else odds.fascist[president]
        c_odds = 0.0 if chancellor == view.viewer else odds.fascist[chancellor]
        fascist = sum(
            (p_odds if p else 1 - p_odds) * (c_odds if c else 1 - c_odds) * share
            for (p, c), share in _FASCIST_POLICY.items()
        )
    after = (1 - fascist) * liberals_win(view.liberal + 1, view.fascist) + fascist * liberals_win(
        view.liberal, view.fascist + 1
    )
    return (1 - hitler) * after


def _sharp(p: float) -> float:
    """Return the odds that a nominee is Hitler once that ends the game."""
    return 1 / (1 + exp(-0.96 - 1.6 * logit(p, 0.003)))


def _worth_of_refusal(view: View) -> float:
    if view.tracker + 1 < FAILED_ELECTIONS_TO_CHAOS:
        return liberals_win(view.liberal, view.fascist, view.tracker + 1)
    left = POLICIES - view.liberal - view.fascist
    liberal = (LIBERAL_POLICIES - view.liberal) / left
    return liberal * liberals_win(view.liberal + 1, view.fascist) + (1 - liberal) * liberals_win(
        view.liberal, view.fascist + 1
    )


def _nominate(view: View, heard: Heard, below: Below) -> Action:
    assert view.viewer is not None and view.role is not None
    odds, habits = odds_for(view, heard), standard_habits()
    nominations = [action for action in view.legal if isinstance(action, Nominate)]
    scores = []
    refused, mask = _worth_of_refusal(view), _mask(view)
    for action in nominations:
        features = nomination_features(mask, odds, action.target)
        elected = _chance_of_election(mask, odds, action.target)
        worth = elected * _worth_of(mask, heard, odds, view.viewer, action.target)
        worth += (1 - elected) * refused
        score = habits.score("nominate", Role.LIBERAL, features) + WEIGHT["lnom"] * worth
        if mask is not view:
            worth = elected * _worth_of(view, heard, odds, view.viewer, action.target)
            score -= _weight(view, "nom") * (worth + (1 - elected) * refused)
            if is_armed(view) and is_hitler(view, action.target):
                score += WEIGHT["winnom"]
        scores.append(score)
    return nominations[_drawn(scores, below)]


def _chance_of_election(view: View, odds: Odds, chancellor: int) -> float:
    """Return how likely the viewer's government is elected, if the others vote as liberals do."""
    president = view.viewer
    assert president is not None
    ballot = view.legal and replace(
        view, role=Role.LIBERAL, candidate=president, nominee=chancellor, viewer=-1
    )
    features = vote_features(ballot, odds)
    p = 1 / (1 + exp(-standard_habits().score("vote", Role.LIBERAL, features)))
    sure = {president, chancellor}
    if view.role is not Role.LIBERAL:
        sure |= {seat for seat in view.alive if is_fascist(view, seat)}
    voters, needed = len(view.alive) - len(sure), len(view.alive) // 2 + 1 - len(sure)
    return sum(
        comb(voters, ja) * p**ja * (1 - p) ** (voters - ja)
        for ja in range(max(needed, 0), voters + 1)
    )


# Policies -------------------------------------------------------------------------------------


def _discard(view: View, below: Below) -> Action:
    assert view.role is not None
    score = standard_habits().score("discard", view.role, policy_features(view))
    score += _policy_pull(view)
    unwanted = Policy.FASCIST if _happens(score, below) else Policy.LIBERAL
    return _with_policy(view.legal, unwanted)


def _enact(view: View, below: Below) -> Action:
    assert view.viewer is not None and view.role is not None and view.hand is not None
    both = len(set(view.hand)) > 1
    veto = PROPOSE_VETO[view.viewer]
    if veto in view.legal and not both:
        worst = Policy.FASCIST if view.role is Role.LIBERAL else Policy.LIBERAL
        if worst in view.hand:
            return veto
    score = standard_habits().score("enact", view.role, policy_features(view)) if both else 0.0
    score += _policy_pull(view)
    wanted = Policy.LIBERAL if _happens(score, below) else Policy.FASCIST
    return _with_policy(view.legal, wanted)


def _policy_pull(view: View) -> float:
    """Return how far the worth of a liberal policy moves the viewer from habit towards one."""
    gain = liberals_win(view.liberal + 1, view.fascist) - liberals_win(
        view.liberal, view.fascist + 1
    )
    weight = _weight(view, "policy")
    if view.liberal == LIBERAL_POLICIES_TO_WIN - 1 or view.fascist == FASCIST_POLICIES_TO_WIN - 1:
        weight = 40.0
    return weight * _side(view) * gain


def _answer(view: View, below: Below) -> Action:
    assert view.viewer is not None and view.role is not None
    from games.bots.liberal import passed_on

    passed = passed_on(view)
    worst = Policy.FASCIST if view.role is Role.LIBERAL else Policy.LIBERAL
    consents = all(policy is worst for policy in passed) or (
        view.role is not Role.LIBERAL and worst in passed
    )
    return ANSWERS[view.viewer][0 if consents else 1]


# Powers ---------------------------------------------------------------------------------------


def _use_power(view: View, heard: Heard, power: Power, below: Below) -> Action:
    assert view.role is not None
    aim = POWERS[power].aim
    if aim is Aim.NOBODY:
        return view.legal[0]
    odds, habits = odds_for(view, heard), standard_habits()
    uses = [action for action in view.legal if isinstance(action, UsePowerOn)]
    scores = [
        habits.score(aim, view.role, target_features(view, odds, action.target))
        + _weight(view, "target") * _target_worth(view, odds, aim, action.target)
        for action in uses
    ]
    return uses[_drawn(scores, below)]


def _target_worth(view: View, odds: Odds, aim: Aim, target: int) -> float:
    """Return what a target is worth to the viewer's side."""
    if aim is Aim.ELIMINATE:
        if view.role is not Role.LIBERAL:
            return -1.0 if is_hitler(view, target) else -0.3 if is_fascist(view, target) else 0.0
        return 0.6 * odds.hitler[target] + 0.25 * odds.fascist[target]
    if aim is Aim.PROMOTE and view.role is Role.LIBERAL:
        return -0.4 * odds.fascist[target]
    return 0.0


# Drawing --------------------------------------------------------------------------------------


def _weight(view: View, choice: str) -> float:
    assert view.role is not None
    return WEIGHT[view.role[0] + choice]


def _side(view: View) -> int:
    return 1 if view.role is Role.LIBERAL else -1


def _with_policy(legal: Sequence[Action], wanted: Policy) -> Action:
    cards = [action for action in legal if isinstance(action, Discard | Enact)]
    return next((action for action in cards if action.policy is wanted), cards[0])


def _happens(score: float, below: Below) -> bool:
    return below(_FINE) < _FINE / (1 + exp(-max(-30.0, min(30.0, score))))


def _drawn(scores: Sequence[float], below: Below) -> int:
    """Return the index of one option, drawn by its log odds."""
    most = max(scores)
    shares = [exp(score - most) for score in scores]
    left = below(_FINE) / _FINE * sum(shares)
    for index, share in enumerate(shares):
        left -= share
        if left < 0:
            return index
    return len(shares) - 1


__all__ = ["choose"]
_ = (questions, standard_tables, CODES, LIBERAL, joint_roles, own_belief, public_belief, veto_features)
