"""How a reasoning bot decides: as people of its role do, moved towards what wins.

Each option has the log odds of the habit, plus its worth to the bot's side times a weight. The
option is drawn from the result, so that a bot now and then does what another would not, as people
do. In elections every bot acts as a liberal in its seat would: votes and nominations must not tell
sides apart. A fascist only leans towards a government that wins. Nobody votes against their own
choice or what they have just said.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb, exp
from typing import Final, assert_never

from games.bots.chance import Below, drawn, happens
from games.bots.heard import Heard
from games.bots.opinions import opinions
from games.rules.actions import ANSWERS, PROPOSE_VETO, VOTES, Action, Discard, Enact, Nominate
from games.rules.components import (
    FAILED_ELECTIONS_TO_CHAOS,
    FASCIST_POLICIES_TO_WIN,
    LIBERAL_POLICIES_TO_WIN,
    Ballot,
    Policy,
    Role,
)
from games.rules.knowledge import Drawn
from games.rules.phases import Phase
from games.rules.powers import POWERS, Aim, Power, UsePowerOn
from games.rules.view import View

from .habits import standard_habits
from .mind import Odds, odds_for
from .persuasion import ballot_shift, promised_ballot, promised_nominee
from .situation import (
    Features,
    is_armed,
    is_fascist,
    is_hitler,
    logit,
    nomination_features,
    policy_features,
    target_features,
    vote_features,
)
from .weights import weights_for
from .worth import liberals_win

# How often a government of these sides (President, Chancellor; True for a fascist) enacts a fascist
# policy, in games of people.
_FASCIST_POLICY: Final = {
    (False, False): 0.30,
    (False, True): 0.52,
    (True, False): 0.66,
    (True, True): 0.75,
}
_LEAST_HITLER: Final = 0.003
# A choice with up to these log odds is close enough to err.
_CLOSE: Final = 4.0
# The log odds that a nominee adds to Ja.
_GOVERNS: Final = 9.0
# Log odds that nothing outweighs.
_MOST: Final = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Temper:
    """What sets a character's play apart, in log odds. Nothing in it depends on the bot's role."""

    # For a Ja ballot.
    ja: float = 0.0
    # Against what most voters are likely to do; negative for going with them.
    contrary: float = 0.0
    # For nominating a seat that has not been in office; negative for one that has.
    fresh: float = 0.0
    # For nominating a seat that has enacted a liberal policy together with the bot.
    loyal: float = 0.0
    # For investigating a suspect seat; negative for one that most would trust.
    hunts: float = 0.0


NEUTRAL: Final = Temper()


@dataclass(frozen=True, slots=True)
class _Chance:
    """Draws an option by its log odds. The more nerve, the more often the best one.

    Little nerve tells only where the choice is close: nobody errs in what is plain.
    """

    below: Below
    nerve: float

    def happens(self, score: float) -> bool:
        return happens(_share(self._felt(score)), self.below)

    def one_of(self, scores: Sequence[float]) -> int:
        """Return the index of one option."""
        most = max(scores)
        return drawn([exp(self._felt(score - most)) for score in scores], self.below)

    def _felt(self, score: float) -> float:
        if self.nerve >= 1:
            return self.nerve * score
        return score - (1 - self.nerve) * max(-_CLOSE, min(_CLOSE, score))


def choose(
    view: View, heard: Heard, below: Below, temper: Temper = NEUTRAL, nerve: float = 1.0
) -> Action:
    """Return the action of a reasoning bot. `nerve` multiplies the log odds of its choices."""
    if len(view.legal) == 1:
        return view.legal[0]
    chance = _Chance(below, nerve)
    match view.phase:
        case Phase.NOMINATION:
            return _nominate(view, heard, chance, temper)
        case Phase.ELECTION:
            return _vote(view, heard, chance, temper)
        case Phase.PRESIDENT_DISCARDS:
            return _discard(view, chance)
        case Phase.CHANCELLOR_ENACTS:
            return _enact(view, chance)
        case Phase.VETO_PROPOSED:
            return _answer(view)
        case Power():
            return _use_power(view, heard, view.phase, chance, temper)
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


def _vote(view: View, heard: Heard, chance: _Chance, temper: Temper) -> Action:
    assert view.viewer is not None
    promised = promised_ballot(heard, view.viewer)
    is_ja = chance.happens(_ballot_score(view, heard, temper))
    if promised is not None:
        is_ja = promised is Ballot.JA
    return VOTES[view.viewer][0 if is_ja else 1]


def ballot_intended(view: View, heard: Heard, temper: Temper = NEUTRAL) -> float:
    """Return the probability that the viewer tells others of for its Ja in this election.

    A fascist tells what a liberal in its seat intends, also where it wants a government that wins.
    """
    assert view.viewer is not None
    ballot = view.ballot or promised_ballot(heard, view.viewer)
    if ballot is not None:
        return float(ballot is Ballot.JA)
    return _share(_ballot_score(view, heard, temper, is_told=True))


def _ballot_score(view: View, heard: Heard, temper: Temper, *, is_told: bool = False) -> float:
    """Return the log odds of a Ja ballot, or of the one that the viewer tells others of."""
    president, chancellor = view.candidate, view.nominee
    assert view.viewer is not None and president is not None and chancellor is not None
    odds, mask, weights = odds_for(view, heard), _mask(view), weights_for(view.players)
    score = _vote_habit(mask, odds) + temper.ja
    if temper.contrary:
        score -= temper.contrary * (2 * _others_ja(mask, odds, president, chancellor) - 1)
    gain = _worth(mask, odds, president, chancellor) - _worth_of_refusal(view)
    words = ballot_shift(heard, view.viewer, odds.fascist)
    return score + weights.election * gain + words + _bound(mask if is_told else view, heard)


def _bound(view: View, heard: Heard) -> float:
    """Return the log odds that a bot's place, deeds and words add to its ballot.

    A President has chosen this government, a nominee wants to govern, a fascist wants to win, and
    others keep to what they have said of the two: for them always, against them unless a third
    refusal would let the pile decide.
    """
    seat, president, chancellor = view.viewer, view.candidate, view.nominee
    assert seat is not None and president is not None and chancellor is not None
    if seat == president:
        return _MOST
    if seat == chancellor:
        return _GOVERNS
    if _wins(view, chancellor):
        return weights_for(view.players).winning_vote
    said = opinions(heard, seat)
    sides = said.get(president), said.get(chancellor)
    if -1 in sides:
        return 0.0 if view.tracker + 1 >= FAILED_ELECTIONS_TO_CHAOS else -_MOST
    return _MOST if sides[1] == 1 else 0.0


def _nominate(view: View, heard: Heard, chance: _Chance, temper: Temper) -> Action:
    assert view.viewer is not None
    nominations, scores = _nomination_scores(view, heard, temper)
    chosen = nominations[chance.one_of(scores)]
    promised = promised_nominee(heard, view.viewer)
    return next((action for action in nominations if action.target == promised), chosen)


def nomination_intended(view: View, heard: Heard, temper: Temper = NEUTRAL) -> int:
    """Return the seat that the viewer, who is the candidate, is most likely to nominate."""
    assert view.viewer is not None
    nominations, scores = _nomination_scores(view, heard, temper)
    promised = promised_nominee(heard, view.viewer)
    best = nominations[max(range(len(scores)), key=scores.__getitem__)]
    return next((action for action in nominations if action.target == promised), best).target


def _nomination_scores(
    view: View, heard: Heard, temper: Temper
) -> tuple[list[Nominate], list[float]]:
    """Return the viewer's nominations, each with its log odds."""
    assert view.viewer is not None
    odds, mask, refused = odds_for(view, heard), _mask(view), _worth_of_refusal(view)
    weights, said = weights_for(view.players), opinions(heard, view.viewer)
    nominations = [action for action in view.legal if isinstance(action, Nominate)]
    scores = []
    for action in nominations:
        elected = _chance_of_election(mask, odds, action.target)
        worth = elected * _worth(mask, odds, view.viewer, action.target) + (1 - elected) * refused
        features = nomination_features(mask, odds, action.target)
        score = weights.habit * standard_habits().score("nominate", Role.LIBERAL, features)
        score += weights.election * worth + _liking(temper, features)
        if _wins(view, action.target):
            score += weights.winning_nomination * elected
        elif said.get(action.target) == -1:
            score -= _MOST
        scores.append(score)
    return nominations, scores


