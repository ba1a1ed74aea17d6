"""The position: everything that is so at one moment of a game, hidden things included."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from .components import (
    FASCIST_POLICIES_UNLOCK_VETO,
    Ballot,
    Party,
    Policy,
    Power,
    Role,
    powers_for,
)
from .editions import Options


class Phase(StrEnum):
    """The decision that the game waits for."""

    NOMINATION = "nomination"
    ELECTION = "election"
    PRESIDENT_DISCARDS = "president_discards"
    CHANCELLOR_ENACTS = "chancellor_enacts"
    VETO_PROPOSED = "veto_proposed"
    INVESTIGATION = "investigation"
    SPECIAL_ELECTION = "special_election"
    PEEK = "peek"
    EXECUTION = "execution"
    OVER = "over"


class Ending(StrEnum):
    """The rule by which a game ended."""

    LIBERAL_POLICIES = "liberal_policies"
    HITLER_EXECUTED = "hitler_executed"
    FASCIST_POLICIES = "fascist_policies"
    HITLER_ELECTED = "hitler_elected"


@dataclass(frozen=True, slots=True)
class Outcome:
    winner: Party
    ending: Ending


@dataclass(frozen=True, slots=True)
class Setup:
    """What is fixed when the cards are dealt."""

    options: Options
    roles: tuple[Role, ...]

    @property
    def players(self) -> int:
        """The number that began, alive or not."""
        return len(self.roles)

    @property
    def powers(self) -> tuple[Power | None, ...]:
        return powers_for(len(self.roles))


@dataclass(frozen=True, slots=True)
class Government:
    """A government whose session is over: public. `policy` is None after an accepted veto."""

    round: int
    president: int
    chancellor: int
    ballots: tuple[Ballot | None, ...]
    policy: Policy | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a President drew, and which of the three was discarded."""

    round: int
    seat: int
    policies: tuple[Policy, ...]
    discarded: Policy


@dataclass(frozen=True, slots=True)
class Received:
    """The two policies that a Chancellor was handed."""

    round: int
    seat: int
    policies: tuple[Policy, ...]


@dataclass(frozen=True, slots=True)
class PartySeen:
    """The party membership that an investigation showed the President."""

    round: int
    seat: int
    target: int
    party: Party


@dataclass(frozen=True, slots=True)
class TopSeen:
    """The top three policies that a peek showed the President, top first."""

    round: int
    seat: int
    policies: tuple[Policy, ...]


Knowledge = Drawn | Received | PartySeen | TopSeen


class Draft:
    """A position being worked on. `freeze` makes it a GameState; nothing else leaves `rules`.

    A game makes hundreds of positions and `dataclasses.replace` takes twice the time of
    this copy, which is why the two classes share their slots and trade places.
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
    phase: Phase
    # Candidacies counted from 1.
    round: int
    # The seat from which the candidacy passes on: the caller's during a special election.
    rotation: int
    candidate: int | None
    nominee: int | None
    president: int | None
    chancellor: int | None
    alive: tuple[int, ...]
    # Fixed when the round begins; shown unchanged until the next.
    limited: tuple[int, ...]
    # The President and Chancellor whose terms limit, and the round in which they came to.
    term: tuple[int, int] | None
    term_round: int
    # The running vote's, and after it the settled vote's until the next nomination.
    ballots: tuple[Ballot | None, ...]
    liberal: int
    fascist: int
    tracker: int
    # Top card first.
    draw: tuple[Policy, ...]
    # Face down and never looked at, so their order means nothing.
    discards: tuple[Policy, ...]
    # Of the President or Chancellor, whoever has the cards now.
    hand: tuple[Policy, ...]
    veto_refused: bool
    investigated: tuple[int, ...]
    # Chancellors found not to be Hitler.
    cleared: tuple[int, ...]
    governments: tuple[Government, ...]
    knowledge: tuple[Knowledge, ...]
    # How often the discards were shuffled in.
    shuffles: int
    outcome: Outcome | None

    @property
    def players(self) -> int:
        return len(self.setup.roles)

    @property
    def veto_unlocked(self) -> bool:
        return self.fascist >= FASCIST_POLICIES_UNLOCK_VETO

    @property
    def eligible(self) -> tuple[int, ...]:
        """Who may be nominated Chancellor now; nobody outside a nomination."""
        if self.phase is not Phase.NOMINATION:
            return ()
        candidate, limited = self.candidate, self.limited
        return tuple(s for s in self.alive if s != candidate and s not in limited)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must act; in an election those still to vote."""
        phase = self.phase
        if phase is Phase.ELECTION:
            ballots = self.ballots
            return tuple(seat for seat in self.alive if ballots[seat] is None)
        if phase is Phase.NOMINATION:
            officer = self.candidate
        elif phase is Phase.CHANCELLOR_ENACTS:
            officer = self.chancellor
        else:
            officer = self.president
        return () if officer is None else (officer,)

    @property
    def decision(self) -> str:
        """Names the decision at hand, so that a form drawn for another one is known as stale.

        The same for all voters of an election, whatever ballots are in: votes do not conflict.
        """
        again = "-again" if self.veto_refused and self.phase is Phase.CHANCELLOR_ENACTS else ""
        return f"{self.round}-{self.phase}{again}"


class GameState(Draft):
    """A frozen position. Made by `opening` and `apply` only."""

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
    """A copy to work on. Spelt out: a loop over the names takes five times as long."""
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
    """The draft itself, from now on frozen."""
    draft.__class__ = GameState
    return draft  # type: ignore[return-value]  # its class was changed in the line above


_new_draft: Final = object.__new__
