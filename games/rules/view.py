"""What one viewer may know. A view is built up from that, never cut down from the position.

Hidden values are None, never a plausible value. The spectator's view (`viewer` is None) contains
what everyone may know; public panels are rendered from it alone.
"""

from dataclasses import dataclass

from .actions import Action
from .components import Ballot, Party, Policy, Power, Role
from .editions import Options
from .legality import legal_actions
from .state import GameState, Government, Knowledge, Outcome, PartySeen, Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A position as one viewer may know it."""

    viewer: int | None

    # Public: the table itself.
    options: Options
    players: int
    powers: tuple[Power | None, ...]
    phase: Phase
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
    if own is Role.FASCIST or (own is Role.HITLER and len(roles) <= 6):
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
    if state.phase is Phase.PRESIDENT_DISCARDS:
        return state.president
    if state.phase in (Phase.CHANCELLOR_ENACTS, Phase.VETO_PROPOSED):
        return state.chancellor
    return None