def _liking(temper: Temper, features: Features) -> float:
    """Return how much a character likes to nominate this seat."""
    was_in_office = features["enacted liberal"] or features["enacted fascist"]
    is_partner = features["enacted for me"] or features["enacted by me"]
    return (0.0 if was_in_office else temper.fresh) + (temper.loyal if is_partner else 0.0)


def _wins(view: View, chancellor: int) -> bool:
    """Return whether the viewer knows that this election wins for the fascists."""
    return view.role is not Role.LIBERAL and is_armed(view) and is_hitler(view, chancellor)


def _worth(view: View, odds: Odds, president: int, chancellor: int) -> float:
    """Return the liberals' chance to win after this government is elected, as the viewer sees it.

    The viewer is a liberal, or wears the mask of one.
    """
    hitler = 0.0
    if is_armed(view) and chancellor not in view.cleared and chancellor != view.viewer:
        weights = weights_for(view.players)
        believed = logit(odds.hitler[chancellor], _LEAST_HITLER)
        hitler = _share(weights.hitler + weights.hitler_slope * believed)
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
    options = view.options
    liberal = options.liberal_policies - view.liberal
    return _after_policy(view, liberal / (liberal + options.fascist_policies - view.fascist))


def _after_policy(view: View, liberal: float) -> float:
    """Return the liberals' chance to win after a policy that is liberal with this probability."""
    return liberal * liberals_win(view.liberal + 1, view.fascist) + (1 - liberal) * liberals_win(
        view.liberal, view.fascist + 1
    )


