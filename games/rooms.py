"""A table as a process knows it: its rows and the position of its game, all of one version.

A process remembers the rooms that it read or changed last. What is remembered is only ever
used with a version that the database has named, or to find something that never changes
while a game runs (who sits where).
"""

from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Lock
from typing import Final

from games.models import Game, GameAction, Interruption, Seat, Table
from games.positions import Position, followed, position_of
from games.positions import remember as remember_position
from games.talk import Said, read_newer, read_talk

_ROOMS_REMEMBERED: Final = 500


@dataclass(frozen=True, slots=True)
class Version:
    """Grows with every change that anybody at the table could see; compares by what is newer."""

    # Of the table's row and its seats.
    table: int
    # The number of actions; -1 before the game.
    length: int
    # What has been said: `Table.talk`.
    talk: int = 0

    def is_older_than(self, other: "Version") -> bool:
        return self.table < other.table or self.length < other.length or self.talk < other.talk

    def with_what_is_newer_in(self, other: "Version") -> "Version":
        """The newest of each that either knows of."""
        return Version(
            max(self.table, other.table),
            max(self.length, other.length),
            max(self.talk, other.talk),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """The rows are not changed any more: whoever changes a table reads rows of their own."""

    table: Table
    # In their order round the table.
    seats: tuple[Seat, ...]
    game: Game | None
    position: Position | None
    # When the site was away while the game ran.
    interruptions: tuple[Interruption, ...] = ()
    # What is said there, the oldest first: see `games.talk` for what of it is kept.
    talk: tuple[Said, ...] = ()
    # `Table.talk` up to which that is known. A move does not read what was said beside it.
    heard: int = 0

    @property
    def version(self) -> Version:
        length = -1 if self.game is None else self.game.length
        return Version(self.table.version, length, self.heard)

    @property
    def key(self) -> tuple[int, datetime, Version]:
        """Tells this state of this table from every other."""
        return self.table.pk, self.table.created_at, self.version

    def seat_of(self, user_pk: int | None) -> Seat | None:
        """Where somebody sits; None for everybody else."""
        if user_pk is None:
            return None
        return next((seat for seat in self.seats if seat.user_id == user_pk), None)


def room_of(code: str) -> Room | None:
    """The table with this code as the database has it now; None where there is none."""
    return _read(code=code)


def room_with(table_pk: int) -> Room | None:
    """As `room_of`, by the table's primary key."""
    return _read(pk=table_pk)


def room_after(known: Room) -> Room | None:
    """A game that somebody else has moved on, in one statement; None where nobody has."""
    if known.game is None or known.position is None:
        return None
    rows = list(
        GameAction.objects.filter(game=known.game.pk, number__gte=known.game.length)
        .select_related("game__table")
        .order_by("number")
    )
    if not rows:
        return None
    game = rows[0].game
    position = followed(known.position, rows, game.players)
    remember_position(game, position)
    room = put_together(game.table, game)
    remember(room)
    return room


def room_told(known: Room) -> Room:
    """The room with what was said since, in one statement."""
    talk, heard = read_newer(known.table, known.talk, known.heard)
    if heard == known.heard:
        return known
    return remember(replace(known, talk=talk, heard=heard))


def room_caught_up(known: Room, heard: Version) -> Room | None:
    """The room at the version that was heard of, by no more statements than are needed."""
    room: Room | None = known
    if known.version.table != heard.table:
        return room_with(known.table.pk)
    if known.version.length < heard.length:
        room = room_after(known) or room_with(known.table.pk)
    if room is not None and room.heard < heard.talk:
        room = room_told(room)
    return room


def with_talk(room: Room) -> Room:
    """The room of a table that is locked, with all that is said there by now."""
    if room.heard >= room.table.talk:
        return room
    talk, heard = _talk(room.table, room.talk, room.heard)
    return replace(room, talk=talk, heard=heard)


def known_room(*, code: str = "", pk: int = 0) -> Room | None:
    """The table as this process saw it last, without a look into the database."""
    with _lock:
        return _remembered.get(_codes.get(code, 0) if code else pk)


def put_together(table: Table, game: Game | None, *, reads_talk: bool = False) -> Room:
    """The room of rows that were just read; what is remembered of the version is not read.

    What is said there is as it is remembered where it is not asked for.
    """
    known = known_room(pk=table.pk)
    if known is not None and known.key[:2] != (table.pk, table.created_at):
        known = None
    talk, heard = ((), 0) if known is None else (known.talk, known.heard)
    if reads_talk and heard < table.talk:
        talk, heard = _talk(table, talk, heard)
    if known is not None and known.table.version == table.version:
        seats, interruptions = known.seats, known.interruptions
    else:
        seats = tuple(table.seats.all())
        interruptions = () if game is None else tuple(table.interruptions.all())
    if game is None:
        return Room(table, seats, None, None, (), talk, heard)
    game.table = table
    return Room(table, seats, game, position_of(game, seats), interruptions, talk, heard)


def remember(room: Room) -> Room:
    """Keeps a room whose version is committed, for the next reader in this process.

    Returns the newest that is known then: what was said, and what was done, may be newer each.
    """
    pk = room.table.pk
    with _lock:
        known = _remembered.get(pk)
        if known is not None and known.table.created_at == room.table.created_at:
            if replace(room, heard=known.heard).version.is_older_than(known.version):
                if room.heard <= known.heard:
                    return known
                room = replace(known, talk=room.talk, heard=room.heard)
            elif room.heard < known.heard:
                room = replace(room, talk=known.talk, heard=known.heard)
        _remembered[pk] = room
        _remembered.move_to_end(pk)
        _codes[room.table.code] = pk
        while len(_remembered) > _ROOMS_REMEMBERED:
            _, gone = _remembered.popitem(last=False)
            _codes.pop(gone.table.code, None)
    return room


def forget_all() -> None:
    """Empties the memory; tests that reuse primary keys need it."""
    with _lock:
        _remembered.clear()
        _codes.clear()


def _read(**which: object) -> Room | None:
    table = Table.objects.select_related("game", "next_table").filter(**which).first()
    if table is None:
        return None
    room = put_together(table, getattr(table, "game", None), reads_talk=True)
    remember(room)
    return room


def _talk(table: Table, talk: tuple[Said, ...], heard: int) -> tuple[tuple[Said, ...], int]:
    if not heard:
        return read_talk(table), table.talk
    return read_newer(table, talk, heard)


_lock = Lock()
_remembered: OrderedDict[int, Room] = OrderedDict()
_codes: dict[str, int] = {}
