"""Links to the rulebook, and filters for its templates."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django import template
from django.utils.text import capfirst

from games import wording
from games.rulebook import (
    Block,
    Book,
    Marked,
    book_url,
    comparison_url,
    document,
    marked,
    sources_of,
)

register = template.Library()

register.filter("document_told", document)


@register.filter
def edition_language(edition: str) -> str:
    """Return the language of an edition's texts: "ru" for "ru-5-6"."""
    return edition.partition("-")[0]


@register.filter
def edition_column(edition: str) -> str:
    """Return an edition's short name as the heading of a table column."""
    return capfirst(wording.edition_short(edition))


@register.filter
def beside(heads: Sequence[str], row: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pair each cell of a row with its column's head."""
    return zip(heads, row, strict=True)


@register.simple_tag(name="marked")
def marked_block(block: Block, book: Book | str) -> Marked:
    """Return the parts of a block, with those that aren't in the document of the book's edition."""
    return marked(block, book if isinstance(book, Book) else None)


@register.filter
def has_document(edition: str) -> bool:
    """Return whether an edition follows a document that is here."""
    return sources_of(edition) is not None


@register.simple_tag
def rules_url(edition: str, house_rules: Any = ()) -> str:
    """Return the URL of an edition's full rules, with house rules if a table has them."""
    return book_url(edition, _pairs(house_rules))


@register.simple_tag
def differences_url(edition: str, house_rules: Any = ()) -> str:
    """Return the URL of what a table's house rules change in its edition."""
    return comparison_url(edition, edition, _pairs(house_rules))


def _pairs(house_rules: Any) -> Iterable[tuple[str, object]]:
    # A preset keeps names and values in a mapping, a table's panel in rows with attributes.
    if isinstance(house_rules, Mapping):
        return house_rules.items()
    return [rule if isinstance(rule, tuple) else (rule.name, rule.value) for rule in house_rules]
