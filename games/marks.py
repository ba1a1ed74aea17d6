"""The mark of a user: a stamp or a seal with their initials, made from the name alone.

The same name always has the same mark; names differ in shape, ornament and ink. The drawings are in
marks.svg. No ink is a party's colour: a mark must not suggest a side.
"""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Final

import regex

from accounts.names import name_key

SHAPES: Final = (
    *("seal", "stamp", "oval", "octagon", "lozenge", "ticket", "arch", "rosette", "shield"),
    *("round", "cartouche", "hexagon"),
)
ORNAMENTS: Final = (
    *("rays", "beads", "rings", "leaves", "stars", "teeth", "rope", "bars", "corners", "waves"),
)
INKS: Final = ("moss", "plum", "slate", "ochre", "bark", "pine", "mulberry", "olive")


@dataclass(frozen=True, slots=True)
class Mark:
    shape: str
    ornament: str
    ink: str
    # One or two graphemes.
    initials: str


@lru_cache(maxsize=4096)
def mark_of(name: str) -> Mark:
    """Return the mark of a name. Case makes no difference.

    >>> mark_of("Anna Kowalska").initials, mark_of("łódź").initials, mark_of("さくら").initials
    ('AK', 'Ł', 'さ')
    >>> mark_of("Ada") == mark_of("ADA") != mark_of("Ida")
    True
    """
    number = int.from_bytes(blake2b(name_key(name).encode(), digest_size=8).digest())
    number, shape = divmod(number, len(SHAPES))
    number, ornament = divmod(number, len(ORNAMENTS))
    ink = number % len(INKS)
    return Mark(SHAPES[shape], ORNAMENTS[ornament], INKS[ink], _initials(name))


def _initials(name: str) -> str:
    words = [word for word in regex.split(r"[-_. ]+", name) if word]
    firsts = [regex.match(r"\X", word)[0] for word in words]
    chosen = firsts if len(firsts) < 2 else [firsts[0], firsts[-1]]
    # Upper-casing "ß" would make two letters of it.
    return "".join(first.upper() if len(first.upper()) == len(first) else first for first in chosen)
