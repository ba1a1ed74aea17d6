"""A table in memory: its rows and the position of its game, all of one version.

A process caches the rooms that it read or changed last. A cached room is used only at a version
that the database has named, or to find out what is checked again under the table's lock (who sits
where).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Lock
from typing import Final

from cachetools import LRUCache

from games.models import Game, GameAction, Interruption, Seat, Table
from games.rules.powers import Power
from games.rules.view import PublicStep, View, view_for
from games.state.administration import NO_ADMINISTRATION, Administration, administration_of
from games.state.chat import ChatMessage, read_chat, read_newer
from games.state.positions import (
    NOTHING_UNKNOWN,
    Position,
    UnknownCards,
    at_move,
    followed,
    position_of,
    positions_of,
)
from games.state.positions import remember as remember_position

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

    The rows are read-only: code that changes a table must read its own rows. Only services read
    the position itself; everything that is shown comes from `view`, `public_view` and
    `public_steps`.
    """

    table: Table
    # In their order round the table.
    seats: tuple[Seat, ...]
    game: Game | None
    position: Position | None
    # When the site was down while the game ran.
    interruptions: tuple[Interruption, ...] = ()
    # Motions, the waiting list and the like.
    administration: Administration = NO_ADMINISTRATION
    # The chat, oldest first; `games.state.chat` says which messages are kept.
    talk: tuple[ChatMessage, ...] = ()
    # The `Table.talk` up to which the chat is known. A move does not read new messages.
    heard: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or otherwise: nothing is hidden then."""
        return self.table.stage == Table.Stage.OVER

    @property
    def is_uploaded(self) -> bool:
        """Whether this is the game of an uploaded record: see `games.state.written_games`."""
        return self.table.pk < 0

    @property
    def host_shown(self) -> str:
        """The name of the host who sits here; "" at a table that hides names."""
        if self.table.is_blind:
            return ""
        return next((seat.name for seat in self.seats if seat.user_id == self.table.host_id), "")

    @property
    def unknown(self) -> UnknownCards:
        """The cards that the record of this game makes up."""
        return NOTHING_UNKNOWN if self.position is None else self.position.unknown

    @property
    def version(self) -> Version:
        length = -1 if self.game is None else self.game.length
        return Version(self.table.version, length, self.heard)

    @property
    def key(self) -> tuple[int, datetime, Version]:
        """A key that identifies this version of this table."""
        return self.table.pk, self.table.created_at, self.version

    @property
    def may_investigate(self) -> bool:
        """Whether a space of the fascist track lets a President investigate."""
        players = None if self.game is None else self.game.players
        return self.table.options.has_power(Power.INVESTIGATION, players)

    @property
    def public_steps(self) -> tuple[PublicStep, ...]:
        """What everyone may know of the moves so far; empty before the game."""
        return () if self.position is None else self.position.public_steps

    def view(self, seat: int | None) -> View:
        """Return the game as a seat knows it, or as a spectator does if `seat` is None.

        Raises ValueError before the game.
        """
        if self.position is None or self.game is None:
            raise ValueError(f"no game at table {self.table.code}")
        return view_for(self.position.state, seat, is_stopped=bool(self.game.stopped))

    def public_view(self) -> View:
        """Return the game as everyone may know it. Raises ValueError before the game."""
        return self.view(None)

    def at_move(self, move: int) -> "Room":
        """Return the room with the game as it stood after its first `move` moves.

        All else stays as it is now. Raises ValueError before the game.
        """
        if self.position is None or self.game is None:
            raise ValueError(f"no game at table {self.table.code}")
        position = at_move(self.position, self.table.options, self.game.players, move)
        return replace(self, position=position)

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


def public_views(games: Sequence[tuple[Game, Sequence[Seat]]]) -> dict[int, View]:
    """Return the public view of several games by primary key, each given with its seats.

    One statement.
    """
    return {pk: view_for(position.state, None) for pk, position in positions_of(games).items()}


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
    room = build_room(game.table, game)
    remember(room)
    return room


def room_with_newest_chat(known: Room) -> Room:
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
        room = room_with_newest_chat(room)
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


def build_room(table: Table, game: Game | None, *, reads_talk: bool = False) -> Room:
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
        seats, interruptions, administration = (
            known.seats,
            known.interruptions,
            known.administration,
        )
    else:
        seats = tuple(table.seats.all())
        interruptions = () if game is None else tuple(table.interruptions.all())
        administration = administration_of(table, game, seats)
    if game is None:
        return Room(table, seats, None, None, (), administration, talk, heard)
    game.table = table
    position = position_of(game, seats)
    return Room(table, seats, game, position, interruptions, administration, talk, heard)


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
        _codes[room.table.code] = pk
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
    room = build_room(table, getattr(table, "game", None), reads_talk=True)
    remember(room)
    return room


def _talk(
    table: Table, talk: tuple[ChatMessage, ...], heard: int
) -> tuple[tuple[ChatMessage, ...], int]:
    if not heard:
        return read_chat(table), table.talk
    return read_newer(table, talk, heard)


_lock = Lock()
_remembered: LRUCache[int, Room] = LRUCache(_ROOMS_REMEMBERED)
# The primary key by code. It may outlive the room, which is then read anew.
_codes: LRUCache[str, int] = LRUCache(_ROOMS_REMEMBERED)
