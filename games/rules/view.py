"""What one viewer may know. A view is built up from that, never cut down from the position.

Hidden values are None, never a plausible value. The spectator's view (`viewer` is None) contains
what everyone may know; public panels are rendered from it alone.

Everything that leaves a game for a viewer is built in this module, field by field: views, public
events, the turns of a finished game for a moderator, and a moderator's look behind the cards.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from .actions import Action, Nominate
from .components import Ballot, Party, Policy, Role
from .editions import Options
from .events import (
    Ballots,
    Candidate,
    Elected,
    Enacted,
    Event,
    Nominated,
    NotHitler,
    Over,
    Rejected,
    Shuffled,
    Tracker,
    Veto,
)
from .knowledge import Knowledge, PartySeen
from .legality import legal_actions
from .night import hitler_looks
from .phases import AnyPhase, Government, Outcome, Phase
from .powers import Power, PowerUsed, UsePowerOn, public_use
from .reasons import Reason
from .state import GameState


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A position as one viewer may know it."""

    viewer: int | None

    # Public: the table itself.
    options: Options
    players: int
    powers: tuple[Power | None, ...]
    phase: AnyPhase
    round: int
    decision: str
    to_act: tuple[int, ...]
    candidate: int | None
    nominee: int | None
    president: int | None
    chancellor: int | None
    liberal: int
    fascist: int
    tracker: int
    draw: int
    discard: int
    alive: tuple[int, ...]
    limited: tuple[int, ...]
    eligible: tuple[int, ...]
    investigated: tuple[int, ...]
    cleared: tuple[int, ...]
    veto_unlocked: bool
    veto_refused: bool
    # The ballots of the finished vote by seat, from the reveal until the next nomination.
    ballots: tuple[Ballot | None, ...] | None
    governments: tuple[Government, ...]
    outcome: Outcome | None

    # By seat, what the viewer knows for certain; everything once the game is over.
    roles: tuple[Role | None, ...]
    parties: tuple[Party | None, ...]

    # Private: the viewer's own seat.
    role: Role | None
    # The cards in the viewer's hand; None if the viewer holds none.
    hand: tuple[Policy, ...] | None
    # The viewer's ballot in the current election.
    ballot: Ballot | None
    # What the viewer drew, received, investigated and peeked at; everything once the game is over.
    knowledge: tuple[Knowledge, ...]
    legal: tuple[Action, ...]

    @property
    def armed(self) -> bool:
        """Whether electing Hitler would end the game."""
        return self.fascist >= self.options.hitler_zone


def view_for(state: GameState, viewer: int | None, *, is_stopped: bool = False) -> View:
    """Return the position as `viewer` knows it: a seat (dead or alive), or None for a spectator.

    `is_stopped` means that the game was stopped: everyone's cards are shown and no one can act.
    """
    over = is_stopped or state.outcome is not None
    voting = state.phase is Phase.ELECTION
    roles = state.setup.roles if over else _roles_known(state, viewer)
    knowledge = (
        state.knowledge if over else tuple(item for item in state.knowledge if item.seat == viewer)
    )
    return View(
        viewer=viewer,
        options=state.setup.options,
        players=state.players,
        powers=state.setup.powers,
        phase=state.phase,
        round=state.round,
        decision=state.decision,
        to_act=() if is_stopped else state.to_act,
        candidate=state.candidate,
        nominee=state.nominee,
        president=state.president,
        chancellor=state.chancellor,
        liberal=state.liberal,
        fascist=state.fascist,
        tracker=state.tracker,
        draw=len(state.draw),
        discard=len(state.discards),
        alive=state.alive,
        limited=state.limited,
        eligible=state.eligible,
        investigated=state.investigated,
        cleared=state.cleared,
        veto_unlocked=state.veto_unlocked,
        veto_refused=state.veto_refused,
        ballots=state.ballots if not voting and state.ballots.count(None) < state.players else None,
        governments=state.governments,
        outcome=state.outcome,
        roles=roles,
        parties=_parties_known(state.players, roles, knowledge),
        role=None if viewer is None else state.setup.roles[viewer],
        hand=state.hand
        if viewer is not None and viewer == _holder(state) and not is_stopped
        else None,
        ballot=state.ballots[viewer] if voting and viewer is not None else None,
        knowledge=knowledge,
        legal=() if viewer is None or is_stopped else legal_actions(state, viewer),
    )


