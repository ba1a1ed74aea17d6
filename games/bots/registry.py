"""The kinds of bots. A kind is one file in this package and one line in its `__init__`.

The database's choices and the commands' options follow from what is registered.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.metadata import entry_points
from typing import Final

from games.rules.actions import Action
from games.rules.claims import Sight
from games.rules.knowledge import Knowledge
from games.rules.view import View

from .chance import Below
from .cues import Character, Cue
from .heard import Heard

# Names are stored with seats; the column has this many characters.
LONGEST_NAME: Final = 8


def gettext_noop(text: str) -> str:
    """Mark a label for translation. Bots know no Django, but makemessages knows this name."""
    return text


class Level(StrEnum):
    """How well a bot plays, for kinds that have levels."""

    BEGINNER = "beginner"
    REGULAR = "regular"
    EXPERT = "expert"


# A phrase of the phrasebook: its code, and the seats that it names.
Words = tuple[str, tuple[int, ...]]
Choose = Callable[[View, Heard, Below], Action]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of bot."""

    # The name under which seats and commands refer to it. It never changes.
    name: str
    # A label for people, in English; marked with `gettext_noop`.
    label: str
    # Chooses one of `view.legal`, which is not empty. Everyone has heard what `Heard` holds.
    choose: Choose
    # The same for other levels of play. A kind without levels always plays alike.
    levels: Mapping[Level, Choose] = field(default_factory=dict)
    # Says what the viewer saw, or something else, or nothing. A kind without it never claims.
    claim: Callable[[View, Heard, Sight, Below], Knowledge | None] | None = None
    # How often it talks, and what it says at a cue: a claim, a phrase or nothing. A kind without
    # these two says nothing.
    character: Character | None = None
    say: Callable[[View, Heard, Cue, Below], Knowledge | Words | None] | None = None
    # The same choice from the legal actions alone, for a kind that needs nothing else. Simulations
    # save the time of building views then.
    pick: Callable[[Sequence[Action], Below], Action] | None = None


# Packages that are installed beside the site offer kinds of bots in this group of entry points.
ENTRY_POINTS: Final = "chancellery.bots"

logger = logging.getLogger(__name__)

_kinds: Final[dict[str, Kind]] = {}


def register(kind: Kind) -> None:
    """Add a kind of bot. Raises ValueError for a name that is used, empty or too long."""
    if kind.name in _kinds or not 0 < len(kind.name) <= LONGEST_NAME:
        raise ValueError(f"no name for a kind of bot: {kind.name!r}")
    _kinds[kind.name] = kind


def names() -> tuple[str, ...]:
    """Return the names of all kinds, in the order of registration."""
    return tuple(_kinds)


def labels() -> tuple[tuple[str, str], ...]:
    """Return the names of all kinds with their labels."""
    return tuple((kind.name, kind.label) for kind in _kinds.values())


def people(name: str) -> tuple[str, ...]:
    """Return the names under which bots of a kind sit at tables; none for most kinds."""
    character = kind_named(name).character
    return () if character is None else character.people


def kind_named(name: str) -> Kind:
    """Return the kind with this name. Raises ValueError if there is none."""
    kind = _kinds.get(name)
    if kind is None:
        raise ValueError(f"no such kind of bot: {name}")
    return kind


def installed_kinds() -> Iterator[Kind]:
    """Yield the kinds of installed packages. A bad one is logged and left out.

    An entry point names a class with `name`, `label` and `choose(view, heard, below)`.
    """
    for found in entry_points(group=ENTRY_POINTS):
        try:
            bot = found.load()()
            kind = Kind(name=bot.name, label=bot.label, choose=bot.choose)
            if not isinstance(kind.name, str) or not isinstance(kind.label, str):
                raise TypeError("the name and the label must be text")
            if kind.name in _kinds or not 0 < len(kind.name) <= LONGEST_NAME:
                raise ValueError(f"no name for a kind of bot: {kind.name!r}")
            if not callable(kind.choose):
                raise TypeError("choose must be a method")
        except Exception:
            # Whatever is wrong with a package of others, the site starts.
            logger.exception("the bots of %s could not be loaded", found.value)
        else:
            yield kind
