"""What a viewer may say without typing: claims about what they saw, and phrases.

The rows of the panel `phrasebook` change one by one: a question for each thing that the seat has
seen, the phrases, and the keys that make each form good for one message.
"""

from dataclasses import dataclass
from typing import ClassVar

from games.models import Chat, Message, Seat, Table
from games.panels.pieces import Part
from games.panels.scene import Scene
from games.rules.claims import Sight, sight_of
from games.rules.knowledge import Knowledge
from games.state.chat import chat_key
from games.state.government_history import claims_in, open_sights
from games.state.rooms import Room


@dataclass(frozen=True, slots=True)
class Chosen:
    """The picked values of a form that is shown again with a refusal."""

    phrase: str = ""
    # As they were posted; "" if no one was picked.
    first: str = ""
    second: str = ""


@dataclass(frozen=True, slots=True)
class Phrasebook(Part):
    """The frame, with the form that the claims' buttons belong to."""

    template: ClassVar[str] = "phrasebook"
    noun: ClassVar[str] = "book"

    code: str
    # Where messages go: "table", "gallery", or "" if the viewer may not write here.
    place: str


@dataclass(frozen=True, slots=True)
class Ask(Part):
    """A question about one sight, with one button for each answer."""

    template: ClassVar[str] = "ask"
    noun: ClassVar[str] = "ask"
    is_kept: ClassVar[bool] = False

    sight: Sight
    # The seat's current claim about it, None if there is none.
    claim: Knowledge | None
    is_newest: bool
    # The names by seat, for the player who was investigated.
    names: tuple[str, ...]
    # Whether the viewer is silenced: until the silence ends they can claim nothing.
    is_silent: bool = False

    @property
    def row_id(self) -> str:
        return f"ask-{self.sight}"


@dataclass(frozen=True, slots=True)
class PhraseForm(Part):
    """The phrases, and the seats that they may name."""

    template: ClassVar[str] = "phrase_form"
    noun: ClassVar[str] = "form"
    is_kept: ClassVar[bool] = False

    code: str
    place: str
    # By number, without the viewer's own seat.
    seats: tuple[tuple[int, str], ...]
    chosen: Chosen
    # Whether the phrases about investigations are of use.
    may_investigate: bool

    @property
    def row_id(self) -> str:
        return "phrase-form"


@dataclass(frozen=True, slots=True)
class PhraseSend(Part):
    """The phrases' button: a row of its own, so that picked values survive a silence."""

    template: ClassVar[str] = "phrase_send"
    noun: ClassVar[str] = "send"

    is_silent: bool

    @property
    def row_id(self) -> str:
        return "phrase-send"


@dataclass(frozen=True, slots=True)
class SayKeys(Part):
    """The key of the next message, for both forms."""

    template: ClassVar[str] = "say_keys"
    noun: ClassVar[str] = "keys"

    key: str

    @property
    def row_id(self) -> str:
        return "say-keys"


def phrasebook_parts(
    scene: Scene,
    user_pk: int | None,
    place: str,
    seen: tuple[Sight, ...] = (),
    chosen: Chosen | None = None,
    *,
    is_silent: bool = False,
) -> tuple[Part, ...]:
    """Return the phrasebook's frame and rows for a viewer.

    `place` is where their messages go now, "" for nowhere; `seen` are the sights that they may make
    claims about, from `seen_by`; `is_silent` says that they may say none of it now.
    """
    room = scene.room
    if not place or room.table.chat == Chat.NONE:
        return (Phrasebook(room.table.code, ""),)
    seat = room.seat_of(user_pk)
    own = None if seat is None else seat.number
    seats = tuple((other.number, other.name) for other in room.seats if other.number != own)
    phrases = PhraseForm(
        room.table.code, place, seats, chosen or Chosen(), may_investigate=room.may_investigate
    )
    keys = SayKeys(chat_key(room.talk, user_pk))
    is_table = place == Message.Place.TABLE
    asks = _asks(room, seen, scene.names, is_silent=is_silent) if is_table else ()
    return Phrasebook(room.table.code, place), *asks, phrases, PhraseSend(is_silent), keys


def seen_by(scene: Scene, seat: Seat | None) -> tuple[Sight, ...]:
    """Return the sights that this seat may make claims about now, newest first."""
    if seat is None or scene.room.table.stage != Table.Stage.RUNNING:
        return ()
    return open_sights(scene.game_log.rounds, seat.number)


def ask_about(scene: Scene, sight: Sight) -> Ask | None:
    """Return the question about a sight for its seat, None at a table without chat."""
    room = scene.room
    if room.table.chat == Chat.NONE:
        return None
    return _asks(room, (sight,), scene.names, is_silent=False)[0]


def _asks(
    room: Room, seen: tuple[Sight, ...], names: tuple[str, ...], *, is_silent: bool
) -> tuple[Ask, ...]:
    standing = {sight_of(claim): claim for claim in claims_in(room)} if seen else {}
    return tuple(
        Ask(
            sight,
            standing.get(sight),
            is_newest=index == 0,
            names=() if sight.target is None else names,
            is_silent=is_silent,
        )
        for index, sight in enumerate(seen)
    )
