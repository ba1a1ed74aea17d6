"""How likely each seat is a fascist, as one viewer can estimate from the enacted policies.

Evidence is added up as log odds. The weights follow from the pile: three cards contain no liberal
policy one time in four. An honest pair therefore enacts a fascist policy that often, and a pair
with a fascist in it about three times as often.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Final

from games.rules.components import Ballot, Party, Policy, Role
from games.rules.knowledge import Drawn, Knowledge, Received
from games.rules.phases import Government
from games.rules.view import View

# By enacted policy, for a viewer who saw no cards. The Chancellor made the last choice.
_PRESIDENT: Final = {Policy.FASCIST: 0.9, Policy.LIBERAL: -0.7}
_CHANCELLOR: Final = {Policy.FASCIST: 1.2, Policy.LIBERAL: -0.9}
# An officer with a partner who is a known fascist is little to blame.
_PARTNER_TO_BLAME: Final = 0.3
# A ballot says little, because everyone votes without information.
_BALLOT: Final = 0.12

# By the number of liberal policies among the two cards that the viewer received as Chancellor.
_HANDED: Final = {0: 1.1, 1: -0.5, 2: -1.2}
# The viewer's Chancellor had the choice and enacted the fascist policy, or vetoed a hand with a
# liberal one.
_BETRAYED: Final = 5.0
_KEPT_FAITH: Final = -1.3

_NEARLY_CERTAIN: Final = 30.0


@dataclass(frozen=True, slots=True)
class Suspicion:
    """The probabilities by seat, from 0 to 1, of being a fascist and of being Hitler."""

    fascist: tuple[float, ...]
    hitler: tuple[float, ...]

    def mean(self, seats: Sequence[int]) -> float:
        """Return the mean probability of being a fascist among `seats`, which must not be empty."""
        return sum(self.fascist[seat] for seat in seats) / len(seats)


def own_suspicion(view: View) -> Suspicion:
    """Return what the viewer believes, including the viewer's private knowledge."""
    return _reckon(view, view.parties, view.knowledge)


def public_suspicion(view: View) -> Suspicion:
    """Return what a player without private knowledge would believe, also about the viewer."""
    return _reckon(view, (None,) * view.players, ())


def _reckon(
    view: View, parties: tuple[Party | None, ...], knowledge: tuple[Knowledge, ...]
) -> Suspicion:
    scores = [0.0] * view.players
    seen = {(item.round, type(item)): item for item in knowledge}
    for government in view.governments:
        _weigh_officers(government, parties, seen, scores)
        _weigh_ballots(government, scores)
    fascist = _probabilities(scores, parties, view.options.roles(view.players))
    return Suspicion(fascist, _hitler(view, parties, fascist))


def _weigh_officers(
    government: Government,
    parties: tuple[Party | None, ...],
    seen: dict[tuple[int, type[Knowledge]], Knowledge],
    scores: list[float],
) -> None:
    president, chancellor, policy = government.president, government.chancellor, government.policy
    drawn = seen.get((government.round, Drawn))
    received = seen.get((government.round, Received))
    if isinstance(drawn, Drawn):
        scores[chancellor] += _chancellor_of_mine(drawn, policy)
    elif isinstance(received, Received):
        scores[president] += _HANDED[received.policies.count(Policy.LIBERAL)]
    elif policy is not None:
        scores[president] += _PRESIDENT[policy] * _share_of_blame(parties[chancellor], policy)
        scores[chancellor] += _CHANCELLOR[policy] * _share_of_blame(parties[president], policy)


def _chancellor_of_mine(drawn: Drawn, policy: Policy | None) -> float:
    """Return what the Chancellor's use of the two cards tells the President who passed them."""
    passed = list(drawn.policies)
    passed.remove(drawn.discarded)
    if Policy.LIBERAL not in passed:
        return 0.0
    if policy is not Policy.LIBERAL:
        return _BETRAYED
    return _KEPT_FAITH if Policy.FASCIST in passed else 0.0


def _share_of_blame(partner: Party | None, policy: Policy) -> float:
    return _PARTNER_TO_BLAME if partner is Party.FASCIST and policy is Policy.FASCIST else 1.0


def _weigh_ballots(government: Government, scores: list[float]) -> None:
    policy = government.policy
    if policy is None:
        return
    for seat, ballot in enumerate(government.ballots):
        if ballot is not None:
            guilty = (ballot is Ballot.JA) is (policy is Policy.FASCIST)
            scores[seat] += _BALLOT if guilty else -_BALLOT


def _probabilities(
    scores: list[float], parties: tuple[Party | None, ...], roles: tuple[Role, ...]
) -> tuple[float, ...]:
    """Return the scores as probabilities that add up to the number of fascists still hidden.

    Suspicion is therefore relative: if everyone had bad cards, no one is condemned for it.
    """
    hidden = [seat for seat in range(len(roles)) if parties[seat] is None]
    fascists = sum(role.party is Party.FASCIST for role in roles)
    left = fascists - parties.count(Party.FASCIST)
    result = [1.0 if party is Party.FASCIST else 0.0 for party in parties]
    if left <= 0 or not hidden:
        return tuple(result)
    if left >= len(hidden):
        return tuple(1.0 if seat in hidden else value for seat, value in enumerate(result))
    low, high = -_NEARLY_CERTAIN, _NEARLY_CERTAIN
    for _ in range(16):
        shift = (low + high) / 2
        if sum(_sigmoid(scores[seat] + shift) for seat in hidden) > left:
            high = shift
        else:
            low = shift
    for seat in hidden:
        result[seat] = _sigmoid(scores[seat] + low)
    return tuple(result)


def _hitler(
    view: View, parties: tuple[Party | None, ...], fascist: tuple[float, ...]
) -> tuple[float, ...]:
    """Return the probability by seat of being Hitler.

    Hitler is among the fascists, is neither cleared nor dead, and lies low, so past actions say
    less about Hitler.
    """
    even = sum(fascist) / view.players
    weights = [
        0.0
        if seat in view.cleared or seat not in view.alive or parties[seat] is Party.LIBERAL
        else fascist[seat] + (0.0 if parties[seat] else even)
        for seat in range(view.players)
    ]
    if view.viewer is not None and parties[view.viewer] is not None:
        weights[view.viewer] = 0.0
    total = sum(weights)
    return tuple(weight / total if total else 0.0 for weight in weights)


def _sigmoid(x: float) -> float:
    return 1 / (1 + exp(-x))
