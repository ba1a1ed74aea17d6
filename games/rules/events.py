"""What an action caused. Names, keys and the order of events are RECORD.md's."""

from dataclasses import dataclass
from typing import ClassVar

from .components import Ballot, Party, Policy
from .powers import PowerUsed


@dataclass(frozen=True, slots=True)
class Nominated:
    kind: ClassVar[str] = "nominated"
    president: int
    chancellor: int


@dataclass(frozen=True, slots=True)
class Ballots:
    """All ballots at once, by seat; None for dead players."""

    kind: ClassVar[str] = "ballots"
    ballots: tuple[Ballot | None, ...]


@dataclass(frozen=True, slots=True)
class Elected:
    kind: ClassVar[str] = "elected"
    president: int
    chancellor: int


@dataclass(frozen=True, slots=True)
class Rejected:
    kind: ClassVar[str] = "rejected"
    president: int
    chancellor: int


@dataclass(frozen=True, slots=True)
class Tracker:
    """The election tracker moved because of the event directly before."""

    kind: ClassVar[str] = "tracker"
    value: int


@dataclass(frozen=True, slots=True)
class NotHitler:
    """A Chancellor elected with three or more fascist policies enacted is not Hitler."""

    kind: ClassVar[str] = "not_hitler"
    seat: int


@dataclass(frozen=True, slots=True)
class Enacted:
    """A policy was enacted, `by` the `government` or by `chaos`."""

    kind: ClassVar[str] = "enacted"
    policy: Policy
    by: str


@dataclass(frozen=True, slots=True)
class Veto:
    kind: ClassVar[str] = "veto"
    consent: bool


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The discards were shuffled into the draw pile, which has `draw` cards before any is drawn."""

    kind: ClassVar[str] = "shuffled"
    draw: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A new round begins with this presidential candidate."""

    kind: ClassVar[str] = "candidate"
    seat: int


@dataclass(frozen=True, slots=True)
class Over:
    kind: ClassVar[str] = "over"
    winner: Party
    ending: str


Event = (
    Nominated
    | Ballots
    | Elected
    | Rejected
    | Tracker
    | NotHitler
    | Enacted
    | Veto
    | PowerUsed
    | Shuffled
    | Candidate
    | Over
)
