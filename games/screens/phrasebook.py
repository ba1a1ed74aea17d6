"""What a viewer may say without writing: claims about what they saw, and phrases.

The panel `phrasebook`. Its rows change one by one: a question for each thing that the seat has
seen, the phrases, and the keys that make each form good for one message.
"""

from dataclasses import dataclass
from typing import ClassVar

from games.history import claims_in, open_sights
from games.minutes import minutes_of
from games.models import Chat, Message, Table
from games.rooms import Room
from games.rules.claims import Sight, sight_of
from games.rules.state import Knowledge
from games.screens.pieces import Panel, Part, Piece, public_piece
from games.screens.scene import Scene
from games.talk import talk_key


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was picked in the form that comes back with a refusal."""

    phrase: str = ""
    # As they were posted; "" for nobody.
    first: str = ""
    second: str = ""


@dataclass(frozen=True, slots=True)
class Phrasebook(Part):
    """The shell, with the form that the claims' buttons belong to."""

    template: ClassVar[str] = "phrasebook"
    noun: ClassVar[str] = "book"

    code: str
    # Where words go: "table", "gallery", or "" for who says nothing here.
    place: str


@dataclass(frozen=True, slots=True)
class Ask(Part):
    """What did you see? One button for each answer."""

    template: ClassVar[str] = "ask"
    noun: ClassVar[str] = "ask"

    sight: Sight
    # What the seat has claimed of it; None where nothing.
    claim: Knowledge | None
    is_newest: bool
    # Who was investigated, by name.
    names: tuple[str, ...]

    @property
    def row_id(self) -> str:
        return f"ask-{self.sight}"


@dataclass(frozen=True, slots=True)
class PhraseForm(Part):
    """The phrases, and the seats that they may name."""

    template: ClassVar[str] = "phrase_form"
    noun: ClassVar[str] = "form"

    code: str
    place: str
    # By number, without the viewer's own.
    seats: tuple[tuple[int, str], ...]
    chosen: Chosen

    @property
    def row_id(self) -> str:
        return "phrase-form"


@dataclass(frozen=True, slots=True)
class SayKeys(Part):
    """The key of the next message, for both forms."""

    template: ClassVar[str] = "say_keys"
    noun: ClassVar[str] = "keys"

    key: str

    @property
    def row_id(self) -> str:
        return "say-keys"


def phrasebook_panel(
    scene: Scene, user_pk: int | None, place: str, tongue: str, chosen: Chosen | None = None
) -> Panel:
    """What somebody may pick to say. `place` is where their words go now, "" for nowhere."""
    room = scene.room
    if not place or room.table.chat == Chat.NONE:
        return Panel("phrasebook", Piece(Phrasebook(room.table.code, ""), tongue))
    seat = room.seat_of(user_pk)
    own = None if seat is None else seat.number
    seats = tuple((other.number, other.name) for other in room.seats if other.number != own)
    phrases = PhraseForm(room.table.code, place, seats, chosen or Chosen())
    keys = SayKeys(talk_key(room.talk, user_pk))
    rows: list[Piece] = []
    if own is not None and place == Message.Place.TABLE:
        rows += [Piece(ask, tongue) for ask in asks_of(room, own, scene.names)]
    # Long, and the same for a seat as long as nobody comes or goes.
    rows += [public_piece(phrases, tongue), Piece(keys, tongue)]
    return Panel("phrasebook", Piece(Phrasebook(room.table.code, place), tongue), tuple(rows))


def asks_of(room: Room, seat: int, names: tuple[str, ...]) -> tuple[Ask, ...]:
    """All that this seat may claim something of now, the newest first."""
    if room.table.stage != Table.Stage.RUNNING:
        return ()
    standing = {sight_of(claim): claim for claim in claims_in(room)}
    return tuple(
        Ask(
            sight,
            standing.get(sight),
            is_newest=index == 0,
            names=() if sight.target is None else names,
        )
        for index, sight in enumerate(open_sights(minutes_of(room).rounds, seat))
    )
