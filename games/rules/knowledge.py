"""What one seat has seen of hidden cards: in a hand, by a peek, or by an investigation."""

from dataclasses import dataclass

from .components import Party, Policy


@dataclass(frozen=True, slots=True)
class Drawn:
    """The three policies that a President drew, and which one was discarded."""

    round: int
    seat: int
    policies: tuple[Policy, ...]
    discarded: Policy


@dataclass(frozen=True, slots=True)
class Received:
    """The two policies that a Chancellor received."""

    round: int
    seat: int
    policies: tuple[Policy, ...]


@dataclass(frozen=True, slots=True)
class PartySeen:
    """The party membership that a President saw in an investigation."""

    round: int
    seat: int
    target: int
    party: Party


@dataclass(frozen=True, slots=True)
class TopSeen:
    """The top three policies that a President saw in a peek, top first."""

    round: int
    seat: int
    policies: tuple[Policy, ...]


Knowledge = Drawn | Received | PartySeen | TopSeen
