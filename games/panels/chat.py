"""The chat of a table, and where a viewer may write: the panels `talk`, `say` and `hearing`.

The rows of `talk` are made once for all viewers who hear the same. Two groups hear different
messages: the living hear the table, while the dead and the guests hear the gallery too, until the
end opens it to all. `say` (where a viewer may write) and `hearing` (whom they may mute) are small
and made per viewer.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any, ClassVar, Final

from cachetools import LRUCache

from games.models import Chat, Message, Seat, Table
from games.panels.phrasebook import Chosen, phrasebook_parts, seen_by
from games.panels.pieces import Panel, Part, Piece
from games.panels.scene import Scene
from games.rules.silence import silence_in, silenced
from games.state.chat import ChatMessage, speaker_of
from games.state.rooms import Room
from games.state.viewer import ViewerSettings
from games.text.profanity import masked

TALK_PANELS: Final = ("say", "phrasebook", "hearing", "talk")
# A list holds between one and two times this many rows. Its start moves only after each this many
# messages of a place, and in between it only grows, so that a frame brings just the new rows.
_ROWS: Final = 100
_BOOKS_REMEMBERED: Final = 100
_PIECES_KEPT: Final = 2000


@dataclass(frozen=True, slots=True)
class MessageRow(Part):
    """One message as its audience reads it. `_message.html` renders it by kind."""

    template: ClassVar[str] = "message"
    noun: ClassVar[str] = "message"

    code: str
    place: str
    nth: int
    kind: str
    # The author's seat; None for spectators, and for players who left before the game.
    seat: int | None
    # "" for a gallery guest at a blind table, who is shown by number.
    name: str
    guest: int | None
    text: str
    # Data of phrases and claims, as JSON, and the names by seat for their sentences.
    data: str
    names: tuple[str, ...]
    # The seats that the text mentions by name.
    mentions: tuple[int, ...]
    round: int
    at: datetime
    is_removed: bool
    # Whether the viewer may remove it.
    may_remove: bool
    # No one reports a bot, and a link at each of its messages would be in a keyboard's way.
    is_by_bot: bool = False

    @property
    def row_id(self) -> str:
        return f"said-{self.place}-{self.nth}"


@dataclass(frozen=True, slots=True)
class Talk(Part):
    """The frame around the messages."""

    template: ClassVar[str] = "talk"
    noun: ClassVar[str] = "talk"

    is_empty: bool


@dataclass(frozen=True, slots=True)
class MutableAuthor:
    """An author whom the viewer may mute, or all bots."""

    # "seat:3", "guest:2" or "bots", as the button posts it.
    who: str
    seat: int | None
    name: str
    guest: int | None
    is_muted: bool
    is_blocked: bool = False
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class Say(Part):
    """Where the viewer may write now, and if not, why not."""

    template: ClassVar[str] = "say"
    noun: ClassVar[str] = "say"

    code: str
    stage: str
    chat: str
    is_signed_in: bool
    is_seated: bool
    is_alive: bool
    is_guest: bool
    # Whether spectators may join the gallery.
    is_open: bool
    # Where messages go: "table", "gallery", or "" if this viewer may not write.
    place: str
    # The rule of silence in force, "" if none, and the players it concerns.
    silence: str
    president: str
    chancellor: str
    # Whether this viewer is silenced.
    is_silent: bool
    # Whether moderators have muted this viewer.
    is_gagged: bool
    # Whether this viewer is a guest with a trial account, who writes no text.
    is_trial: bool


@dataclass(frozen=True, slots=True)
class Hearing(Part):
    """The authors whom the viewer may mute. The panel has a link; the page asks for the list."""

    template: ClassVar[str] = "hearing"
    noun: ClassVar[str] = "hearing"
    is_kept: ClassVar[bool] = False

    code: str
    # False while names are hidden.
    may_block: bool
    authors: tuple[MutableAuthor, ...]
    # How much bots talk here, for the host of a table with bots; "" for others.
    bots_say: str = ""

    @property
    def has_people(self) -> bool:
        return not all(author.is_bot for author in self.authors)


@dataclass(frozen=True, slots=True)
class _Listener:
    """Everything that the rendered rows depend on."""

    locale: str
    hears_gallery: bool
    unheard: tuple[int, ...]
    muted_bots: tuple[int, ...]
    masks: bool
    may_remove: bool


class _Book:
    """Cached panels of one state of a table's chat; a move does not change it."""

    __slots__ = ("hearings", "key", "panels", "phrasebooks", "pieces")

    def __init__(self, key: tuple[object, ...], pieces: dict[tuple[str, Part], Piece]) -> None:
        self.key = key
        # The chat rows by what viewers hear; and whom each viewer may mute.
        self.panels: dict[_Listener, Panel] = {}
        self.hearings: dict[tuple[object, ...], Panel] = {}
        # Each viewer's phrasebook.
        self.phrasebooks: dict[tuple[object, ...], Panel] = {}
        # Includes pieces of the previous state, most of which are still valid. Each is looked up by
        # its exact content.
        self.pieces = pieces

    def piece(self, part: Part, locale: str) -> Piece:
        piece = self.pieces.get((locale, part))
        if piece is None:
            piece = self.pieces[locale, part] = Piece(part, locale)
        return piece


