"""The words of each language, from its file: which notions a word stands for."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent
# With the letters that a text in the language must have.
_SCRIPTS: Final = {
    "en": "[A-Za-z]",
    "ru": "[а-я]",
    "pl": "[A-Za-z]",
    "ja": "[ぁ-ゖァ-ヺ一-鿿]",
    "it": "[A-Za-z]",
}
# Words of no meaning here stand under this notion.
_FILLERS: Final = "filler"
_SHORTEST_STEM: Final = 3


@dataclass(frozen=True, slots=True)
class Language:
    """A language: notions by word or by phrase, and by the beginning of a word."""

    code: str
    words: dict[str, tuple[str, ...]]
    stems: dict[str, tuple[str, ...]]
    # The most words of a phrase, or the most letters where there are no spaces.
    longest: int
    has_spaces: bool

    def fits(self, text: str) -> bool:
        return re.search(_SCRIPTS[self.code], text.lower()) is not None

    def notions_of(self, word: str) -> tuple[str, ...] | None:
        """Return the notions that a word stands for; None for an unknown word."""
        found = self.words.get(word)
        if found is not None or not self.has_spaces:
            return found
        for length in range(len(word), _SHORTEST_STEM - 1, -1):
            found = self.stems.get(word[:length])
            if found is not None:
                return found
        return None


@cache
def languages() -> tuple[Language, ...]:
    """Return all languages. Read once."""
    return tuple(map(_read, _SCRIPTS))


@cache
def _words() -> frozenset[str]:
    return frozenset(word for language in languages() for word in language.words)


def is_word(word: str) -> bool:
    """Return whether a word in lower case means something else than a name here."""
    return word in _words()


def _read(code: str) -> Language:
    rows = tomllib.loads((_FOLDER / f"{code}.toml").read_text(encoding="utf-8"))
    words: dict[str, tuple[str, ...]] = {}
    stems: dict[str, tuple[str, ...]] = {}
    for notions, word in _entries(rows):
        kinds = () if notions == _FILLERS else tuple(notions.split())
        if word.endswith("*"):
            stems[word[:-1]] = kinds
        else:
            words[word] = kinds
    has_spaces = code != "ja"
    longest = max(len(word.split()) if has_spaces else len(word) for word in words)
    return Language(code, words, stems, longest, has_spaces)


def _entries(rows: dict[str, str]) -> Iterator[tuple[str, str]]:
    for notions, row in rows.items():
        for word in row.split(","):
            yield notions, word.strip()
