"""What a compositor does to a translation, and no translator has to think of.

A word of one letter does not end a line in Polish or Russian, and a dash does not begin one.
Done when catalogs are compiled, so that the sources stay what people write.
"""

import re
from typing import Final

_HARD: Final = "\u00a0"
# Not the "a" of "<a href", nor the end of a word with an apostrophe or a hyphen.
_ALONE: Final = r"(?<![\w<&/’'-])([{letters}]) (?=\S)"
_RULES: Final = {
    "pl": ((re.compile(_ALONE.format(letters="aiouwzAIOUWZ")), r"\1" + _HARD),),
    "ru": (
        (re.compile(_ALONE.format(letters="авикосуяАВИКОСУЯ")), r"\1" + _HARD),
        (re.compile(" —(?= )"), _HARD + "—"),
    ),
}


def typeset(text: str, language: str) -> str:
    """The text with the hard spaces of `language`, a catalog's name: "ru_5-6" is Russian.

    >>> typeset("Ada — w rządzie", "pl")
    'Ada — w\\xa0rządzie'
    >>> typeset("Ada — в правительстве", "ru_5-6")
    'Ada\\xa0— в\\xa0правительстве'
    """
    for wrong, right in _RULES.get(language.partition("_")[0], ()):
        text = wrong.sub(right, text)
    return text
