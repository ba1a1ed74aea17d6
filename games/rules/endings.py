"""How a finished game ended: the part that a seat had in it, the turning point, and every hand.

All of it follows from the view of a finished game, which hides nothing, and its public steps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from .components import Ballot, Party, Policy
from .events import Ballots, Elected, Enacted
from .knowledge import Drawn, Received
from .phases import Ending
from .powers import Executed
from .view import PublicStep, View


class Deed(StrEnum):
    """What a player did that tells most about their part in the game."""

    WAS_EXECUTED = "was_executed"
    ELECTED_AS_HITLER = "elected_as_hitler"
    NOMINATED_HITLER = "nominated_hitler"
    EXECUTED_HITLER = "executed_hitler"
    PRESIDENT_AT_LAST = "president_at_last"
    CHANCELLOR_AT_LAST = "chancellor_at_last"
    # Held an office while some policies of one kind were enacted.
    PRESIDENT = "president"
    CHANCELLOR = "chancellor"
    VOTED = "voted"


@dataclass(frozen=True, slots=True)
class OwnPart:
    """A seat's part in a game. The other fields have a value where the deed needs one."""

    deed: Deed
    round: int = 0
    policy: Policy | None = None
    count: int = 0
    ballot: Ballot | None = None


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The moment that decided the game. `move` is the number of moves up to it."""

    round: int
    move: int
    # Hitler's election, Hitler's execution or the last policy.
    ending: Ending
    president: int
    # The Chancellor, or the executed player; None if chaos enacted the last policy.
    other: int | None = None
    # Of the election; both 0 if there was none.
    ja: int = 0
    nein: int = 0


@dataclass(frozen=True, slots=True)
class Session:
    """The cards of a legislative session, as they really were."""

    round: int
    drawn: Drawn
    # None if the game was stopped before the Chancellor received any.
    received: Received | None = None
    # None after a veto, or if the game was stopped.
    policy: Policy | None = None


def part_of(view: View, steps: Sequence[PublicStep], seat: int) -> OwnPart | None:
    """Return the part of a seat in a game that the rules ended, or None if they did not."""
    if view.outcome is None:
        return None
    for step in steps:
        if any(isinstance(event, Executed) and event.target == seat for event in step.events):
            return OwnPart(Deed.WAS_EXECUTED, round=step.round)
    election = _last(steps, Elected)
    match view.outcome.ending:
        case Ending.HITLER_EXECUTED:
            execution = _last(steps, Executed)
            if execution is not None and execution.seat == seat:
                return OwnPart(Deed.EXECUTED_HITLER, round=execution.round)
        case Ending.HITLER_ELECTED if election is not None:
            for event in election.events:
                if isinstance(event, Elected) and event.chancellor == seat:
                    return OwnPart(Deed.ELECTED_AS_HITLER, round=election.round)
                if isinstance(event, Elected) and event.president == seat:
                    return OwnPart(Deed.NOMINATED_HITLER, round=election.round)
            return _vote_of(election, seat)
        case Ending.LIBERAL_POLICIES | Ending.FASCIST_POLICIES:
            last = view.governments[-1] if view.governments else None
            if last is not None and last.policy is not None and not _is_by_chaos(steps):
                if last.president == seat:
                    return OwnPart(Deed.PRESIDENT_AT_LAST, last.round, last.policy)
                if last.chancellor == seat:
                    return OwnPart(Deed.CHANCELLOR_AT_LAST, last.round, last.policy)
        case Ending.HITLER_ELECTED:
            pass
        case _:
            assert_never(view.outcome.ending)
    return _offices_of(view, seat) or (None if election is None else _vote_of(election, seat))


def turning_point(view: View, steps: Sequence[PublicStep]) -> TurningPoint | None:
    """Return the moment that decided a game, or None if the rules did not end it."""
    if view.outcome is None:
        return None
    ending = view.outcome.ending
    election = _last(steps, Elected)
    match ending:
        case Ending.HITLER_EXECUTED:
            step = _last(steps, Executed)
            assert step is not None
            target = next(event.target for event in step.events if isinstance(event, Executed))
            return TurningPoint(step.round, step.number + 1, ending, step.seat, target)
        case Ending.HITLER_ELECTED:
            assert election is not None
            government = next(event for event in election.events if isinstance(event, Elected))
            ja, nein = _tally(election)
            return TurningPoint(
                election.round,
                election.number + 1,
                ending,
                government.president,
                government.chancellor,
                ja,
                nein,
            )
        case Ending.LIBERAL_POLICIES | Ending.FASCIST_POLICIES:
            step = _last(steps, Enacted)
            assert step is not None
            if _is_by_chaos(steps):
                return TurningPoint(step.round, step.number + 1, ending, step.seat)
            last = view.governments[-1]
            return TurningPoint(
                step.round, step.number + 1, ending, last.president, last.chancellor
            )
        case _:
            assert_never(ending)


def sessions_of(view: View) -> tuple[Session, ...]:
    """Return every session of a finished game, in order."""
    policies = {each.round: each.policy for each in view.governments}
    received = {item.round: item for item in view.knowledge if isinstance(item, Received)}
    return tuple(
        Session(item.round, item, received.get(item.round), policies.get(item.round))
        for item in view.knowledge
        if isinstance(item, Drawn)
    )


def _last(steps: Sequence[PublicStep], kind: type) -> PublicStep | None:
    """Return the last step with an event of this kind."""
    return next(
        (step for step in reversed(steps) if any(isinstance(e, kind) for e in step.events)), None
    )


def _is_by_chaos(steps: Sequence[PublicStep]) -> bool:
    step = _last(steps, Enacted)
    return step is not None and any(
        isinstance(event, Enacted) and event.by == "chaos" for event in step.events
    )


def _ballots(election: PublicStep) -> tuple[Ballot | None, ...]:
    return next(event.ballots for event in election.events if isinstance(event, Ballots))


def _tally(election: PublicStep) -> tuple[int, int]:
    ballots = _ballots(election)
    return ballots.count(Ballot.JA), ballots.count(Ballot.NEIN)


def _vote_of(election: PublicStep, seat: int) -> OwnPart | None:
    ballot = _ballots(election)[seat]
    return None if ballot is None else OwnPart(Deed.VOTED, round=election.round, ballot=ballot)


def _offices_of(view: View, seat: int) -> OwnPart | None:
    """Return the office in which a seat saw most policies enacted, if any.

    Policies of the seat's own party come first, and a Chancellor's before a President's.
    """
    role = view.roles[seat]
    own = Policy.LIBERAL if role is not None and role.party is Party.LIBERAL else Policy.FASCIST
    for policy in sorted(Policy, key=lambda policy: policy is not own):
        held = {
            Deed.CHANCELLOR: sum(
                each.chancellor == seat and each.policy is policy for each in view.governments
            ),
            Deed.PRESIDENT: sum(
                each.president == seat and each.policy is policy for each in view.governments
            ),
        }
        deed = max(held, key=held.__getitem__)
        if held[deed]:
            return OwnPart(deed, policy=policy, count=held[deed])
    return None
