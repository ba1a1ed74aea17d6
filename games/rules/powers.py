"""The presidential powers. Each is one entry in `POWERS`; no other module of the rules names one.

A new power needs a member of `Power`, an action, an event and an entry here, a space on a track,
and its words in `games/wording/powers.py`. While a President must use a power, the power itself is
the phase of the game.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final

from .components import CARDS_DRAWN, Party, Policy
from .knowledge import Knowledge, PartySeen, TopSeen
from .reasons import Reason

if TYPE_CHECKING:
    # The state names powers, so this import exists for annotations only.
    from .state import Draft


class Power(StrEnum):
    INVESTIGATION = "investigation"
    SPECIAL_ELECTION = "special_election"
    PEEK = "peek"
    EXECUTION = "execution"


# Actions. Names and keys are RECORD.md's; seats count from 0.


@dataclass(frozen=True, slots=True)
class UsePower:
    """The President uses a power."""

    kind: ClassVar[str]
    seat: int


@dataclass(frozen=True, slots=True)
class UsePowerOn(UsePower):
    """The President uses a power on another seat."""

    target: int


@dataclass(frozen=True, slots=True)
class Investigate(UsePowerOn):
    kind: ClassVar[str] = "investigate"


@dataclass(frozen=True, slots=True)
class CallSpecialElection(UsePowerOn):
    kind: ClassVar[str] = "call_special_election"


@dataclass(frozen=True, slots=True)
class Peek(UsePower):
    kind: ClassVar[str] = "peek"


@dataclass(frozen=True, slots=True)
class Execute(UsePowerOn):
    kind: ClassVar[str] = "execute"


# Events. Names, keys and order are RECORD.md's.


@dataclass(frozen=True, slots=True)
class PowerUsed:
    """The President has used a power."""

    kind: ClassVar[str]


@dataclass(frozen=True, slots=True)
class PowerUsedOn(PowerUsed):
    """The President has used a power on another seat."""

    target: int


@dataclass(frozen=True, slots=True)
class Investigated(PowerUsedOn):
    """The President investigated a seat. `party` is None for all viewers but the President."""

    kind: ClassVar[str] = "investigated"
    party: Party | None


@dataclass(frozen=True, slots=True)
class SpecialElection(PowerUsedOn):
    kind: ClassVar[str] = "special_election"


@dataclass(frozen=True, slots=True)
class Peeked(PowerUsed):
    """The President peeked at `policies`, top first; None for all viewers but the President."""

    kind: ClassVar[str] = "peeked"
    policies: tuple[Policy, ...] | None


@dataclass(frozen=True, slots=True)
class Executed(PowerUsedOn):
    kind: ClassVar[str] = "executed"


class Aim(StrEnum):
    """What a power does to the seat that the President chooses. Bots choose by it."""

    # No seat is chosen.
    NOBODY = "nobody"
    # Something about the seat comes out.
    EXPOSE = "expose"
    # The seat gets office or another advantage.
    PROMOTE = "promote"
    # The seat is out of the game.
    ELIMINATE = "eliminate"


@dataclass(frozen=True, slots=True)
class Used:
    """What the use of a power leads to."""

    event: PowerUsed
    # The next presidential candidate, if it is not the next seat in turn.
    candidate: int | None = None


def _any_seat(state: "Draft", target: int) -> Reason | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """One power: all that the rules and the site know of it besides its words."""

    action: type[UsePower]
    event: type[PowerUsed]
    # The fields of the event that everyone may know. All others are secret.
    public: tuple[str, ...]
    # Changes the position, and says what comes next. The game ends by itself if Hitler dies.
    effect: "Callable[[Draft, Any], Used]"
    # Returns the rule against using it on a seat that is alive and not the President's.
    refusal: "Callable[[Draft, int], Reason | None]" = _any_seat
    # The number of cards that must lie on the draw pile; a smaller pile is shuffled first.
    cards: int = 0
    # What the President alone learns, if anything. Claims can be made about it.
    shows: type[Knowledge] | None = None
    aim: Aim
    # The name of the drawing in art.svg.
    icon: str

    @property
    def has_target(self) -> bool:
        return self.aim is not Aim.NOBODY


def _investigate(new: "Draft", action: Investigate) -> Used:
    party = new.setup.roles[action.target].party
    new.investigated = (*new.investigated, action.target)
    new.knowledge = (*new.knowledge, PartySeen(new.round, action.seat, action.target, party))
    return Used(Investigated(action.target, party))


def _once_only(state: "Draft", target: int) -> Reason | None:
    return Reason.INVESTIGATED_BEFORE if target in state.investigated else None


def _call_special_election(new: "Draft", action: CallSpecialElection) -> Used:
    return Used(SpecialElection(action.target), candidate=action.target)


def _peek(new: "Draft", action: Peek) -> Used:
    top = new.draw[:CARDS_DRAWN]
    new.knowledge = (*new.knowledge, TopSeen(new.round, action.seat, top))
    return Used(Peeked(top))


def _execute(new: "Draft", action: Execute) -> Used:
    new.alive = tuple(seat for seat in new.alive if seat != action.target)
    return Used(Executed(action.target))


POWERS: Final[dict[Power, Description]] = {
    Power.INVESTIGATION: Description(
        action=Investigate,
        event=Investigated,
        public=("target",),
        effect=_investigate,
        refusal=_once_only,
        shows=PartySeen,
        aim=Aim.EXPOSE,
        icon="investigation",
    ),
    Power.SPECIAL_ELECTION: Description(
        action=CallSpecialElection,
        event=SpecialElection,
        public=("target",),
        effect=_call_special_election,
        aim=Aim.PROMOTE,
        icon="special_election",
    ),
    Power.PEEK: Description(
        action=Peek,
        event=Peeked,
        public=(),
        effect=_peek,
        cards=CARDS_DRAWN,
        shows=TopSeen,
        aim=Aim.NOBODY,
        icon="peek",
    ),
    Power.EXECUTION: Description(
        action=Execute,
        event=Executed,
        public=("target",),
        effect=_execute,
        aim=Aim.ELIMINATE,
        icon="execution",
    ),
}

# The powers of the six spaces of the fascist track, by the number of players at the start.
_TRACKS: Final[dict[int, tuple[Power | None, ...]]] = {
    5: (None, None, Power.PEEK, Power.EXECUTION, Power.EXECUTION, None),
    7: (None, Power.INVESTIGATION, Power.SPECIAL_ELECTION, Power.EXECUTION, Power.EXECUTION, None),
    9: (
        Power.INVESTIGATION,
        Power.INVESTIGATION,
        Power.SPECIAL_ELECTION,
        Power.EXECUTION,
        Power.EXECUTION,
        None,
    ),
}

POWER_OF_ACTION: Final = {entry.action: power for power, entry in POWERS.items()}
POWER_OF_EVENT: Final = {entry.event: power for power, entry in POWERS.items()}


def powers_for(players: int) -> tuple[Power | None, ...]:
    """Return the six spaces of the fascist track for the starting number of players (5-10)."""
    return _TRACKS[players - 1 if players % 2 == 0 else players]


def power_of(event: PowerUsed) -> Power:
    """Return the power that was used."""
    return POWER_OF_EVENT[type(event)]


def target_of(event: PowerUsed) -> int | None:
    """Return the seat on which a power was used, if any."""
    return event.target if isinstance(event, PowerUsedOn) else None


def public_use(event: PowerUsed) -> PowerUsed:
    """Return the event with its public fields alone; the others are None."""
    public = POWERS[power_of(event)].public
    told = {name.name: None for name in fields(event)}
    return type(event)(**told | {name: getattr(event, name) for name in public})


def announced(action: UsePower) -> PowerUsed:
    """Return the event of an action that is still to come, with what the action tells of it."""
    event = POWERS[POWER_OF_ACTION[type(action)]].event
    return event(**{field.name: getattr(action, field.name, None) for field in fields(event)})
