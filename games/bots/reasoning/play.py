"""How a reasoning bot decides: as people of its role do, moved towards what wins.

Each option has the log odds of the habit, plus its worth to the bot's side times a weight. The
option is drawn from the result, so that a bot now and then does what another would not, as people
do. In elections every bot acts as a liberal in its seat would: votes and nominations must not tell
sides apart. A fascist only leans towards a government that wins.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import comb, exp
from typing import Final, assert_never

from games.bots.heard import Heard
from games.bots.liberal import passed_on
from games.bots.preference import with_policy
from games.rules.actions import ANSWERS, PROPOSE_VETO, VOTES, Action, Nominate
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
from .mind import Odds, odds_for
from .situation import (
    is_armed,
    is_fascist,
    is_hitler,
    logit,
    nomination_features,
    policy_features,
    target_features,
    vote_features,
)
from .worth import liberals_win

Below = Callable[[int], int]

# How far worth moves a bot from habit. With 10, an option that wins 10 percentage points more often
# becomes e times as likely.
_ELECTION: Final = 80.0
_POLICY: Final = {Role.LIBERAL: 30.0, Role.FASCIST: 6.0, Role.HITLER: 0.0}
_LAST_POLICY: Final = 40.0
_TARGET: Final = 60.0
# How far a fascist leans towards electing Hitler when that wins: as a voter, and as the candidate.
_WINNING_VOTE: Final = 3.0
_WINNING_NOMINATION: Final = 1.5
# How often a government of these sides (President, Chancellor; True for a fascist) enacts a fascist
# policy, in games of people.
_FASCIST_POLICY: Final = {
    (False, False): 0.30,
    (False, True): 0.52,
    (True, False): 0.66,
    (True, True): 0.75,
}
# In games of people, the odds that a nominee is Hitler once that wins are right in order but too
# flat: the log odds of the truth are this much, plus this often those of the belief.
_ARMED: Final = (0.96, 1.6)
_LEAST_HITLER: Final = 0.003
_FINE: Final = 1 << 30
_MOST: Final = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Temper:
    """What sets a character's play apart. Nothing in it depends on the bot's role."""

    # Added to the log odds of a Ja ballot.
    ja: float = 0.0


NEUTRAL: Final = Temper()


def choose(
    view: View, heard: Heard, below: Below, temper: Temper = NEUTRAL, nerve: float = 1.0
) -> Action:
    """Return the action of a reasoning bot. `nerve` multiplies the log odds of its choices."""
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
            return _answer(view)
        case Power():
            return _use_power(view, heard, view.phase, below)
        case Phase.OVER:
            raise AssertionError("the game is over")
        case _:
            assert_never(view.phase)


# Elections ------------------------------------------------------------------------------------


def _mask(view: View) -> View:
    """Return the view of a liberal in the viewer's seat who has seen nothing hidden."""
    if view.role is Role.LIBERAL:
        return view
    roles = tuple(Role.LIBERAL if seat == view.viewer else None for seat in range(view.players))
    parties = tuple(None if role is None else role.party for role in roles)
    return replace(view, role=Role.LIBERAL, roles=roles, parties=parties)


def _vote(view: View, heard: Heard, below: Below) -> Action:
    president, chancellor = view.candidate, view.nominee
    assert view.viewer is not None and president is not None and chancellor is not None
    odds, mask = odds_for(view, heard), _mask(view)
    score = standard_habits().score("vote", Role.LIBERAL, vote_features(mask, odds))
    score += _ELECTION * (_worth(mask, odds, president, chancellor) - _worth_of_refusal(view))
    if _wins(view, chancellor):
        score += _WINNING_VOTE
    return VOTES[view.viewer][0 if _happens(score, below) else 1]


def _nominate(view: View, heard: Heard, below: Below) -> Action:
    assert view.viewer is not None
    odds, mask, refused = odds_for(view, heard), _mask(view), _worth_of_refusal(view)
    nominations = [action for action in view.legal if isinstance(action, Nominate)]
    scores = []
    for action in nominations:
        elected = _chance_of_election(mask, odds, action.target)
        worth = elected * _worth(mask, odds, view.viewer, action.target) + (1 - elected) * refused
        features = nomination_features(mask, odds, action.target)
        score = standard_habits().score("nominate", Role.LIBERAL, features) + _ELECTION * worth
        if _wins(view, action.target):
            score += _WINNING_NOMINATION
        scores.append(score)
    return nominations[_drawn(scores, below)]


def _wins(view: View, chancellor: int) -> bool:
    """Return whether the viewer knows that this election wins for the fascists."""
    return view.role is not Role.LIBERAL and is_armed(view) and is_hitler(view, chancellor)


