"""The actions that a seat may request. Names and keys are RECORD.md's; seats count from 0."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from .components import MOST_PLAYERS, Ballot, Policy
from .powers import POWERS, Power, UsePower, UsePowerOn


@dataclass(frozen=True, slots=True)
class Nominate:
    kind: ClassVar[str] = "nominate"
    seat: int
    target: int


@dataclass(frozen=True, slots=True)
class Vote:
    """Cast a ballot. A player may change it until the last ballot is cast."""

    kind: ClassVar[str] = "vote"
    seat: int
    ballot: Ballot


@dataclass(frozen=True, slots=True)
class Discard:
    """The President discards one of three policies, face down."""

    kind: ClassVar[str] = "discard"
    seat: int
    policy: Policy


@dataclass(frozen=True, slots=True)
class Enact:
    """The Chancellor enacts one of two policies and discards the other."""

    kind: ClassVar[str] = "enact"
    seat: int
    policy: Policy


@dataclass(frozen=True, slots=True)
class ProposeVeto:
    kind: ClassVar[str] = "propose_veto"
    seat: int


@dataclass(frozen=True, slots=True)
class AnswerVeto:
    kind: ClassVar[str] = "answer_veto"
    seat: int
    consent: bool


Action = Nominate | Vote | Discard | Enact | ProposeVeto | AnswerVeto | UsePower

# All kinds of actions by name.
_KINDS: tuple[type[Action], ...] = (
    Nominate,
    Vote,
    Discard,
    Enact,
    ProposeVeto,
    AnswerVeto,
    *(entry.action for entry in POWERS.values()),
)
ACTIONS: dict[str, type[Action]] = {kind.kind: kind for kind in _KINDS}


def _uses(action: type[UsePower], seat: int) -> Iterator[UsePower]:
    if issubclass(action, UsePowerOn):
        for target in range(MOST_PLAYERS):
            yield action(seat, target)
    else:
        yield action(seat)


# Actions are values and there are few of them, so each is created once; `legal_actions` only
# selects from these tuples.
_SEATS = range(MOST_PLAYERS)
NOMINATE = tuple(tuple(Nominate(seat, target) for target in _SEATS) for seat in _SEATS)
VOTES = tuple((Vote(seat, Ballot.JA), Vote(seat, Ballot.NEIN)) for seat in _SEATS)
DISCARD = tuple({policy: Discard(seat, policy) for policy in Policy} for seat in _SEATS)
ENACT = tuple({policy: Enact(seat, policy) for policy in Policy} for seat in _SEATS)
PROPOSE_VETO = tuple(ProposeVeto(seat) for seat in _SEATS)
ANSWERS = tuple((AnswerVeto(seat, True), AnswerVeto(seat, False)) for seat in _SEATS)
# By power and seat: one action, or one for each seat that could be the target.
USE_POWER: dict[Power, tuple[tuple[UsePower, ...], ...]] = {
    power: tuple(tuple(_uses(entry.action, seat)) for seat in _SEATS)
    for power, entry in POWERS.items()
}
