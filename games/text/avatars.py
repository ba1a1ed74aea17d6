"""The avatar of a user: a stamp or a seal with their initials, made from the name alone.

The same name always has the same avatar; names differ in shape, ornament and ink. The drawings are
in marks.svg. No ink is a party's colour: an avatar must not suggest a side.
"""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Final

import regex

from accounts.profiles.names import name_key

SHAPES: Final = (
    *("seal", "stamp", "oval", "octagon", "lozenge", "ticket", "arch", "rosette", "shield"),
    *("round", "cartouche", "hexagon"),
)
ORNAMENTS: Final = (
    *("rays", "beads", "rings", "leaves", "stars", "teeth", "rope", "bars", "corners", "waves"),
)
INKS: Final = ("moss", "plum", "slate", "ochre", "bark", "pine", "mulberry", "olive")


@dataclass(frozen=True, slots=True)
class Avatar:
    shape: str
    ornament: str
    ink: str
    # One or two graphemes.
    initials: str


@lru_cache(maxsize=4096)
def avatar_of(name: str) -> Avatar:
    """Return the avatar of a name. Case makes no difference.

    >>> [avatar_of(name).initials for name in ("Anna Kowalska", "łódź", "さくら")]
    ['AK', 'Ł', 'さ']
    >>> avatar_of("Ada") == avatar_of("ADA") != avatar_of("Ida")
    True
    """
    number = int.from_bytes(blake2b(name_key(name).encode(), digest_size=8).digest())
    number, shape = divmod(number, len(SHAPES))
    number, ornament = divmod(number, len(ORNAMENTS))
    ink = number % len(INKS)
    return Avatar(SHAPES[shape], ORNAMENTS[ornament], INKS[ink], _initials(name))


def _initials(name: str) -> str:
    words = [word for word in regex.split(r"[-_. ]+", name) if word]
    # Each word has a match, because it is not empty.
    firsts = [match[0] for word in words if (match := regex.match(r"\X", word)) is not None]
    chosen = firsts if len(firsts) < 2 else [firsts[0], firsts[-1]]
    # Upper-casing "ß" would make two letters of it.
    return "".join(first.upper() if len(first.upper()) == len(first) else first for first in chosen)