_lock = Lock()
_books: LRUCache[int, _Book] = LRUCache(_BOOKS_REMEMBERED)


def talk_panels(
    scene: Scene,
    user_pk: int | None,
    locale: str,
    viewer_settings: ViewerSettings,
    chosen: Chosen | None = None,
) -> dict[str, Panel]:
    """Return the chat panels of this table as a viewer may see them.

    `chosen` are the picked values of a phrase form that is shown again with a refusal.
    """
    seat = scene.room.seat_of(user_pk)
    say = say_part(scene, user_pk, seat, viewer_settings)
    listener = _Listener(
        locale,
        hears_gallery(scene.room, seat, viewer_settings),
        viewer_settings.unheard,
        viewer_settings.muted_bots,
        viewer_settings.masks,
        # Players may not moderate their own table.
        viewer_settings.may_remove and seat is None,
    )
    with _lock:
        book = _book(scene.room)
        return {
            "say": Panel("say", book.piece(say, locale)),
            "phrasebook": _phrasebook_panel(scene, user_pk, seat, say, locale, chosen, book),
            "hearing": _hearing_panel(scene.room, user_pk, viewer_settings, listener, book),
            "talk": _talk_panel(scene.room, listener, book),
        }


def hears_gallery(room: Room, seat: Seat | None, viewer_settings: ViewerSettings) -> bool:
    """Return whether the viewer hears the gallery.

    The dead and the guests hear it while the game runs; everyone does when it is over.
    """
    if room.table.stage == Table.Stage.OVER:
        return True
    if room.game is None:
        return False
    if seat is None:
        return viewer_settings.guest is not None
    return seat.number not in room.public_view().alive


def message_rows(
    room: Room, talk: Iterable[ChatMessage], seat: Seat | None, viewer_settings: ViewerSettings
) -> list[MessageRow]:
    """Return messages as rows for a page that lists them, as a viewer who hears them reads them."""
    names = names_by_seat(room)
    may_remove = viewer_settings.may_remove and seat is None
    return [
        message_row(room, said, names, masks=viewer_settings.masks, may_remove=may_remove)
        for said in talk
    ]


def past_talk_panel(room: Room, talk: Iterable[ChatMessage], locale: str, *, masks: bool) -> Panel:
    """Return messages of a finished game, given from the oldest, as a replay shows them."""
    names = names_by_seat(room)
    rows = [Piece(message_row(room, said, names, masks=masks), locale) for said in talk]
    return Panel("talk", Piece(Talk(is_empty=not rows), locale), tuple(reversed(rows)))


def hearing_part(room: Room, user_pk: int, viewer_settings: ViewerSettings) -> Hearing:
    """Return whom a viewer may mute."""
    hears = hears_gallery(room, room.seat_of(user_pk), viewer_settings)
    table = room.table
    return Hearing(
        table.code,
        may_block=not table.is_blind or table.stage == Table.Stage.OVER,
        authors=_authors(room, user_pk, viewer_settings, hears_gallery=hears),
        bots_say=table.bots_say if user_pk == table.host_id and _bots(room) else "",
    )


