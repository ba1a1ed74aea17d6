"""The rulebook of every edition, and of every mix of options, told from the edition's data.

No page is written for an edition. Each paragraph is chosen by option values and counted from
the components, the same that the engine plays by, so that a page cannot tell other rules than
the table plays. The wording is the site's own. Everything is translated when it is made.
"""

from .address import book_url, comparison_url, read_rules, written
from .blocks import Block, Chapter, Grid, Paragraph, Steps
from .comparison import Difference, compared_options, differing
from .contents import Book, book_of
from .documents import document
from .glossary import LANGUAGES, TERMS, Term

__all__ = [
    "LANGUAGES",
    "TERMS",
    "Block",
    "Book",
    "Chapter",
    "Difference",
    "Grid",
    "Paragraph",
    "Steps",
    "Term",
    "book_of",
    "book_url",
    "compared_options",
    "comparison_url",
    "differing",
    "document",
    "read_rules",
    "written",
]
