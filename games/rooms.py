"""A table in memory: its rows and the position of its game, all of one version.

A process caches the rooms that it read or changed last. A cached room is used only at a version
that the database has named, or to find out what is checked again under the table's lock (who sits
where).
"""

from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Lock
from typing import Final

from games.affairs import NO_AFFAIRS, Affairs, affairs_of
from games.models import Game, GameAction, Interruption, Seat, Table
from games.positions import Position, followed, position_of
from games.positions import remember as remember_position
from games.talk import Said, read_newer, read_talk

_ROOMS_REMEMBERED: Final = 500


@dataclass(frozen=True, slots=True)
class Version:
    """The version of a table; it grows with every change that anyone at the table could see."""

    # `Table.version`: changes to the table's row and its seats.
    table: int
    # The number of actions; -1 before the game.
    length: int
    # `Table.talk`: changes to the chat.
    talk: int = 0

    def is_older_than(self, other: "Version") -> bool:
        return self.table < other.table or self.length < other.length or self.talk < other.talk

    def with_what_is_newer_in(self, other: "Version") -> "Version":
        """Return the newest of each part from both versions."""
        return Version(
            max(self.table, other.table),
            max(self.length, other.length),
            max(self.talk, other.talk),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """A table's rows and its game's position.

    The rows are read-only: code that changes a table must read its own rows.
    """

    table: Table
    # In their order round the table.
    seats: tuple[Seat, ...]
    game: Game | None
    position: Position | None
    # When the site was down while the game ran.
    interruptions: tuple[Interruption, ...] = ()
    # Motions, the waiting list and the like.
    affairs: Affairs = NO_AFFAIRS
    # The chat, oldest first; `games.talk` says which messages are kept.
    talk: tuple[Said, ...] = ()
    # The `Table.talk` up to which the chat is known. A move does not read new messages.
    heard: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or otherwise: nothing is hidden then."""
        return self.table.stage == Table.Stage.OVER

    @property
    def version(self) -> Version:
        length = -1 if self.game is None else self.game.length
        return Version(self.table.version, length, self.heard)

    @property
    def key(self) -> tuple[int, datetime, Version]:
        """A key that identifies this version of this table."""
        return self.table.pk, self.table.created_at, self.version

    def seat_of(self, user_pk: int | None) -> Seat | None:
        """Return the seat of a user, or None if they have no seat."""
        if user_pk is None:
            return None
        return next((seat for seat in self.seats if seat.user_id == user_pk), None)


def room_of(code: str) -> Room | None:
    """Return the table with this code from the database, or None if there is none."""
    return _read(code=code)


def room_with(table_pk: int) -> Room | None:
    """Return what `room_of` returns, by the table's primary key."""
    return _read(pk=table_pk)


def room_after(known: Room) -> Room | None:
    """Return the room after moves made elsewhere, in one query; None if there were none."""
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
    """Return the room with the messages posted since, in one query."""
    talk, heard = read_newer(known.table, known.talk, known.heard)
    if heard == known.heard:
        return known
    return remember(replace(known, talk=talk, heard=heard))


def room_caught_up(known: Room, heard: Version) -> Room | None:
    """Return the room at the version that a hint named, with no more queries than needed."""
    room: Room | None = known
    if known.version.table != heard.table:
        return room_with(known.table.pk)
    if known.version.length < heard.length:
        room = room_after(known) or room_with(known.table.pk)
    if room is not None and room.heard < heard.talk:
        room = room_told(room)
    return room


def with_talk(room: Room) -> Room:
    """Return the room of a locked table with all messages so far."""
    if room.heard >= room.table.talk:
        return room
    talk, heard = _talk(room.table, room.talk, room.heard)
    return replace(room, talk=talk, heard=heard)


def known_room(*, code: str = "", pk: int = 0) -> Room | None:
    """Return the cached room of a table without querying the database, or None."""
    with _lock:
        return _remembered.get(_codes.get(code, 0) if code else pk)


def put_together(table: Table, game: Game | None, *, reads_talk: bool = False) -> Room:
    """Build the room from rows that were just read, reusing cached parts of the same version.

    The chat is taken from the cache unless `reads_talk` is set.
    """
    known = known_room(pk=table.pk)
    if known is not None and known.key[:2] != (table.pk, table.created_at):
        known = None
    talk, heard = ((), 0) if known is None else (known.talk, known.heard)
    if reads_talk and heard < table.talk:
        talk, heard = _talk(table, talk, heard)
    if known is not None and known.table.version == table.version:
        seats, interruptions, affairs = known.seats, known.interruptions, known.affairs
    else:
        seats = tuple(table.seats.all())
        interruptions = () if game is None else tuple(table.interruptions.all())
        affairs = affairs_of(table, game, seats)
    if game is None:
        return Room(table, seats, None, None, (), affairs, talk, heard)
    game.table = table
    position = position_of(game, seats)
    return Room(table, seats, game, position, interruptions, affairs, talk, heard)


def remember(room: Room) -> Room:
    """Cache a committed room for later readers in this process.

    Return the newest room then known: its chat and the rest may each come from a newer room.
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
    """Empty the cache; tests that reuse primary keys need it."""
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
