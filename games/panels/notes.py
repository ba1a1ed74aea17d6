"""A user's own notes on their page; never a live panel, so that no draft is lost."""

from dataclasses import dataclass
from typing import Any

from games.models import Note, Suspicion
from games.rules.components import Role
from games.state.rooms import Room

MARKS = tuple(Suspicion)


@dataclass(frozen=True, slots=True)
class NotedSeat:
    number: int
    name: str
    # A Suspicion, or "".
    mark: str
    # The player's role, once the game is over.
    role: Role | None = None


@dataclass(frozen=True, slots=True)
class Notes:
    """The contents of the notes form."""

    code: str
    text: str
    version: int
    seats: tuple[NotedSeat, ...]
    # The result of a save: whether it was done, what was wrong, and another window's text that it
    # replaced.
    is_saved: bool = False
    error: str = ""
    is_over_another: bool = False
    overwritten: str = ""

    @property
    def is_empty(self) -> bool:
        return not self.text and not any(seat.mark for seat in self.seats)

    @property
    def marks(self) -> tuple[str, ...]:
        """The values that a seat can be marked with."""
        return tuple(str(mark) for mark in MARKS)


def notes_shown(room: Room, user_pk: int, note: Note, **said: Any) -> Notes:
    """Return the notes of `user_pk` at a table. Show them to no one else."""
    # The spectator's view has the roles only when they are revealed to all.
    view = None
    if room.game is not None:
        view = room.public_view()
    return Notes(
        code=room.table.code,
        text=note.text,
        version=note.version,
        seats=tuple(
            NotedSeat(
                seat.number,
                seat.name,
                note.marks.get(str(seat.number), ""),
                None if view is None else view.roles[seat.number],
            )
            # Until the game starts, players may change seats.
            for seat in (() if view is None else room.seats)
            if seat.user_id != user_pk
        ),
        **said,
    )
