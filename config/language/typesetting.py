"""What a compositor does to a translation, and no translator has to think of.

A word of one letter does not end a line in Polish or Russian, and a dash does not begin one. A
range of numbers is one word in every language, and so are a Japanese number and its counter.
Done when catalogs are compiled, so that the sources stay what people write.
"""

import re
from typing import Final

_HARD: Final = "\u00a0"
# Has no width, and keeps its neighbours in one line.
_JOINER: Final = "\u2060"
# A number, or the place of one.
_ENDS: Final = r"(?:(?<=[\d})])|(?<=\)[sd]))"
_BEGINS: Final = r"(?=\d|%\(|\{)"
# Not the "a" of "<a href", nor the end of a word with an apostrophe or a hyphen.
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
    """The text with the hard spaces of `language`, a catalog's name: "ru_5-6" is Russian.

    >>> typeset("Ada — w rządzie", "pl")
    'Ada — w\\xa0rządzie'
    >>> typeset("Ada — в правительстве", "ru_5-6")
    'Ada\\xa0— в\\xa0правительстве'
    """
    text = _RANGE.sub(_JOINER + r"\1" + _JOINER, text)
    for wrong, right in _RULES.get(language.partition("_")[0], ()):
        text = wrong.sub(right, text)
    return text
