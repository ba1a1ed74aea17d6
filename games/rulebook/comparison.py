"""The differences between two rulebooks."""

from dataclasses import dataclass

from games import wording
from games.rules.editions import OPTION_NAMES, Options

from .blocks import Block, Chapter
from .contents import Book


@dataclass(frozen=True, slots=True)
class Difference:
    """A block as each of the two books has it; None if a book does not have it."""

    chapter: Chapter
    one: Block | None
    other: Block | None

    @property
    def about(self) -> tuple[str, ...]:
        """The options that may have caused the difference."""
        block = self.one or self.other
        assert block is not None
        return block.about


def differing(one: Book, other: Book) -> list[Difference]:
    """Return the rules that differ between the two, in the order of the book."""
    found = []
    for mine, theirs in zip(one.chapters, other.chapters, strict=True):
        if not mine.is_rules:
            continue
        mine_by_key = {block.key: block for block in mine.blocks}
        theirs_by_key = {block.key: block for block in theirs.blocks}
        for key in dict.fromkeys([*mine_by_key, *theirs_by_key]):
            pair = mine_by_key.get(key), theirs_by_key.get(key)
            if pair[0] != pair[1]:
                found.append(Difference(mine, *pair))
    return found


def in_own_words(differences: list[Difference], one: Book, other: Book) -> list[Difference]:
    """Return the differences as these two books tell them, each in its edition's words."""
    mine, theirs = _by_key(one), _by_key(other)
    return [
        Difference(
            difference.chapter,
            difference.one and mine[difference.one.key],
            difference.other and theirs[difference.other.key],
        )
        for difference in differences
    ]


def _by_key(book: Book) -> dict[str, Block]:
    return {block.key: block for chapter in book.chapters for block in chapter.blocks}


def compared_options(one: Options, other: Options) -> list[tuple[str, str, str]]:
    """Return the options that differ: the label of each, and its two values."""
    names = differing_options(one, other)
    return list(
        zip(
            (wording.option_name(name) for name in names),
            values_of(names, one),
            values_of(names, other),
            strict=True,
        )
    )


def differing_options(one: Options, other: Options) -> list[str]:
    return [name for name in OPTION_NAMES if getattr(one, name) != getattr(other, name)]


def values_of(names: list[str], options: Options) -> list[str]:
    """Return the values of these options in the words of the active locale."""
    return [wording.option_value(name, getattr(options, name)) for name in names]
