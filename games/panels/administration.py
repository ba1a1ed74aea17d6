"""A table's affairs outside the game: one panel for everyone, and one of the viewer's buttons.

Before the game these are the ready check and the host's tools; during it, motions and the waiting
list. All of it comes from the seats and from `games.state.administration`, which hold no cards or
roles.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from games.models import Motion, Ruling, Seat, Table
from games.panels.pieces import Part
from games.state.administration import Relation, votes_needed, votes_of
from games.state.rooms import Room


@dataclass(frozen=True, slots=True)
class ReadyCheck:
    # None while the table is frozen.
    until: datetime | None
    ready: tuple[str, ...]
    awaited: tuple[str, ...]
    frees_seats: bool


@dataclass(frozen=True, slots=True)
class Moved:
    """The open motion, with names instead of seat numbers."""

    kind: str
    until: datetime | None
    mover: str
    gone: str
    # "" at a blind table.
    substitute: str
    in_favour: tuple[str, ...]
    against: tuple[str, ...]
    # The number of votes that carry it.
    needed: int


@dataclass(frozen=True, slots=True)
class EarlyRuling:
    """A moderator's ruling from before the game, when there is no log to list it."""

    kind: str
    because: str
    # Names at a seat that was given to a bot.
    gone: str = ""
    newcomer: str = ""


@dataclass(frozen=True, slots=True)
class Proceedings(Part):
    """The public part of a table's affairs."""

    template: ClassVar[str] = "administration"
    noun: ClassVar[str] = "administration"

    shuffles: bool = False
    check: ReadyCheck | None = None
    # Who did not answer the last check and kept the seat; the host decides.
    unanswered: tuple[str, ...] = ()
    motion: Moved | None = None
    # Names on the waiting list; at a blind table only their number is shown.
    waiting: tuple[str, ...] = ()
    waiting_number: int = 0
    rulings: tuple[EarlyRuling, ...] = ()


@dataclass(frozen=True, slots=True)
class OtherSeat:
    """The seat that a button is about."""

    number: int
    # "" for a free seat.
    name: str
    is_person: bool
    # A bot's kind and level.
    bot: str = ""
    level: str = ""

    @property
    def value(self) -> str:
        return f"{self.number}:{self.name}"

    @property
    def place(self) -> int:
        """The seat's number as people count."""
        return self.number + 1

    @property
    def row(self) -> str:
        return str(self.number)


@dataclass(frozen=True, slots=True)
class Arrange(Part):
    """Before the game, the buttons of seated players; empty if there is nothing to do."""

    template: ClassVar[str] = "administration_arrange"
    noun: ClassVar[str] = "own"

    code: str = ""
    is_seated: bool = False
    is_host: bool = False
    may_call: bool = False
    shuffles: bool = False
    # For the host: all other seats, also the free ones.
    others: tuple[OtherSeat, ...] = ()
    # Whether the page has only a link to the host's tools: their lists of bots are half of the page
    # of a table with ten seats.
    are_tools_later: bool = False

    @property
    def has_people(self) -> bool:
        return any(other.is_person for other in self.others)


@dataclass(frozen=True, slots=True)
class Assembly(Part):
    """During the game: the viewer's vote, their motions, and their place on the waiting list."""

    template: ClassVar[str] = "administration_assembly"
    noun: ClassVar[str] = "own"

    code: str
    # The motion that waits for the viewer's vote.
    ordinal: int | None = None
    # The viewer's vote on the open motion: "for", "against" or "".
    voted: str = ""
    # What the viewer may move: to replace a player, or to stop the game.
    vacant: tuple[OtherSeat, ...] = ()
    substitute: str = ""
    may_stop: bool = False
    # For a viewer without a seat: whether they may join the waiting list, or leave it.
    may_wait: bool = False
    is_waiting: bool = False


