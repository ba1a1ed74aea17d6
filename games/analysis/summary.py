"""A finished game in numbers: what each seat did, and the moments that can be searched for.

Claims count as they stood when the game ended: the last claim about each sight, and only if it was
made before the end. All of it follows from the record and the claims; no probability is computed.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from games.rules.claims import Sight, agrees, passed, sight_of
from games.rules.components import Ballot, Party, Policy, Role
from games.rules.events import Ballots, Elected, Enacted, Nominated, Veto
from games.rules.knowledge import Drawn, PartySeen
from games.rules.phases import Ending
from games.rules.powers import Executed, PowerUsed, power_of
from games.rules.view import PublicStep, View

from .evidence import Said
from .moments import POWER_MOMENTS, Moment


@dataclass(slots=True)
class SeatNumbers:
    """What one seat did."""

    role: Role
    has_won: bool
    # Hands, peeks and investigations of the seat.
    sights: int = 0
    # Sights about which a claim stood at the end, false ones, and false ones that were caught:
    # another claim or an enacted policy contradicted them.
    claims: int = 0
    lies: int = 0
    lies_caught: int = 0
    # Ballots, and those that were right in hindsight: a liberal's Ja to two liberals and Nein to
    # all others; a fascist's or Hitler's Ja to at least one of their side and Nein to two liberals.
    ballots: int = 0
    right_ballots: int = 0
    # Elected governments in which the seat held the office.
    presidencies: int = 0
    chancellorships: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """A finished game in numbers."""

    rounds: int
    seats: tuple[SeatNumbers, ...]
    moments: frozenset[Moment]


def summary_of(
    view: View,
    steps: Sequence[PublicStep],
    said: Sequence[Said],
    contradicted: Collection[Sight] = (),
) -> Summary:
    """Return the numbers of a game that the rules ended. Raises ValueError for other games.

    `view` is the public view at the end, `said` are the claims that were not removed, oldest first;
    those made after the end are left out. `contradicted` are the sights whose standing claims are
    in conflict with another claim or with an enacted policy.
    """
    if view.outcome is None:
        raise ValueError("the rules did not end this game")
    roles = tuple(role for role in view.roles if role is not None)
    winner = view.outcome.winner
    seats = tuple(SeatNumbers(role, role.party is winner) for role in roles)
    standing = {sight_of(each.claim): each for each in said if each.move < len(steps)}
    truths = {sight_of(item): item for item in view.knowledge}
    honest: list[Said] = []
    for sight, truth in truths.items():
        seat = seats[truth.seat]
        seat.sights += 1
        claimed = standing.get(sight)
        if claimed is None:
            continue
        seat.claims += 1
        if agrees(claimed.claim, truth):
            honest.append(claimed)
        else:
            seat.lies += 1
            seat.lies_caught += sight in contradicted
    _count_elections(steps, seats)
    moments = _moments(view.outcome.ending, steps, roles)
    if any(_is_accuser_ignored(each, view, steps, roles) for each in honest):
        moments.add(Moment.HONEST_ACCUSER_IGNORED)
    return Summary(view.round, seats, frozenset(moments))


def _count_elections(steps: Sequence[PublicStep], seats: Sequence[SeatNumbers]) -> None:
    fascists = 0
    for step in steps:
        for event in step.events:
            if isinstance(event, Nominated):
                officers = (event.president, event.chancellor)
                fascists = sum(seats[seat].role.party is Party.FASCIST for seat in officers)
            elif isinstance(event, Ballots):
                for seat, ballot in zip(seats, event.ballots, strict=True):
                    if ballot is None:
                        continue
                    is_liberal = seat.role.party is Party.LIBERAL
                    seat.ballots += 1
                    seat.right_ballots += (ballot is Ballot.JA) is (is_liberal is (fascists == 0))
            elif isinstance(event, Elected):
                seats[event.president].presidencies += 1
                seats[event.chancellor].chancellorships += 1


def _moments(ending: Ending, steps: Sequence[PublicStep], roles: Sequence[Role]) -> set[Moment]:
    found = {Moment.NO_LIBERAL_POLICY, Moment.NO_FASCIST_POLICY}
    if ending is Ending.HITLER_ELECTED:
        found.add(Moment.HITLER_ELECTED)
    if ending is Ending.HITLER_EXECUTED:
        found.add(Moment.HITLER_EXECUTED)
    for step in steps:
        for event in step.events:
            if isinstance(event, PowerUsed) and power_of(event) in POWER_MOMENTS:
                found.add(POWER_MOMENTS[power_of(event)])
            if isinstance(event, Veto):
                found.add(Moment.VETO if event.consent else Moment.VETO_REFUSED)
            elif isinstance(event, Enacted):
                if event.by == "chaos":
                    found.add(Moment.CHAOS)
                found.discard(
                    Moment.NO_LIBERAL_POLICY
                    if event.policy is Policy.LIBERAL
                    else Moment.NO_FASCIST_POLICY
                )
            elif isinstance(event, Executed) and roles[step.seat] is Role.LIBERAL:
                if roles[event.target] is Role.HITLER:
                    found.add(Moment.LIBERAL_SHOT_HITLER)
                elif roles[event.target] is Role.LIBERAL:
                    found.add(Moment.LIBERAL_SHOT_LIBERAL)
    return found


def _is_accuser_ignored(
    honest: Said, view: View, steps: Sequence[PublicStep], roles: Sequence[Role]
) -> bool:
    """Return whether a liberal President truthfully accused a fascist, in vain.

    The claim is an investigation's result, or a hand of which the Chancellor enacted a fascist
    policy although the President had passed a liberal one. In vain means that later a government
    with the accused was elected without the accuser in it, or the accuser was executed.
    """
    claim = honest.claim
    if roles[claim.seat] is not Role.LIBERAL:
        return False
    if isinstance(claim, PartySeen) and claim.party is Party.FASCIST:
        accused = claim.target
    elif isinstance(claim, Drawn):
        held = next((each for each in view.governments if each.round == claim.round), None)
        if held is None or held.policy is not Policy.FASCIST:
            return False
        if Policy.LIBERAL not in passed(claim):
            return False
        accused = held.chancellor
    else:
        return False
    if roles[accused].party is not Party.FASCIST:
        return False
    for step in steps[honest.move :]:
        for event in step.events:
            if isinstance(event, Executed) and event.target == claim.seat:
                return True
            if isinstance(event, Elected):
                officers = (event.president, event.chancellor)
                if accused in officers and claim.seat not in officers:
                    return True
    return False
