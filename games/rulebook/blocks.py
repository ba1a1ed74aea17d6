"""What a chapter is made of.

A block has a key of its own in the book, which is its anchor on the page and pairs it with the
same block of another edition; `about` names the options that it depends on.
"""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Paragraph:
    kind: ClassVar[str] = "paragraph"

    key: str
    text: str
    about: tuple[str, ...] = ()
    # What it is about, where it stands among others of its kind.
    title: str = ""
    # Whether it tells what is so on this site, and not at every table.
    is_of_site: bool = False


@dataclass(frozen=True, slots=True)
class Steps:
    """Things in their order, or a list of them."""

    kind: ClassVar[str] = "steps"

    key: str
    items: tuple[str, ...]
    about: tuple[str, ...] = ()
    title: str = ""
    is_ordered: bool = True


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; the first cell of each row is its head."""

    kind: ClassVar[str] = "grid"

    key: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    about: tuple[str, ...] = ()


Block = Paragraph | Steps | Grid


@dataclass(frozen=True, slots=True)
class Chapter:
    anchor: str
    title: str
    blocks: tuple[Block, ...]
    # Whether it tells rules; hints and credits differ without any rule being another.
    is_rules: bool = True