def proceedings(room: Room) -> Proceedings:
    """Return the public part."""
    table, seats, administration = room.table, room.seats, room.administration
    if room.game is None:
        is_open = table.stage == Table.Stage.OPEN
        return Proceedings(
            shuffles=is_open and table.shuffles_seats,
            check=_check(room) if is_open else None,
            unanswered=_unanswered(room) if is_open else (),
            rulings=tuple(
                EarlyRuling(ruling.kind, ruling.because, ruling.gone_name, ruling.newcomer_name)
                for ruling in administration.rulings
                # The banner already shows the ruling that closed the table.
                if ruling.kind != Ruling.Kind.CLOSE and is_open
            ),
        )
    if room.is_over:
        return Proceedings()
    waiting = tuple(substitute.name for substitute in administration.substitutes)
    return Proceedings(
        motion=None
        if administration.motion is None
        else _moved(room, administration.motion, seats),
        waiting=() if table.is_blind else waiting,
        waiting_number=len(waiting),
    )


def own_administration(
    room: Room, user_pk: int | None, seat: Seat | None, *, may_stop: bool
) -> Part:
    """Return the viewer's own buttons.

    `may_stop` says whether enough players have left for the others to end the game.
    """
    if room.game is None:
        return _arrange(room, seat)
    if room.is_over or user_pk is None or room.table.is_frozen:
        return Assembly(code=room.table.code)
    if seat is None:
        standing = room.administration.standing(user_pk)
        return Assembly(
            code=room.table.code,
            may_wait=standing is Relation.STRANGER,
            is_waiting=standing is Relation.WAITING,
        )
    if not seat.is_voter:
        return Assembly(code=room.table.code)
    return _assembly(room, seat, may_stop=may_stop)


def _check(room: Room) -> ReadyCheck | None:
    until = room.table.asked_until
    if until is None:
        return None
    return ReadyCheck(
        until=None if room.table.is_frozen else until,
        ready=tuple(seat.name for seat in room.seats if seat.is_bot or seat.is_ready),
        awaited=tuple(seat.name for seat in room.seats if not (seat.is_bot or seat.is_ready)),
        frees_seats=not room.table.is_private or room.table.is_meeting,
    )


def _unanswered(room: Room) -> tuple[str, ...]:
    people = [seat for seat in room.seats if not seat.is_bot]
    if room.table.asked_until is not None or not any(seat.is_ready for seat in people):
        return ()
    return tuple(seat.name for seat in people if not seat.is_ready)


def _moved(room: Room, motion: Motion, seats: tuple[Seat, ...]) -> Moved:
    in_favour, against = votes_of(motion, seats)
    return Moved(
        kind=motion.kind,
        until=None if room.table.is_frozen else room.table.asked_until,
        mover=seats[motion.mover].name,
        gone=motion.gone_name,
        substitute="" if room.table.is_blind else motion.substitute_name,
        in_favour=tuple(seats[number].name for number in in_favour),
        against=tuple(seats[number].name for number in against),
        needed=votes_needed(seats),
    )


def _arrange(room: Room, seat: Seat | None) -> Arrange:
    table = room.table
    if seat is None or table.stage != Table.Stage.OPEN or table.is_frozen:
        return Arrange(code=table.code)
    is_host = seat.user_id == table.host_id
    is_checking = table.asked_until is not None
    return Arrange(
        code=table.code,
        is_seated=True,
        is_host=is_host,
        may_call=not is_checking and not table.is_ahead and len(room.seats) >= table.least,
        shuffles=table.shuffles_seats,
        others=_all_others(room, seat) if is_host else (),
    )


def _assembly(room: Room, seat: Seat, *, may_stop: bool) -> Assembly:
    administration, code = room.administration, room.table.code
    motion = administration.motion
    if motion is not None:
        vote = motion.votes.get(str(seat.number))
        return Assembly(
            code=code,
            ordinal=motion.ordinal if vote is None else None,
            voted="" if vote is None else "for" if vote else "against",
        )
    first = administration.substitutes[0] if administration.substitutes else None
    return Assembly(
        code=code,
        vacant=()
        if first is None
        else tuple(_other(other) for other in room.seats if other.is_vacant),
        substitute="" if first is None or room.table.is_blind else first.name,
        may_stop=may_stop,
    )


def _all_others(room: Room, own: Seat) -> tuple[OtherSeat, ...]:
    taken = {seat.number: seat for seat in room.seats}
    return tuple(
        _other(taken[number]) if number in taken else OtherSeat(number, "", is_person=False)
        for number in range(room.table.seats_wanted)
        if number != own.number
    )


def _other(seat: Seat) -> OtherSeat:
    return OtherSeat(
        seat.number, seat.name, seat.user_id is not None, bot=seat.bot, level=seat.bot_level
    )
