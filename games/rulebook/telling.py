"""The words of each edition, where its document says a thing in its own way."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise

from games import wording

from .blocks import Block, Paragraph

# A text, or the sentences of one. What an edition leaves out is "".
Words = str | Promise | tuple[str | Promise, ...]
# By edition. "en" has the words of every edition that is not named.
WordsOf = Mapping[str, Words]

NOTHING: Final[WordsOf] = {"en": ""}


def told(words: WordsOf, edition: str) -> str:
    """Return the text in the words of an edition."""
    own = words.get(edition, words["en"])
    return wording.together(map(str, own)) if isinstance(own, tuple) else str(own)


def told_alone(words: Mapping[str, tuple[Promise, ...]], edition: str) -> tuple[str, ...]:
    """Return the items of a list in the words of an edition."""
    return tuple(map(str, words.get(edition, words["en"])))


def rule(
    edition: str, key: str, said: str, left_open: str, about: tuple[str, ...] = ()
) -> tuple[Paragraph, ...]:
    """Return what a document says of a rule, and what it leaves open, which can be marked.

    Without a document the two are one paragraph.
    """
    if edition == "en":
        return (Paragraph(key, wording.together(filter(None, (said, left_open))), about),)
    return (Paragraph(key, said, about), Paragraph(f"{key}-open", left_open, about))


def without_empty(*blocks: Block) -> tuple[Block, ...]:
    """Return the blocks without the paragraphs that an edition leaves out."""
    return tuple(block for block in blocks if not isinstance(block, Paragraph) or block.text)