def _chance_of_election(view: View, odds: Odds, chancellor: int) -> float:
    """Return how likely the viewer's government is elected, if the others vote as liberals do."""
    president = view.viewer
    assert president is not None
    p = _others_ja(view, odds, president, chancellor)
    voters, needed = len(view.alive) - 2, len(view.alive) // 2 - 1
    return sum(
        comb(voters, ja) * p**ja * (1 - p) ** (voters - ja) for ja in range(needed, voters + 1)
    )


def _others_ja(view: View, odds: Odds, president: int, chancellor: int) -> float:
    """Return how likely a liberal outside the government votes Ja by habit."""
    ballot = replace(view, candidate=president, nominee=chancellor, viewer=-1)
    return _share(_vote_habit(ballot, odds))


def _vote_habit(view: View, odds: Odds) -> float:
    """Return the log odds of a Ja ballot by a liberal's habit."""
    habit = standard_habits().score("vote", Role.LIBERAL, vote_features(view, odds))
    return weights_for(view.players).habit * habit


# Policies -------------------------------------------------------------------------------------


def _discard(view: View, chance: _Chance) -> Action:
    assert view.hand is not None
    # A liberal never throws the only liberal policy away.
    must_keep = view.role is Role.LIBERAL and view.hand.count(Policy.LIBERAL) == 1
    keeps_liberal = must_keep or chance.happens(_policy_score(view, "discard"))
    return with_policy(view.legal, Policy.FASCIST if keeps_liberal else Policy.LIBERAL)


def _enact(view: View, chance: _Chance) -> Action:
    assert view.viewer is not None and view.hand is not None
    veto = PROPOSE_VETO[view.viewer]
    if veto in view.legal and len({*view.hand}) == 1 and _unwanted(view) in view.hand:
        return veto
    enacts_liberal = view.role is Role.LIBERAL or chance.happens(_policy_score(view, "enact"))
    return with_policy(view.legal, Policy.LIBERAL if enacts_liberal else Policy.FASCIST)


