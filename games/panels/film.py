"""A finished game as a film: what spectators saw after each move, in a small size.

All stills together are compact, because most pieces of two neighbouring stills are the same. They
hold public data of a game that is over and nothing else, so everyone may have them.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from threading import Lock
from typing import ClassVar, Final

from cachetools import LRUCache
from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import wording
from games.panels.pieces import Part, locale_for, public_piece
from games.panels.replay import as_it_stood
from games.panels.scene import Desk, SeatCard, board_of
from games.rules.components import Role
from games.rules.events import Ballots, Candidate, Elected, Shuffled, Tracker
from games.rules.phases import Phase
from games.rules.view import PublicStep
from games.state.rooms import Room

# Films of the newest games, in the site's languages.
_FILMS_REMEMBERED: Final = 20
_SEEN_ON_THE_BOARD: Final = (Ballots, Candidate, Shuffled, Tracker)


@dataclass(frozen=True, slots=True)
class SmallTracker(Part):
    """The election tracker in a small size."""

    template: ClassVar[str] = "film_tracker"
    noun: ClassVar[str] = "tracker"

    failed: int
    steps: tuple[int, ...]

    @property
    def row_id(self) -> str:
        return "film-tracker"


@dataclass(frozen=True, slots=True)
class Still:
    """The game after one of its moves."""

    caption: SafeString
    # By seat.
    seats: tuple[SafeString, ...]
    tracks: tuple[SafeString, ...]


@dataclass(frozen=True, slots=True)
class Film:
    # A digest of the content.
    key: str
    # The table's code; "" for the bundled game.
    code: str
    # Whether all players are bots.
    is_of_bots: bool
    players: int
    stills: tuple[Still, ...]
    # The number of the still at which the film begins.
    first: int
    # All stills for the script.
    data: bytes

    def still(self, number: int | None) -> tuple[int, Still]:
        """Return a still with its number; the first one if there is no such still."""
        if number is None or not 0 <= number < len(self.stills):
            number = self.first
        return number, self.stills[number]


def film_of(room: Room, language: str) -> Film:
    """Return the film of a finished game for readers of `language`.

    It is made once for each process, version of the game and language.
    """
    assert room.is_over
    assert room.game is not None
    locale = locale_for(language, room.table.edition)
    key = (room.table.code, room.table.created_at, room.table.version, room.game.length, locale)
    with _lock:
        film = _films.get(key)
        if film is None:
            with translation.override(locale):
                film = _films[key] = _made(room, locale)
    return film


def forget_all() -> None:
    """Empty the cache; tests that reuse primary keys need it."""
    with _lock:
        _films.clear()


def _made(room: Room, locale: str) -> Film:
    steps = [step for step in room.public_steps if step.events]
    stills = tuple(_still(room, step, locale) for step in steps)
    stills += (replace(stills[-1], caption=_who_was_who(room)),)
    key, data = _data(stills)
    return Film(
        key=key,
        code=room.table.code,
        is_of_bots=all(seat.is_bot for seat in room.seats),
        players=len(room.seats),
        stills=stills,
        first=_first(steps),
        data=data,
    )


def _first(steps: Sequence[PublicStep]) -> int:
    """Return the number of a still that shows much: an election in the middle of the game."""
    elections = [
        number
        for number, step in enumerate(steps)
        if any(isinstance(event, Elected) for event in step.events)
    ]
    return elections[len(elections) // 2] if elections else 0


def _still(room: Room, step: PublicStep, locale: str) -> Still:
    move = step.number + 1
    then = room if move == len(room.public_steps) else as_it_stood(room, move)
    cards, desk = board_of(then)
    if not then.is_over and then.public_view().phase is Phase.ELECTION:
        # Everyone is to vote: an outline of each seat would say nothing.
        cards = tuple(replace(card, is_waited_for=False) for card in cards)
    tracks = [
        SmallTracker(part.tracker, part.steps) if isinstance(part, Desk) else part for part in desk
    ]
    return Still(
        caption=_caption(then, step),
        seats=tuple(public_piece(_small(card), locale).html for card in cards),
        tracks=tuple(public_piece(part, locale).html for part in tracks),
    )


def _small(card: SeatCard) -> SeatCard:
    """Return the card without links and without what does not belong to the game itself."""
    return replace(
        card, code="", leads_from="", is_host=False, is_away=False, is_connected=True,
        vacation_until=None, bot="", level="",
    )  # fmt: skip


def _caption(room: Room, step: PublicStep) -> SafeString:
    """Return the round, and a sentence for the last event that the board does not show anyway."""
    names = [seat.name for seat in room.seats]
    told = wording.event_sentences(step.events, step.seat, names, room.table.options, html=True)
    lines = zip(step.events, told, strict=True)
    hidden = [line for event, line in lines if not isinstance(event, _SEEN_ON_THE_BOARD)]
    kicker = _("Round {number}").format(number=step.round)
    line = mark_safe((hidden or told)[-1])  # noqa: S308  as in the log
    return format_html("<b>{}</b> <span>{}</span>", kicker, line)


def _who_was_who(room: Room) -> SafeString:
    """Return the names of Hitler and of the fascists, for the last still."""
    roles = room.public_view().roles

    def names(role: Role) -> list[SafeString]:
        return [
            format_html('<bdi class="name">{}</bdi>', seat.name)
            for seat in room.seats
            if roles[seat.number] is role
        ]

    fascists = names(Role.FASCIST)
    told = [_("Hitler: %(name)s") % {"name": wording.listed(names(Role.HITLER))}]
    if fascists:
        line = ngettext("Fascist: %(names)s", "Fascists: %(names)s", len(fascists))
        told.append(line % {"names": wording.listed(fascists)})
    lines = mark_safe("<br>".join(told))  # noqa: S308  as _() in templates; names are escaped
    return format_html("<b>{}</b> <span>{}</span>", _("Secret roles"), lines)


def _data(stills: Sequence[Still]) -> tuple[str, bytes]:
    """Return the film's key and data: each different piece once, and the pieces of each still."""
    numbers: dict[str, int] = {}

    def number(html: str) -> int:
        return numbers.setdefault(html, len(numbers))

    frames = [
        [number(html) for html in (still.caption, *still.seats, *still.tracks)] for still in stills
    ]
    content = {"pieces": list(numbers), "stills": frames}
    key = blake2b(_json(content), digest_size=8).hexdigest()
    return key, _json({"key": key} | content)


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


_lock = Lock()
_films: LRUCache[tuple[object, ...], Film] = LRUCache(_FILMS_REMEMBERED)