def _worth(view: View, odds: Odds, president: int, chancellor: int) -> float:
    """Return the liberals' chance to win after this government is elected, as the viewer sees it.

    The viewer is a liberal, or wears the mask of one.
    """
    hitler = 0.0
    if is_armed(view) and chancellor not in view.cleared and chancellor != view.viewer:
        offset, slope = _ARMED
        hitler = _chance(offset + slope * logit(odds.hitler[chancellor], _LEAST_HITLER))
    p = 0.0 if president == view.viewer else odds.fascist[president]
    c = 0.0 if chancellor == view.viewer else odds.fascist[chancellor]
    fascist = sum(
        (p if p_is else 1 - p) * (c if c_is else 1 - c) * share
        for (p_is, c_is), share in _FASCIST_POLICY.items()
    )
    return (1 - hitler) * _after_policy(view, 1 - fascist)


def _worth_of_refusal(view: View) -> float:
    """Return the liberals' chance to win after this government is rejected."""
    if view.tracker + 1 < FAILED_ELECTIONS_TO_CHAOS:
        return liberals_win(view.liberal, view.fascist, view.tracker + 1)
    left = POLICIES - view.liberal - view.fascist
    return _after_policy(view, (LIBERAL_POLICIES - view.liberal) / left)


def _after_policy(view: View, liberal: float) -> float:
    """Return the liberals' chance to win after a policy that is liberal with this probability."""
    return liberal * liberals_win(view.liberal + 1, view.fascist) + (1 - liberal) * liberals_win(
        view.liberal, view.fascist + 1
    )


def _chance_of_election(view: View, odds: Odds, chancellor: int) -> float:
    """Return how likely the viewer's government is elected, if the others vote as liberals do."""
    president = view.viewer
    assert president is not None
    # The ballot of a seat outside the government.
    ballot = replace(view, candidate=president, nominee=chancellor, viewer=-1)
    p = _chance(standard_habits().score("vote", Role.LIBERAL, vote_features(ballot, odds)))
    voters, needed = len(view.alive) - 2, len(view.alive) // 2 - 1
    return sum(
        comb(voters, ja) * p**ja * (1 - p) ** (voters - ja) for ja in range(needed, voters + 1)
    )


# Policies -------------------------------------------------------------------------------------


def _discard(view: View, below: Below) -> Action:
    keeps_liberal = _happens(_policy_score(view, "discard"), below)
    return with_policy(view.legal, Policy.FASCIST if keeps_liberal else Policy.LIBERAL)


def _enact(view: View, below: Below) -> Action:
    assert view.viewer is not None and view.hand is not None
    veto = PROPOSE_VETO[view.viewer]
    if veto in view.legal and len({*view.hand}) == 1 and _unwanted(view) in view.hand:
        return veto
    enacts_liberal = _happens(_policy_score(view, "enact"), below)
    return with_policy(view.legal, Policy.LIBERAL if enacts_liberal else Policy.FASCIST)


def _policy_score(view: View, choice: str) -> float:
    """Return the log odds that the viewer wants a liberal policy enacted."""
    assert view.role is not None
    gain = liberals_win(view.liberal + 1, view.fascist) - liberals_win(
        view.liberal, view.fascist + 1
    )
    is_last = (
        view.liberal == LIBERAL_POLICIES_TO_WIN - 1 or view.fascist == FASCIST_POLICIES_TO_WIN - 1
    )
    weight = _LAST_POLICY if is_last else _POLICY[view.role]
    side = 1 if view.role is Role.LIBERAL else -1
    return standard_habits().score(choice, view.role, policy_features(view)) + side * weight * gain


def _answer(view: View) -> Action:
    """Consent to a veto if all that the Chancellor could enact is unwanted."""
    assert view.viewer is not None
    unwanted, passed = _unwanted(view), passed_on(view)
    consents = all(policy is unwanted for policy in passed)
    return ANSWERS[view.viewer][0 if consents else 1]


def _unwanted(view: View) -> Policy:
    return Policy.FASCIST if view.role is Role.LIBERAL else Policy.LIBERAL


# Powers ---------------------------------------------------------------------------------------


def _use_power(view: View, heard: Heard, power: Power, below: Below) -> Action:
    assert view.role is not None
    aim = POWERS[power].aim
    if aim is Aim.NOBODY:
        return view.legal[0]
    odds = odds_for(view, heard)
    uses = [action for action in view.legal if isinstance(action, UsePowerOn)]
    scores = [
        standard_habits().score(aim, view.role, target_features(view, odds, action.target))
        + _TARGET * _target_worth(view, odds, aim, action.target)
        for action in uses
    ]
    return uses[_drawn(scores, below)]


def _target_worth(view: View, odds: Odds, aim: Aim, target: int) -> float:
    """Return what a target is worth to the viewer's side."""
    if aim is Aim.ELIMINATE:
        if view.role is Role.LIBERAL:
            return 0.6 * odds.hitler[target] + 0.25 * odds.fascist[target]
        return -1.0 if is_hitler(view, target) else -0.3 if is_fascist(view, target) else 0.0
    if aim is Aim.PROMOTE and view.role is Role.LIBERAL:
        return -0.4 * odds.fascist[target]
    return 0.0


# Drawing --------------------------------------------------------------------------------------


def _chance(score: float) -> float:
    return 1 / (1 + exp(-max(-_MOST, min(_MOST, score))))


def _happens(score: float, below: Below) -> bool:
    return below(_FINE) < _FINE * _chance(score)


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
