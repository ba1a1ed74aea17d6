"""The words of each language, from its file: which notions a word stands for."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

# The languages, with the letters that a text in each must have.
_SCRIPTS: Final = {
    "en": "[a-z]",
    "ru": "[а-я]",
    "pl": "[a-z]",
    "ja": "[ぁ-ゖァ-ヺ一-鿿]",
    "it": "[a-z]",
}
# Words that mean nothing here stand under this notion.
_FILLER: Final = "filler"
_SHORTEST_STEM: Final = 3
_LONG_RUN: Final = re.compile(r"([^\W\d_])\1{2,}")

Notions = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Language:
    """A language: notions by word, by phrase, and by the beginning of a word, such as "haha*"."""

    code: str
    words: dict[str, Notions]
    # What stands between the units of a phrase, and the most units. Units are words, or letters
    # where words are written together.
    space: str
    longest: int

    def fits(self, text: str) -> bool:
        return re.search(_SCRIPTS[self.code], text) is not None

    def notions_of(self, phrase: str) -> Notions | None:
        """Return the notions that a word or phrase stands for; None for an unknown one."""
        spellings = [phrase]
        if self.space and " " not in phrase:
            spellings += [f"{phrase[:n]}*" for n in range(len(phrase), _SHORTEST_STEM - 1, -1)]
            # "pleaaase" and "cooool"
            spellings += [_LONG_RUN.sub(kept, phrase) for kept in (r"\1", r"\1\1")]
        return next((self.words[one] for one in spellings if one in self.words), None)


@cache
def languages() -> tuple[Language, ...]:
    """Return all languages. Read once."""
    return tuple(map(_read, _SCRIPTS))


def is_word(word: str) -> bool:
    """Return whether a word in lower case means something else than a name here."""
    return any(word in language.words for language in languages())


def _read(code: str) -> Language:
    path = Path(__file__).parent / f"{code}.toml"
    words: dict[str, Notions] = {}
    for notions, row in tomllib.loads(path.read_text(encoding="utf-8")).items():
        found = () if notions == _FILLER else tuple(notions.split())
        words |= dict.fromkeys(map(str.strip, row.split(",")), found)
    space = "" if code == "ja" else " "
    return Language(code, words, space, max(len(word.split() if space else word) for word in words))
