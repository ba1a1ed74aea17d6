"""The phases of a game, its governments, and how it ends. All of this is public."""

from dataclasses import dataclass
from enum import StrEnum

from .components import Ballot, Party, Policy
from .powers import Power


class Phase(StrEnum):
    """The decision that the game is waiting for."""

    NOMINATION = "nomination"
    ELECTION = "election"
    PRESIDENT_DISCARDS = "president_discards"
    CHANCELLOR_ENACTS = "chancellor_enacts"
    VETO_PROPOSED = "veto_proposed"
    OVER = "over"


# While a President must use a power, the power is the phase.
AnyPhase = Phase | Power


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
class Government:
    """A government whose session is over. Public. `policy` is None after an accepted veto."""

    round: int
    president: int
    chancellor: int
    ballots: tuple[Ballot | None, ...]
    policy: Policy | None
