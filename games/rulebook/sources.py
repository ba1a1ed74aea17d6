"""Where each sentence of an edition's book comes from: from its document, or from this site.

`sources/<edition>.toml` lists the statements of the document in order, in our words, and beside
each the English sentences of the book that say it. What the book says and the document does not is
listed as the site's own. `en` follows no document here, so it has no file.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from django.utils import translation

from games.rules.editions import Options

from .blocks import Block, Grid, Paragraph, Steps
from .contents import Book, book_of

_FOLDER: Final = Path(__file__).parent / "sources"
_END_OF_SENTENCE: Final = re.compile(r"(?<=[.!?])([”’]?)\s+(?=[A-Z“(])")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a document.

    `at` is the number of its line, and of the sentence there. `shown` holds the sentences of the
    book that say it, and `options` the options of the engine that it sets. A statement with
    neither has a reason to be left out.
    """

    at: str
    says: str
    shown: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class Sources:
    """The statements of a document, and the site's own sentences with the reason for each."""

    statements: tuple[Statement, ...]
    own: dict[str, str]


@cache
def sources_of(edition: str) -> Sources | None:
    """Return the sources of an edition's book, or None for one without a document here."""
    path = _FOLDER / f"{edition}.toml"
    if not path.exists():
        return None
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    return Sources(
        tuple(
            Statement(
                row["at"],
                row["says"],
                tuple(row.get("shown", ())),
                tuple(row.get("options", ())),
                row.get("left_out", ""),
            )
            for row in read["statement"]
        ),
        {row["shown"]: row["why"] for row in read["own"]},
    )


def parts_of(block: Block) -> tuple[str, ...]:
    """Return the texts that can be marked: a paragraph, the items of a list, the rows of a grid."""
    if isinstance(block, Paragraph):
        return (block.text,)
    if isinstance(block, Grid):
        return tuple(" | ".join(row) for row in block.rows)
    return block.items


def sentences_of(part: str) -> list[str]:
    """Return the sentences of an English text."""
    return _END_OF_SENTENCE.sub(r"\1\n", part).split("\n")


@lru_cache(maxsize=256)
def own_parts(edition: str, options: Options) -> frozenset[tuple[str, int]]:
    """Return which parts of a book are the site's own, by key of the block and place in it."""
    sources = sources_of(edition)
    if sources is None:
        return frozenset()
    with translation.override("en"):
        book = book_of(edition, options)
    return frozenset(
        (block.key, place)
        for chapter in book.chapters
        for block in chapter.blocks
        for place, part in enumerate(parts_of(block))
        if all(sentence in sources.own for sentence in sentences_of(part))
    )


@dataclass(frozen=True, slots=True)
class Marked:
    """A block as a page shows it: which of its parts are the site's own.

    Where all are, the block or its title has one mark instead of one for each part.
    """

    is_own: bool
    # Texts, or the rows of a grid.
    parts: tuple[tuple[str | tuple[str, ...], bool], ...]


def marked(block: Block, book: Book | None) -> Marked:
    """Return a block of a book with the site's own parts marked."""
    texts = block.rows if isinstance(block, Grid) else parts_of(block)
    if not isinstance(block, Steps) and block.is_of_site:
        return Marked(True, tuple((text, False) for text in texts))
    own = own_parts(book.edition, book.options) if book else frozenset()
    places = [(block.key, place) in own for place in range(len(texts))]
    if all(places) and (block.title or isinstance(block, Paragraph)):
        return Marked(True, tuple((text, False) for text in texts))
    return Marked(False, tuple(zip(texts, places, strict=True)))
