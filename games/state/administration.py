"""The state of a table outside the game itself: kicked users, the waiting list, motions, rulings.

It is read with the table's version, like the seats, and not read again after a move. All of it is
public; nothing in it depends on roles, cards or who is alive.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from games.models import Game, Motion, Ruling, Seat, Substitute, Table
from games.state.reliability import Reliability, reliability_of

# The game may be ended by vote when at least one in this many of the people's seats is vacant.
_VACANT_OF: Final = 3


class Relation(StrEnum):
    """The relation of a user without a seat to a table."""

    STRANGER = ""
    # Removed by the host.
    KICKED = "kicked"
    # On the waiting list.
    WAITING = "waiting"
    # Had a seat here earlier.
    SAT = "sat"


@dataclass(frozen=True, slots=True)
class Administration:
    """What happens at a table outside its game. The rows are read-only, like those of `Room`."""

    # Oldest first; only at a table whose game has started.
    motions: tuple[Motion, ...] = ()
    # In order of arrival.
    substitutes: tuple[Substitute, ...] = ()
    # Primary keys of users: those the host has removed from a table that is gathering players, and
    # those who have ever sat at a table whose game has started.
    kicked: frozenset[int] = frozenset()
    sat: frozenset[int] = frozenset()
    # Pairs of a user's primary key and reliability, for users seated at a table that is gathering
    # players. Empty at a blind table.
    reliability: tuple[tuple[int, Reliability], ...] = ()
    # Moderators' rulings at this table, oldest first.
    rulings: tuple[Ruling, ...] = ()

    @property
    def motion(self) -> Motion | None:
        """The open motion, or None."""
        return next((motion for motion in reversed(self.motions) if motion.is_open), None)

    def standing(self, user_pk: int | None) -> Relation:
        """Return the standing of a user who has no seat now."""
        if user_pk is None:
            return Relation.STRANGER
        if user_pk in self.kicked:
            return Relation.KICKED
        if any(substitute.user_id == user_pk for substitute in self.substitutes):
            return Relation.WAITING
        return Relation.SAT if user_pk in self.sat else Relation.STRANGER


NO_ADMINISTRATION: Final = Administration()


def administration_of(table: Table, game: Game | None, seats: Sequence[Seat]) -> Administration:
    """Read the affairs of a table from the database: a few queries per version of the table."""
    rulings = tuple(table.rulings.all()) if table.ruled else ()
    if game is None:
        kicked = frozenset(table.kicks.values_list("user_id", flat=True))
        people = [seat.user_id for seat in seats if seat.user_id is not None]
        # Names at a blind table mean nothing elsewhere, so they have no history either.
        known = {} if table.is_blind else reliability_of(people)
        return Administration(
            kicked=kicked, reliability=tuple(sorted(known.items())), rulings=rulings
        )
    return Administration(
        motions=tuple(table.motions.all()),
        substitutes=tuple(table.substitutes.all()),
        sat=frozenset(table.sat.values_list("user_id", flat=True)),
        rulings=rulings,
    )


def voters(seats: Sequence[Seat]) -> list[int]:
    """Return the seats whose players may vote on motions: people who are present."""
    return [seat.number for seat in seats if seat.is_voter]


def vacant(seats: Sequence[Seat]) -> list[int]:
    """Return the seats whose players are away or gone."""
    return [seat.number for seat in seats if seat.is_vacant]


def votes_needed(seats: Sequence[Seat]) -> int:
    """Return how many votes carry a motion: more than half of the people who are present."""
    return len(voters(seats)) // 2 + 1


def may_be_stopped(seats: Sequence[Seat]) -> bool:
    """Return whether enough players have left for the others to end the game: a third of them."""
    players = sum(1 for seat in seats if not seat.is_bot)
    gone = len(vacant(seats))
    return gone > 0 and _VACANT_OF * gone >= players


def is_still_possible(motion: Motion, seats: Sequence[Seat]) -> bool:
    """Return whether the motion still applies. It lapses when the absent player comes back."""
    if motion.kind == Motion.Kind.STOP:
        return may_be_stopped(seats)
    assert motion.seat is not None
    return motion.substitute_id is not None and seats[motion.seat].is_vacant


def votes_of(motion: Motion, seats: Sequence[Seat]) -> tuple[list[int], list[int]]:
    """Return the seats that voted for the motion and against it, counting only present people."""
    votes = motion.votes
    here = [number for number in voters(seats) if str(number) in votes]
    return [n for n in here if votes[str(n)]], [n for n in here if not votes[str(n)]]