def barred(view: View) -> tuple[tuple[int, Reason], ...]:
    """Return the seats that the viewer may not choose at this decision, each with the rule.

    Empty unless the viewer is to choose a seat.
    """
    if not any(isinstance(action, Nominate | UsePowerOn) for action in view.legal):
        return ()
    found: list[tuple[int, Reason]] = []
    targets = {action.target for action in view.legal if isinstance(action, Nominate | UsePowerOn)}
    for seat in range(view.players):
        if seat in targets or seat == view.viewer:
            continue
        if seat not in view.alive:
            found.append((seat, Reason.TARGET_DEAD))
        elif view.phase is Phase.NOMINATION:
            found.append((seat, Reason.TERM_LIMITED))
        else:
            found.append((seat, Reason.INVESTIGATED_BEFORE))
    return tuple(found)


def public_event(event: Event) -> Event:
    """Return what everyone may know of an event. Hidden fields are None.

    Every event is built anew from the fields that are public. An event without a case here is an
    error: it may carry a secret.
    """
    match event:
        case Nominated():
            return Nominated(event.president, event.chancellor)
        case Ballots():
            return Ballots(event.ballots)
        case Elected():
            return Elected(event.president, event.chancellor)
        case Rejected():
            return Rejected(event.president, event.chancellor)
        case Tracker():
            return Tracker(event.value)
        case NotHitler():
            return NotHitler(event.seat)
        case Enacted():
            return Enacted(event.policy, event.by)
        case Veto():
            return Veto(event.consent)
        case PowerUsed():
            return public_use(event)
        case Shuffled():
            return Shuffled(event.draw)
        case Candidate():
            return Candidate(event.seat)
        case Over():
            return Over(event.winner, event.ending)
        case _:
            assert_never(event)


@dataclass(frozen=True, slots=True)
class PublicStep:
    """What everyone may know of an action in a game: who acted and how, but not what was chosen."""

    number: int
    round: int
    seat: int
    # The `kind` of the action.
    kind: str
    # Who made the move: a player, the clock or a bot.
    by: str
    at: datetime
    events: tuple[Event, ...]


def public_step(
    number: int,
    number_of_round: int,
    action: Action,
    events: tuple[Event, ...],
    *,
    by: str,
    at: datetime,
) -> PublicStep:
    """Return what everyone may know of an action and its events."""
    told = tuple([public_event(event) for event in events]) if events else ()
    return PublicStep(number, number_of_round, action.seat, action.kind, by, at, told)


def _roles_known(state: GameState, viewer: int | None) -> tuple[Role | None, ...]:
    """Return the viewer's own role and those that the first night reveals.

    See RULES.md, "What is the same in all".
    """
    roles = state.setup.roles
    nothing: list[Role | None] = [None] * len(roles)
    if viewer is None:
        return tuple(nothing)
    own = roles[viewer]
    seen = nothing
    seen[viewer] = own
    looks = hitler_looks(state.setup.options, len(roles))
    if own is Role.FASCIST or (own is Role.HITLER and looks):
        for seat, role in enumerate(roles):
            if role is not Role.LIBERAL:
                seen[seat] = role
    return tuple(seen)


def _parties_known(
    players: int, roles: tuple[Role | None, ...], knowledge: tuple[Knowledge, ...]
) -> tuple[Party | None, ...]:
    shown = {item.target: item.party for item in knowledge if isinstance(item, PartySeen)}
    return tuple(
        role.party if (role := roles[seat]) is not None else shown.get(seat)
        for seat in range(players)
    )


def _holder(state: GameState) -> int | None:
    """Return the seat that holds the policies, if any."""
    phase = state.phase
    match phase:
        case Phase.NOMINATION | Phase.ELECTION | Phase.OVER | Power():
            return None
        case Phase.PRESIDENT_DISCARDS:
            return state.president
        case Phase.CHANCELLOR_ENACTS | Phase.VETO_PROPOSED:
            return state.chancellor
        case _:
            assert_never(phase)
