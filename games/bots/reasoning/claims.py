"""What a reasoning bot claims: liberals the truth, fascists what people in their place say."""

from collections.abc import Sequence

from games.bots.chance import Below, drawn
from games.bots.heard import Heard
from games.inference import questions, standard_tables
from games.inference.assignments import FASCIST, HITLER, LIBERAL
from games.rules.claims import Sight, agrees, is_confession, passed, sight_of
from games.rules.components import Party, Policy, Role
from games.rules.knowledge import Drawn, Knowledge, PartySeen, Received, TopSeen
from games.rules.view import View

from .situation import is_fascist, is_hitler


def claim_once(view: View, heard: Heard, sight: Sight, below: Below) -> Knowledge | None:
    """Return a claim about something that the viewer has not claimed yet; else None."""
    if any(sight_of(claim) == sight for claim in heard.claims):
        return None
    return claim_about(view, heard, sight, below)


def claim_about(view: View, heard: Heard, sight: Sight, below: Below) -> Knowledge | None:
    """Return what the viewer claims about something that it saw."""
    truth = next((item for item in view.knowledge if sight_of(item) == sight), None)
    if truth is None:
        return None
    if view.role is Role.LIBERAL or isinstance(truth, TopSeen):
        # In the form of a claim: the order of a hand has no meaning.
        return next(claim for claim in sight.claims if agrees(claim, truth))
    claims, shares = _choices(view, heard, truth, sight)
    return claims[drawn(shares, below)]


def _choices(
    view: View, heard: Heard, truth: Drawn | Received | PartySeen, sight: Sight
) -> tuple[Sequence[Knowledge], list[float]]:
    """Return what a fascist may claim, and how often people in its place say so."""
    tables, me = standard_tables(), _code(view, truth.seat)
    if isinstance(truth, PartySeen):
        where = questions.report(me, FASCIST if truth.party is Party.FASCIST else LIBERAL)
        parties = [claim for claim in sight.claims if isinstance(claim, PartySeen)]
        return parties, [tables.probability("reported", where, c.party) for c in parties]
    government = next(g for g in view.governments if g.round == truth.round)
    policy = questions.policy_name(government.policy)
    if isinstance(truth, Drawn):
        name, partner = "drawn", government.chancellor
        liberal, code = truth.policies.count(Policy.LIBERAL), _code(view, partner)
        where = questions.drawn_claim(policy, me, code, liberal, truth.discarded)
    else:
        name, partner = "received", government.president
        others = heard.claimed(truth.round, Drawn)
        said = "-" if others is None else str(others.policies.count(Policy.LIBERAL))
        received = truth.policies.count(Policy.LIBERAL)
        where = questions.received_claim(policy, me, received, said)
    claims: Sequence[Drawn | Received] = [
        claim
        for claim in sight.claims
        if isinstance(claim, Drawn | Received)
        and (government.policy is None or government.policy in passed(claim))
        and not is_confession(claim, government.policy)
    ]
    other = heard.claimed(truth.round, Received if isinstance(truth, Drawn) else Drawn)
    if government.policy is Policy.LIBERAL:
        # A quarrel would win nothing: the partner has told, or will tell, what was passed on.
        claims = _passing(claims, other) or _passing(claims, truth)
    elif is_fascist(view, partner):
        claims = _passing(claims, other) or claims
    counts = [str(claim.policies.count(Policy.LIBERAL)) for claim in claims]
    return claims, [tables.probability(name, where, count) for count in counts]


def _passing(
    claims: Sequence[Drawn | Received], other: Drawn | Received | None
) -> Sequence[Drawn | Received]:
    """Return the claims by which the President passed on the same cards."""
    if other is None:
        return ()
    return [claim for claim in claims if passed(claim) == passed(other)]


def _code(view: View, seat: int) -> int:
    if is_hitler(view, seat):
        return HITLER
    return FASCIST if is_fascist(view, seat) else LIBERAL
