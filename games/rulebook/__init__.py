"""The rulebook of every edition and of every mix of options.

The options select the rules, and the numbers come from the components. The engine uses the same
data, so a page cannot state other rules than those in force at the table. Parts, gestures, hints
and words are those of the edition's document, by `sources/`. Sentences are the site's own. All text
is translated when a page is built.
"""

from .address import book_url, comparison_url, read_rules, written
from .blocks import Block, Chapter, Grid, Paragraph, Steps
from .comparison import (
    Difference,
    compared_options,
    differing,
    differing_options,
    values_of,
)
from .contents import Book, book_of, short_rules
from .documents import document
from .glossary import LANGUAGES, NO_WORD, TERMS, Term
from .sources import Marked, marked, sources_of

__all__ = [
    "LANGUAGES",
    "NO_WORD",
    "TERMS",
    "Block",
    "Book",
    "Chapter",
    "Difference",
    "Grid",
    "Marked",
    "Paragraph",
    "Steps",
    "Term",
    "book_of",
    "book_url",
    "compared_options",
    "comparison_url",
    "differing",
    "differing_options",
    "document",
    "marked",
    "read_rules",
    "short_rules",
    "sources_of",
    "values_of",
    "written",
]
