"""What is going on at a table beside the game: who may not sit down, who waits, what is moved.

Read with the table's version, as the seats are: nothing of it is read again for a move. All of it
is public, and nothing in it knows of roles, cards or who is alive.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from games.models import Game, Motion, Ruling, Seat, Substitute, Table
from games.reliability import Reliability, reliability_of

# Of the people's seats so many must be vacant before the game may be voted to its end.
_VACANT_OF: Final = 3


class Standing(StrEnum):
    """What somebody without a seat is to a table."""

    STRANGER = ""
    # Removed by the host.
    KICKED = "kicked"
    # On the waiting list.
    WAITING = "waiting"
    # Had a seat here once.
    SAT = "sat"


@dataclass(frozen=True, slots=True)
class Affairs:
    """The rows are not changed any more, as those of `games.rooms.Room`."""

    # Oldest first; of a table that plays or has played.
    motions: tuple[Motion, ...] = ()
    # In the order in which they came.
    substitutes: tuple[Substitute, ...] = ()
    # By primary key: whom the host has removed from a table that gathers, and who has ever sat
    # at one that plays.
    kicked: frozenset[int] = frozenset()
    sat: frozenset[int] = frozenset()
    # By primary key, of those who sit at a table that gathers; empty at a blind one.
    reliability: tuple[tuple[int, Reliability], ...] = ()
    # What moderators have ruled here, oldest first.
    rulings: tuple[Ruling, ...] = ()

    @property
    def motion(self) -> Motion | None:
        """The one that is open."""
        return next((motion for motion in reversed(self.motions) if motion.is_open), None)

    def standing(self, user_pk: int | None) -> Standing:
        """Of somebody who has no seat now."""
        if user_pk is None:
            return Standing.STRANGER
        if user_pk in self.kicked:
            return Standing.KICKED
        if any(substitute.user_id == user_pk for substitute in self.substitutes):
            return Standing.WAITING
        return Standing.SAT if user_pk in self.sat else Standing.STRANGER


NO_AFFAIRS: Final = Affairs()


def affairs_of(table: Table, game: Game | None, seats: Sequence[Seat]) -> Affairs:
    """What the database has now: a few statements, once for each version of the table."""
    rulings = tuple(table.rulings.all()) if table.ruled else ()
    if game is None:
        kicked = frozenset(table.kicks.values_list("user_id", flat=True))
        people = [seat.user_id for seat in seats if seat.user_id is not None]
        # A name that means nothing at any other table has no past either.
        known = {} if table.is_blind else reliability_of(people)
        return Affairs(kicked=kicked, reliability=tuple(sorted(known.items())), rulings=rulings)
    return Affairs(
        motions=tuple(table.motions.all()),
        substitutes=tuple(table.substitutes.all()),
        sat=frozenset(table.sat.values_list("user_id", flat=True)),
        rulings=rulings,
    )


def present(seats: Sequence[Seat]) -> list[int]:
    """The seats of the people who are there: those who may move and vote."""
    return [seat.number for seat in seats if seat.is_present]


def vacant(seats: Sequence[Seat]) -> list[int]:
    """The seats whose people are away or gone."""
    return [seat.number for seat in seats if seat.is_vacant]


def needed(seats: Sequence[Seat]) -> int:
    """How many votes carry a motion: more than half of those who are there."""
    return len(present(seats)) // 2 + 1


def may_be_stopped(seats: Sequence[Seat]) -> bool:
    """Whether so many have left that the others may end the game: a third of the people."""
    people = sum(1 for seat in seats if not seat.is_bot)
    gone = len(vacant(seats))
    return gone > 0 and _VACANT_OF * gone >= people


def stands(motion: Motion, seats: Sequence[Seat]) -> bool:
    """Whether what a motion is about is still so; who comes back ends it."""
    if motion.kind == Motion.Kind.STOP:
        return may_be_stopped(seats)
    assert motion.seat is not None
    return motion.substitute_id is not None and seats[motion.seat].is_vacant


def votes_of(motion: Motion, seats: Sequence[Seat]) -> tuple[list[int], list[int]]:
    """The seats for it and against it, of those who are there still."""
    votes = motion.votes
    here = [number for number in present(seats) if str(number) in votes]
    return [n for n in here if votes[str(n)]], [n for n in here if not votes[str(n)]]
