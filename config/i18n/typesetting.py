"""Typesetting of translations, so that translators need not insert special spaces.

In Polish and Russian a one-letter word must not end a line. In Russian a dash must not begin one.
A range of numbers must not be broken in any language, nor a Japanese number and its counter.
Typesetting runs when catalogs are compiled, so that the `.po` files stay as translators wrote them.
"""

import re
from typing import Final

_HARD: Final = "\u00a0"
# Word joiner: it has no width, and forbids a line break.
_JOINER: Final = "\u2060"
# The end and the beginning of a number, or of a placeholder for one.
_ENDS: Final = r"(?:(?<=[\d})])|(?<=\)[sd]))"
_BEGINS: Final = r"(?=\d|%\(|\{)"
# A one-letter word, but not the "a" of "<a href" or the end of a word with an apostrophe or hyphen.
_ALONE: Final = r"(?<![\w<&/’'-])([{letters}]) (?=\S)"
_RANGE: Final = re.compile(rf"{_ENDS}([–〜]){_BEGINS}")
_RULES: Final = {
    "pl": ((re.compile(_ALONE.format(letters="aiouwzAIOUWZ")), r"\1" + _HARD),),
    "ru": (
        (re.compile(_ALONE.format(letters="авикосуяАВИКОСУЯ")), r"\1" + _HARD),
        (re.compile(" —(?= )"), _HARD + "—"),
    ),
    "ja": (
        (
            re.compile(r"((?:(?<!\d)\d{1,3}|%\(\w+\)[sd]|\{\w+\}))(?=[つ人枚個回名票])"),
            r"\1" + _JOINER,
        ),
    ),
}


def typeset(text: str, language: str) -> str:
    """Return the text with the no-break spaces and word joiners of `language`.

    `language` is a catalog's name: "ru_5-6" is Russian.

    >>> typeset("Ada — w rządzie", "pl")
    'Ada — w\\xa0rządzie'
    >>> typeset("Ada — в правительстве", "ru_5-6")
    'Ada\\xa0— в\\xa0правительстве'
    """
    text = _RANGE.sub(_JOINER + r"\1" + _JOINER, text)
    for wrong, right in _RULES.get(language.partition("_")[0], ()):
        text = wrong.sub(right, text)
    return text
