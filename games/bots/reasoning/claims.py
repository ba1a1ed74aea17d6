"""What a reasoning bot claims: liberals the truth, fascists what people in their place say."""

from collections.abc import Sequence
from typing import assert_never

from games.bots.chance import Below, drawn
from games.bots.heard import Heard
from games.inference import questions, standard_tables
from games.inference.assignments import FASCIST, HITLER, LIBERAL
from games.rules.claims import Sight, agrees, sight_of
from games.rules.components import CARDS_DRAWN, Party, Policy, Role
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from games.rules.view import View

from .situation import is_fascist, is_hitler


def claim_about(view: View, heard: Heard, sight: Sight, below: Below) -> Knowledge | None:
    """Return what the viewer claims about something that it saw."""
    truth = next((item for item in view.knowledge if sight_of(item) == sight), None)
    if truth is None:
        return None
    if view.role is Role.LIBERAL or isinstance(truth, TopSeen):
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
        case PartySeen():
            return PartySeen(truth.round, truth.seat, truth.target, Party(said))
        case _:
            assert_never(truth)


def _said(view: View, heard: Heard, truth: Drawn | Received | PartySeen, below: Below) -> str:
    """Draw how many liberal policies, or which party, a fascist claims to have seen."""
    tables = standard_tables()
    me = _code(view, truth.seat)
    if isinstance(truth, PartySeen):
        where = questions.report(me, FASCIST if truth.party is Party.FASCIST else LIBERAL)
        outcomes, name = tuple(str(party) for party in Party), "reported"
    else:
        government = next(g for g in view.governments if g.round == truth.round)
        if isinstance(truth, Drawn):
            liberal = truth.policies.count(Policy.LIBERAL)
            policy = questions.policy_name(government.policy)
            where = questions.drawn_claim(
                policy, me, _code(view, government.chancellor), liberal, truth.discarded
            )
            least = 1 if government.policy is Policy.LIBERAL else 0
            most = 3 if government.policy is not Policy.FASCIST else 2
            counts: Sequence[int] = range(least, most + 1)
            if is_fascist(view, government.chancellor):
                counts = _agreeing(counts, _received_by_claim(heard, truth.round))
            outcomes, name = tuple(str(n) for n in counts), "drawn"
        else:
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
    shares = [tables.probability(name, where, outcome) for outcome in outcomes]
    return outcomes[drawn(shares, below)]


def _received_by_claim(heard: Heard, round_number: int) -> int | None:
    """Return how many liberal policies the Chancellor last claimed to have received."""
    for claim in reversed(heard.claims):
        if isinstance(claim, Received) and claim.round == round_number:
            return claim.policies.count(Policy.LIBERAL)
    return None


def _agreeing(counts: Sequence[int], received: int | None) -> Sequence[int]:
    """Return the hands that a partner's claim allows: the President discards one of the cards.

    All hands, if the partner has claimed nothing, or what no hand allows.
    """
    if received is None:
        return counts
    return [drawn for drawn in counts if drawn - received in (0, 1)] or counts


def _code(view: View, seat: int) -> int:
    if is_hitler(view, seat):
        return HITLER
    return FASCIST if is_fascist(view, seat) else LIBERAL


def _hand(cards: int, liberal: int) -> tuple[Policy, ...]:
    return (Policy.LIBERAL,) * liberal + (Policy.FASCIST,) * (cards - liberal)
