"""The actions that a seat may request. Names and keys are RECORD.md's; seats count from 0."""

from dataclasses import dataclass
from typing import ClassVar

from .components import MOST_PLAYERS, Ballot, Policy


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


@dataclass(frozen=True, slots=True)
class Investigate:
    kind: ClassVar[str] = "investigate"
    seat: int
    target: int


@dataclass(frozen=True, slots=True)
class CallSpecialElection:
    kind: ClassVar[str] = "call_special_election"
    seat: int
    target: int


@dataclass(frozen=True, slots=True)
class Execute:
    kind: ClassVar[str] = "execute"
    seat: int
    target: int


@dataclass(frozen=True, slots=True)
class Peek:
    kind: ClassVar[str] = "peek"
    seat: int


Action = (
    Nominate
    | Vote
    | Discard
    | Enact
    | ProposeVeto
    | AnswerVeto
    | Investigate
    | CallSpecialElection
    | Execute
    | Peek
)

ACTIONS: dict[str, type[Action]] = {
    cls.kind: cls
    for cls in (
        Nominate,
        Vote,
        Discard,
        Enact,
        ProposeVeto,
        AnswerVeto,
        Investigate,
        CallSpecialElection,
        Execute,
        Peek,
    )
}

# Actions are values and there are few of them, so each is created once; `legal_actions` only
# selects from these tuples.
_SEATS = range(MOST_PLAYERS)
NOMINATE = tuple(tuple(Nominate(seat, target) for target in _SEATS) for seat in _SEATS)
INVESTIGATE = tuple(tuple(Investigate(seat, target) for target in _SEATS) for seat in _SEATS)
CALL = tuple(tuple(CallSpecialElection(seat, target) for target in _SEATS) for seat in _SEATS)
EXECUTE = tuple(tuple(Execute(seat, target) for target in _SEATS) for seat in _SEATS)
VOTES = tuple((Vote(seat, Ballot.JA), Vote(seat, Ballot.NEIN)) for seat in _SEATS)
DISCARD = tuple({policy: Discard(seat, policy) for policy in Policy} for seat in _SEATS)
ENACT = tuple({policy: Enact(seat, policy) for policy in Policy} for seat in _SEATS)
PROPOSE_VETO = tuple(ProposeVeto(seat) for seat in _SEATS)
ANSWERS = tuple((AnswerVeto(seat, True), AnswerVeto(seat, False)) for seat in _SEATS)
PEEK = tuple((Peek(seat),) for seat in _SEATS)
