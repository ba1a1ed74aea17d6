"""The parts of a chapter.

Each block has a unique key in the book. The key is the anchor on the page, and pairs the block with
the same block of another edition. `about` names the options on which the block depends.
"""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Paragraph:
    kind: ClassVar[str] = "paragraph"

    key: str
    text: str
    about: tuple[str, ...] = ()
    # Its subject, if it is one of several paragraphs of the same kind.
    title: str = ""
    # Whether it describes this site only, not every table.
    is_of_site: bool = False


@dataclass(frozen=True, slots=True)
class Steps:
    """A numbered or bulleted list."""

    kind: ClassVar[str] = "steps"

    key: str
    items: tuple[str, ...]
    about: tuple[str, ...] = ()
    title: str = ""
    is_ordered: bool = True


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; the first cell of each row is its heading."""

    kind: ClassVar[str] = "grid"

    key: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    about: tuple[str, ...] = ()
    # Whether it describes this site only, not every table.
    is_of_site: bool = False


Block = Paragraph | Steps | Grid


@dataclass(frozen=True, slots=True)
class Chapter:
    anchor: str
    title: str
    blocks: tuple[Block, ...]
    # Whether it states rules. Hints and credits may differ although the rules are the same.
    is_rules: bool = True
