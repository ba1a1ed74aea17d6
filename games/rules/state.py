"""The position: the complete state of a game at one moment, including hidden information.

Only code that keeps or replays games imports this module; import-linter checks that. Everything
else gets a view.
"""

from dataclasses import dataclass
from typing import Any, Final, assert_never

from .components import Ballot, Policy, Role
from .editions import Options
from .knowledge import Knowledge
from .phases import AnyPhase, Government, Outcome, Phase
from .powers import Power


@dataclass(frozen=True, slots=True)
class Setup:
    """What is fixed once the cards are dealt."""

    options: Options
    roles: tuple[Role, ...]

    @property
    def players(self) -> int:
        """The number of players at the start, alive or dead."""
        return len(self.roles)

    @property
    def powers(self) -> tuple[Power | None, ...]:
        return self.options.powers(len(self.roles))


class Draft:
    """A mutable position for a transition to work on. Only GameStates leave `rules`.

    `freeze` turns a draft into a GameState. A game creates hundreds of positions, and
    `dataclasses.replace` takes twice as long as this copy. That is why the two classes share their
    slots, and `freeze` only swaps the class.
    """

    __slots__ = (
        "alive",
        "ballots",
        "candidate",
        "chancellor",
        "cleared",
        "discards",
        "draw",
        "fascist",
        "governments",
        "hand",
        "investigated",
        "knowledge",
        "liberal",
        "limited",
        "nominee",
        "outcome",
        "phase",
        "president",
        "rotation",
        "round",
        "setup",
        "shuffles",
        "term",
        "term_round",
        "tracker",
        "veto_refused",
    )

    setup: Setup
    phase: AnyPhase
    # The number of presidential candidacies so far, from 1.
    round: int
    # The seat from which the candidacy passes on. During a special election this is the seat that
    # called it.
    rotation: int
    candidate: int | None
    nominee: int | None
    president: int | None
    chancellor: int | None
    alive: tuple[int, ...]
    # Computed when the round begins, and shown unchanged until the next round.
    limited: tuple[int, ...]
    # The President and Chancellor whose terms limit the next nomination, and the round in which
    # they took office.
    term: tuple[int, int] | None
    term_round: int
    # The ballots of the current vote; after it, of the finished vote until the next nomination.
    ballots: tuple[Ballot | None, ...]
    liberal: int
    fascist: int
    tracker: int
    # Top card first.
    draw: tuple[Policy, ...]
    # Face down and never looked at, so the order has no meaning.
    discards: tuple[Policy, ...]
    # The hand of the President or the Chancellor, depending on the phase.
    hand: tuple[Policy, ...]
    veto_refused: bool
    investigated: tuple[int, ...]
    # Chancellors who were shown not to be Hitler.
    cleared: tuple[int, ...]
    governments: tuple[Government, ...]
    knowledge: tuple[Knowledge, ...]
    # The number of reshuffles so far.
    shuffles: int
    outcome: Outcome | None

    @property
    def players(self) -> int:
        return len(self.setup.roles)

    @property
    def veto_unlocked(self) -> bool:
        return self.fascist >= self.setup.options.veto_zone

    @property
    def eligible(self) -> tuple[int, ...]:
        """The seats that may be nominated Chancellor now; empty outside a nomination."""
        if self.phase is not Phase.NOMINATION:
            return ()
        candidate, limited = self.candidate, self.limited
        return tuple(s for s in self.alive if s != candidate and s not in limited)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must act now; in an election, the seats that have not voted yet."""
        phase = self.phase
        if phase is Phase.ELECTION:
            ballots = self.ballots
            return tuple(seat for seat in self.alive if ballots[seat] is None)
        if phase is Phase.NOMINATION:
            officer = self.candidate
        elif phase is Phase.CHANCELLOR_ENACTS:
            officer = self.chancellor
        elif phase is Phase.PRESIDENT_DISCARDS or phase is Phase.VETO_PROPOSED:
            officer = self.president
        elif phase is Phase.OVER:
            officer = None
        elif isinstance(phase, Power):
            officer = self.president
        else:
            assert_never(phase)
        return () if officer is None else (officer,)

    @property
    def decision(self) -> str:
        """An identifier of the current decision, which shows whether a form is stale.

        It is the same for all voters of an election, whichever ballots are already cast, because
        votes do not conflict.
        """
        again = "-again" if self.veto_refused and self.phase is Phase.CHANCELLOR_ENACTS else ""
        return f"{self.round}-{self.phase}{again}"


class GameState(Draft):
    """An immutable position. Created by `opening` and `apply` only."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a GameState is frozen: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a GameState is frozen: {name}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not GameState:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in FIELDS)

    def __hash__(self) -> int:
        return hash((self.round, self.phase, self.ballots, self.draw, self.hand))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, tuple(getattr(self, name) for name in FIELDS)


FIELDS: Final = Draft.__slots__


def _rebuilt(*values: Any) -> GameState:
    new = Draft()
    for name, value in zip(FIELDS, values, strict=True):
        setattr(new, name, value)
    return freeze(new)


def draft_of(state: GameState) -> Draft:
    """Return a copy to work on. Written out: a loop over the names takes five times as long."""
    new = _new_draft(Draft)
    new.alive = state.alive
    new.ballots = state.ballots
    new.candidate = state.candidate
    new.chancellor = state.chancellor
    new.cleared = state.cleared
    new.discards = state.discards
    new.draw = state.draw
    new.fascist = state.fascist
    new.governments = state.governments
    new.hand = state.hand
    new.investigated = state.investigated
    new.knowledge = state.knowledge
    new.liberal = state.liberal
    new.limited = state.limited
    new.nominee = state.nominee
    new.outcome = state.outcome
    new.phase = state.phase
    new.president = state.president
    new.rotation = state.rotation
    new.round = state.round
    new.setup = state.setup
    new.shuffles = state.shuffles
    new.term = state.term
    new.term_round = state.term_round
    new.tracker = state.tracker
    new.veto_refused = state.veto_refused
    return new


def freeze(draft: Draft) -> GameState:
    """Freeze the draft and return it: the same object, with its class changed."""
    draft.__class__ = GameState
    return draft  # type: ignore[return-value]  # its class was changed in the line above


_new_draft: Final = object.__new__
