"""What a reasoning bot claims: liberals the truth, fascists what people in their place say."""

from collections.abc import Callable
from typing import Final, assert_never

from games.bots.heard import Heard
from games.inference import questions, standard_tables
from games.inference.assignments import FASCIST, HITLER, LIBERAL
from games.rules.claims import Sight, agrees, sight_of
from games.rules.components import CARDS_DRAWN, Party, Policy, Role
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from games.rules.view import View

from .situation import is_fascist, is_hitler

Below = Callable[[int], int]
_FINE: Final = 1 << 30


def claim_about(view: View, heard: Heard, sight: Sight, below: Below) -> Knowledge | None:
    """Return what the viewer claims about something that it saw."""
    truth = next((item for item in view.knowledge if sight_of(item) == sight), None)
    if truth is None:
        return None
    if view.role is Role.LIBERAL:
        # In the form of a claim: the order of a hand has no meaning.
        return next(claim for claim in sight.claims if agrees(claim, truth))
    said = _said(view, heard, truth, below)
    match truth:
        case Drawn():
            policies = _hand(CARDS_DRAWN, int(said))
            discarded = Policy.FASCIST if Policy.FASCIST in policies else Policy.LIBERAL
            return Drawn(truth.round, truth.seat, policies, discarded)
        case Received():
            return Received(truth.round, truth.seat, _hand(CARDS_DRAWN - 1, int(said)))
        case TopSeen():
            return truth
        case PartySeen():
            return PartySeen(truth.round, truth.seat, truth.target, Party(said))
        case _:
            assert_never(truth)


def _said(view: View, heard: Heard, truth: Knowledge, below: Below) -> str:
    tables = standard_tables()
    me = _code(view, truth.seat)
    if isinstance(truth, PartySeen):
        where = questions.report(me, FASCIST if truth.party is Party.FASCIST else LIBERAL)
        outcomes, name = tuple(str(party) for party in Party), "reported"
    else:
        government = next((g for g in view.governments if g.round == truth.round), None)
        if isinstance(truth, Drawn):
            assert government is not None
            drawn = truth.policies.count(Policy.LIBERAL)
            policy = questions.policy_name(government.policy)
            where = questions.drawn_claim(
                policy, me, _code(view, government.chancellor), drawn, truth.discarded
            )
            least = 1 if government.policy is Policy.LIBERAL else 0
            most = 3 if government.policy is not Policy.FASCIST else 2
            outcomes, name = tuple(str(n) for n in range(least, most + 1)), "drawn"
        elif isinstance(truth, Received):
            assert government is not None
            said = next(
                (
                    str(c.policies.count(Policy.LIBERAL))
                    for c in reversed(heard.claims)
                    if isinstance(c, Drawn) and c.round == truth.round
                ),
                "-",
            )
            policy = questions.policy_name(government.policy)
            received = truth.policies.count(Policy.LIBERAL)
            where = questions.received_claim(policy, me, received, said)
            least = 1 if government.policy is Policy.LIBERAL else 0
            most = 2 if government.policy is not Policy.FASCIST else 1
            outcomes, name = tuple(str(n) for n in range(least, most + 1)), "received"
        else:
            return ""
    shares = [tables.probability(name, where, outcome) for outcome in outcomes]
    left = below(_FINE) / _FINE * sum(shares)
    for outcome, share in zip(outcomes, shares, strict=True):
        left -= share
        if left < 0:
            return outcome
    return outcomes[-1]


def _code(view: View, seat: int) -> int:
    if is_hitler(view, seat):
        return HITLER
    return FASCIST if is_fascist(view, seat) else LIBERAL


def _hand(cards: int, liberal: int) -> tuple[Policy, ...]:
    return (Policy.LIBERAL,) * liberal + (Policy.FASCIST,) * (cards - liberal)