def say_part(
    scene: Scene, user_pk: int | None, seat: Seat | None, viewer_settings: ViewerSettings
) -> Say:
    room, view = scene.room, scene.view
    stage = room.table.stage
    is_alive = seat is not None and (view is None or seat.number in view.alive)
    is_over = stage == Table.Stage.OVER
    place = ""
    if stage != Table.Stage.CLOSED:
        if seat is not None and (is_alive or is_over):
            place = Message.Place.TABLE.value
        elif seat is not None or (viewer_settings.guest is not None and view is not None):
            place = Message.Place.GALLERY.value
    silence = None if view is None else silence_in(view)
    return Say(
        code=room.table.code,
        # While the cards are dealt, people talk as before the game.
        stage=Table.Stage.OPEN.value if room.table.is_before_game else stage,
        chat=room.table.chat,
        is_signed_in=user_pk is not None,
        is_seated=seat is not None,
        is_alive=is_alive,
        is_guest=viewer_settings.guest is not None and seat is None,
        is_open=not room.table.is_blind or is_over,
        place=place,
        silence="" if silence is None else str(silence),
        president=scene.banner.president if silence is not None else "",
        chancellor=scene.banner.chancellor if silence is not None else "",
        is_silent=view is not None
        and place == Message.Place.TABLE
        and seat is not None
        and seat.number in silenced(view),
        is_gagged=viewer_settings.is_gagged,
        is_trial=viewer_settings.is_trial,
    )


def forget_all() -> None:
    """Empty the cache; tests that reuse primary keys need it."""
    with _lock:
        _books.clear()


def message_row(
    room: Room,
    said: ChatMessage,
    names: tuple[str, ...],
    *,
    masks: bool = False,
    may_remove: bool = False,
) -> MessageRow:
    """Return the row of a message, with the players' current names."""
    table = room.table
    speaker = speaker_of(said, room.seats)
    is_hidden = table.is_blind and table.stage != Table.Stage.OVER and speaker.seat is None
    is_text = said.kind == Message.Kind.TEXT
    return MessageRow(
        code=table.code,
        place=said.place,
        nth=said.nth,
        kind=said.kind,
        seat=speaker.seat,
        name="" if is_hidden and speaker.guest is not None else speaker.name,
        guest=speaker.guest,
        text=masked(said.text) if masks else said.text,
        data="" if is_text else json.dumps(said.data, sort_keys=True, ensure_ascii=False),
        names=() if is_text else names,
        mentions=_mentions(said, names),
        round=said.round,
        at=said.at,
        is_removed=said.is_removed,
        may_remove=may_remove and not said.is_removed,
        is_by_bot=_is_by_bot(room, said),
    )


def _is_by_bot(room: Room, said: ChatMessage) -> bool:
    if said.user_pk is not None or said.seat is None:
        return False
    return any(seat.is_bot for seat in room.seats if seat.number == said.seat)


def copied_row(code: str, copy: Mapping[str, Any]) -> MessageRow:
    """Return the row of a message that a report has copied, for moderators."""
    is_text = copy["kind"] == Message.Kind.TEXT
    return MessageRow(
        code=code,
        place=copy["place"],
        nth=copy["nth"],
        kind=copy["kind"],
        seat=copy["seat"],
        name=copy["name"],
        guest=copy["guest"],
        text=copy["text"],
        data="" if is_text else json.dumps(copy["data"], sort_keys=True, ensure_ascii=False),
        names=tuple(copy["names"]),
        mentions=(),
        round=copy["round"],
        at=datetime.fromisoformat(copy["at"]),
        is_removed=False,
        may_remove=False,
    )


def names_by_seat(room: Room) -> tuple[str, ...]:
    by_number = {seat.number: seat.name for seat in room.seats}
    return tuple(by_number.get(number, "") for number in range(max(by_number, default=-1) + 1))


def _book(room: Room) -> _Book:
    table = room.table
    key = table.created_at, table.version, table.stage, room.heard
    book = _books.get(table.pk)
    if book is None or book.key != key:
        book = _books[table.pk] = _Book(key, {} if book is None else book.pieces)
    if len(book.pieces) > _PIECES_KEPT:
        book.pieces = {}
    return book


def _phrasebook_panel(
    scene: Scene,
    user_pk: int | None,
    seat: Seat | None,
    say: Say,
    locale: str,
    chosen: Chosen | None,
    book: _Book,
) -> Panel:
    # A game only adds to what a seat has seen, so the number of sights identifies them.
    seen = seen_by(scene, seat)
    key = user_pk, say.place, say.is_silent, locale, chosen, len(seen)
    panel = book.phrasebooks.get(key)
    if panel is None:
        shell, *rows = phrasebook_parts(
            scene, user_pk, say.place, seen, chosen, is_silent=say.is_silent
        )
        panel = book.phrasebooks[key] = Panel(
            "phrasebook",
            book.piece(shell, locale),
            tuple(book.piece(row, locale) for row in rows),
        )
    return panel