def _policy_score(view: View, choice: str) -> float:
    """Return the log odds that the viewer wants a liberal policy enacted."""
    assert view.role is not None
    gain = liberals_win(view.liberal + 1, view.fascist) - liberals_win(
        view.liberal, view.fascist + 1
    )
    habit = standard_habits().score(choice, view.role, policy_features(view))
    weights = weights_for(view.players)
    side = 1 if view.role is Role.LIBERAL else -1
    if view.liberal == LIBERAL_POLICIES_TO_WIN - 1 or view.fascist == FASCIST_POLICIES_TO_WIN - 1:
        return habit + side * weights.last_policy * gain
    match view.role:
        case Role.LIBERAL:
            return habit + weights.liberal_policy * gain
        case Role.FASCIST:
            return habit - weights.fascist_policy * gain + weights.fascist_cover
        case Role.HITLER:
            return habit - weights.hitler_policy * gain + weights.cover
        case _:
            assert_never(view.role)


def _answer(view: View) -> Action:
    """Consent to a veto if all that the Chancellor could enact is unwanted."""
    assert view.viewer is not None
    unwanted, passed = _unwanted(view), passed_on(view)
    consents = all(policy is unwanted for policy in passed)
    return ANSWERS[view.viewer][0 if consents else 1]


def _unwanted(view: View) -> Policy:
    return Policy.FASCIST if view.role is Role.LIBERAL else Policy.LIBERAL


# Powers ---------------------------------------------------------------------------------------


def _use_power(view: View, heard: Heard, power: Power, chance: _Chance, temper: Temper) -> Action:
    assert view.role is not None
    aim = POWERS[power].aim
    if aim is Aim.NOBODY:
        return view.legal[0]
    odds, weights = odds_for(view, heard), weights_for(view.players)
    uses = [action for action in view.legal if isinstance(action, UsePowerOn)]
    scores = []
    for action in uses:
        features = target_features(view, odds, action.target)
        score = standard_habits().score(aim, view.role, features)
        score += weights.target * _target_worth(view, odds, aim, action.target)
        if aim is Aim.EXPOSE:
            score += temper.hunts * features["suspect"]
        scores.append(score)
    return uses[chance.one_of(scores)]


def _target_worth(view: View, odds: Odds, aim: Aim, target: int) -> float:
    """Return what a target is worth to the viewer's side."""
    fascist, hitler = odds.fascist[target], odds.hitler[target]
    if aim is Aim.ELIMINATE:
        if view.role is Role.LIBERAL:
            return 0.6 * hitler + 0.25 * fascist
        if is_hitler(view, target):
            return -10.0
        # The most trusted liberal.
        return -0.3 if is_fascist(view, target) else -0.1 * fascist
    if aim is Aim.PROMOTE:
        if view.role is Role.LIBERAL:
            return -0.4 * fascist
        # A fascist who may nominate Hitler, and whom the others trust.
        is_useful = is_fascist(view, target) and not is_hitler(view, target)
        return (0.05 if is_useful else 0.0) - 0.1 * fascist
    return 0.0


def _share(score: float) -> float:
    """Return log odds as a probability."""
    return 1 / (1 + exp(-max(-_MOST, min(_MOST, score))))


def with_policy(legal: Sequence[Action], wanted: Policy) -> Action:
    """Discard or enact the wanted policy, or the other one if it is not in hand."""
    cards = [action for action in legal if isinstance(action, Discard | Enact)]
    return next((action for action in cards if action.policy is wanted), cards[0])


def passed_on(view: View) -> tuple[Policy, ...]:
    """Return the two cards that the viewer, as this round's President, passed to the Chancellor."""
    drawn = next(
        item for item in view.knowledge if isinstance(item, Drawn) and item.round == view.round
    )
    cards = list(drawn.policies)
    cards.remove(drawn.discarded)
    return tuple(cards)
