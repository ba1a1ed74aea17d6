"""Terms of the game inside sentences, as links to the rules that explain them.

A sentence marks a term with the anchor of its rule: "{chancellor} proposes a <veto>veto</veto>."
Translators move the tags to the words of their language.
"""

import re
from typing import Final

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

# Anchors of the rulebook. The table's page explains the same ones in place (explain.js).
ANCHORS: Final = (
    "limits", "hitler-check", "tracker", "chaos", "reshuffle", "veto", "powers",
    "investigation", "special-election", "peek", "execution",
)  # fmt: skip

_MARKED: Final = re.compile(rf"<({'|'.join(ANCHORS)})>(.*?)</\1>")


def with_terms(sentence: str, book: str = "") -> str:
    """Return the sentence with its terms as links into the rules at the URL `book`.

    Without `book`, the terms become plain text.

    >>> with_terms("She proposes a <veto>veto</veto>.", "/rules/en/")
    'She proposes a <a class="to-rule" href="/rules/en/#veto">veto</a>.'
    >>> with_terms("She proposes a <veto>veto</veto>.")
    'She proposes a veto.'
    """
    if "</" not in sentence:
        return sentence
    link = rf'<a class="to-rule" href="{escape(book)}#\1">\2</a>' if book else r"\2"
    return _MARKED.sub(link, sentence)


def linked_terms(sentence: str, book: str) -> SafeString:
    """Return a sentence of the catalog as safe HTML, with its terms as links."""
    # Message catalogs are trusted, as in templates.
    return mark_safe(with_terms(sentence, book))  # noqa: S308