def _hearing_panel(
    room: Room,
    user_pk: int | None,
    viewer_settings: ViewerSettings,
    listener: _Listener,
    book: _Book,
) -> Panel:
    key = user_pk, viewer_settings, listener
    panel = book.hearings.get(key)
    if panel is None:
        hearing = (
            Hearing(room.table.code, may_block=False, authors=())
            if user_pk is None
            else hearing_part(room, user_pk, viewer_settings)
        )
        panel = book.hearings[key] = Panel("hearing", book.piece(hearing, listener.locale))
    return panel


def _talk_panel(room: Room, listener: _Listener, book: _Book) -> Panel:
    panel = book.panels.get(listener)
    if panel is None:
        panel = book.panels[listener] = _made(room, listener, book)
    return panel


def _made(room: Room, listener: _Listener, book: _Book) -> Panel:
    names = names_by_seat(room)
    pieces = []
    for said in reversed(_newest(room.talk, hears_gallery=listener.hears_gallery)):
        is_muted_bot = said.user_pk is None and said.seat in listener.muted_bots
        if said.user_pk in listener.unheard or is_muted_bot:
            continue
        row = message_row(room, said, names, masks=listener.masks, may_remove=listener.may_remove)
        pieces.append(book.piece(row, listener.locale))
    return Panel("talk", Piece(Talk(is_empty=not pieces), listener.locale), tuple(pieces))


def _newest(talk: tuple[ChatMessage, ...], *, hears_gallery: bool) -> list[ChatMessage]:
    """Return the newest messages, counted separately for each place that is heard."""
    first = dict.fromkeys(Message.Place.values, 1)
    for said in talk:
        first[said.place] = max(1, (said.nth // _ROWS - 1) * _ROWS)
    return [
        said
        for said in talk
        if said.nth >= first[said.place] and (hears_gallery or said.place == Message.Place.TABLE)
    ]


def _mentions(said: ChatMessage, names: tuple[str, ...]) -> tuple[int, ...]:
    """Return the seats that a text mentions: "@Ada"."""
    text = said.text.casefold()
    if "@" not in text:
        return ()
    found = []
    for _, seat, name in sorted(
        ((-len(name), seat, name.casefold()) for seat, name in enumerate(names) if name)
    ):
        if f"@{name}" in text:
            # "@Ada Lovelace" does not mention Ada.
            text = text.replace(f"@{name}", "")
            found.append(seat)
    return tuple(sorted(found))


def _authors(
    room: Room, user_pk: int, viewer_settings: ViewerSettings, *, hears_gallery: bool
) -> tuple[MutableAuthor, ...]:
    """Return the people and bots at the table, and the guests who have said something."""
    if room.table.chat == Chat.NONE:
        return ()
    muted_bots = viewer_settings.muted_bots
    bots = [
        MutableAuthor(
            f"seat:{seat.number}", seat.number, seat.name, None,
            is_muted=seat.number in muted_bots, is_bot=True,
        )
        for seat in _bots(room)
    ]  # fmt: skip
    if len(bots) > 1:
        are_muted = all(bot.is_muted for bot in bots)
        bots.insert(0, MutableAuthor("bots", None, "", None, is_muted=are_muted, is_bot=True))
    seated = [
        (f"seat:{seat.number}", seat.number, seat.name, None, seat.user_id)
        for seat in room.seats
        if seat.user_id is not None and seat.user_id != user_pk
    ]
    guests: dict[int, tuple[str, int | None, str, int | None, int | None]] = {}
    for said in room.talk if hears_gallery else ():
        if said.guest is not None and said.guest != viewer_settings.guest:
            name = message_row(room, said, ()).name
            guests[said.guest] = (f"guest:{said.guest}", None, name, said.guest, said.user_pk)
    people = [
        MutableAuthor(
            who, seat, name, guest, pk in viewer_settings.muted, pk in viewer_settings.blocked
        )
        for who, seat, name, guest, pk in [*seated, *(guests[number] for number in sorted(guests))]
    ]
    return (*people, *bots)


def _bots(room: Room) -> list[Seat]:
    return [seat for seat in room.seats if seat.is_bot]
