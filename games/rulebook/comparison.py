"""The differences between two rulebooks."""

from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import get_language

from games import wording
from games.rules.editions import OPTION_NAMES, Options

from .blocks import Block, Chapter
from .contents import Book, book_of


@dataclass(frozen=True, slots=True)
class Difference:
    """A subject on which two books have other rules, as each book tells it.

    A book that has nothing to say on it has no blocks.
    """

    chapter: Chapter
    # The options that may have caused the difference.
    about: tuple[str, ...]
    one: tuple[Block, ...]
    other: tuple[Block, ...]


def differing(one: Book, other: Book) -> list[Difference]:
    """Return the rules that differ between the two, in the order of the book.

    Each edition has its own words, so both books are first compared in the words of the original.
    """
    locale = get_language() or ""
    plain = _plain(locale, one.options), _plain(locale, other.options)
    found = []
    for chapters in zip(
        one.chapters, other.chapters, plain[0].chapters, plain[1].chapters, strict=True
    ):
        if not chapters[0].is_rules:
            continue
        mine, theirs, plain_mine, plain_theirs = map(_by_subject, chapters)
        # The book that has more subjects gives their order.
        fewer, more = sorted((plain_mine, plain_theirs), key=len)
        for subject in dict.fromkeys([*more, *fewer]):
            if plain_mine.get(subject) == plain_theirs.get(subject):
                continue
            about = (plain_mine.get(subject) or plain_theirs[subject])[0].about
            pair = mine.get(subject, ()), theirs.get(subject, ())
            if pair[0] != pair[1]:
                found.append(Difference(chapters[0], about, *pair))
    return found


@lru_cache(maxsize=64)
def _plain(locale: str, options: Options) -> Book:
    """Return the rules of `options` in the words of the original, in the active locale."""
    return book_of("en", options)


def _by_subject(chapter: Chapter) -> dict[str, tuple[Block, ...]]:
    """Return the blocks of a chapter, with those that add to another under its key.

    The key of such a block begins with the other's, and it is about the same options.
    """
    grouped: dict[str, tuple[Block, ...]] = {}
    for block in chapter.blocks:
        subject = next(
            (
                key
                for key, blocks in grouped.items()
                if block.key.startswith(f"{key}-") and blocks[0].about == block.about
            ),
            block.key,
        )
        grouped[subject] = (*grouped.get(subject, ()), block)
    return grouped


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
