"""Finds phrases in what a user types into the search for games, whatever their letters look like.

Accents and capitals don't matter, and in scripts that are written without spaces a phrase may stand
between other letters. Nothing here knows Django or the database.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Final

# In characters. Normalization may turn one into eighteen; what is too long then is cut.
LONGEST_QUERY: Final = 200

# The filter and its value: of `since` and `until` a date, else a text: of `players` "7" or "5-6".
Term = tuple[str, str | date]

# Letters of scripts that are written without spaces.
UNSPACED: Final = r"\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
# A term does not begin or end within a word, except beside a letter of these scripts.
BEFORE: Final = rf"(?<![^\W{UNSPACED}])"
AFTER: Final = rf"(?![^\W{UNSPACED}])"
_BEGINS: Final = re.compile(rf"{BEFORE}|(?=[{UNSPACED}])")
# An Italian article ends with an apostrophe: "dall'anno scorso".
_ENDS: Final = re.compile(rf"{AFTER}|(?<=[{UNSPACED}'])")
# Between letters of these scripts a phrase's space may be missing.
_BETWEEN_UNSPACED: Final = re.compile(rf"(?<=[{UNSPACED}])(?=[{UNSPACED}])")
UNSPACED_LETTER: Final = re.compile(rf"[{UNSPACED}]")
_LETTERS: Final = re.compile(rf"[^\W{UNSPACED}]*")
SPACE: Final = re.compile(r"\s*")
# Between a number and its unit: "7 players", "7-player".
JOINT: Final = re.compile(r"\s?-?\s?")
# Between the two ends of a range.
RANGE: Final = re.compile(r"\s*[-–—〜~]\s*")
# Numbers are not part of a longer number, date or time. A day may begin a range.
DAY_ENDS: Final = rf"(?!\s?[.:/]\s?[0-9]){AFTER}"
NUMBER_ENDS: Final = rf"(?!\s?[-.:/]\s?[0-9]){AFTER}"
NUMBER_END: Final = re.compile(NUMBER_ENDS)
_ALIKE: Final = str.maketrans(
    dict.fromkeys("“”„‟«»「」『』〝〟〞", '"') | dict.fromkeys("’‘ʼ", "'") | {"\u2060": None}
)
_PLAIN: Final = {"ł": "l"}
# How readers of Cyrillic letters write a name of Latin ones.
_LATIN: Final = str.maketrans(
    dict(zip("абвгдезийклмнопрстуфхыэё", "abvgdeziyklmnoprstufhyee", strict=True))
    | {"ж": "zh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya"}
    | dict.fromkeys("ъь")
)
_DASHES: Final = str.maketrans(dict.fromkeys("–〜~‑", "-"))


def normal_query(text: str) -> str:
    """Return the text with one spelling for each letter and quotation mark, cut to its limit."""
    return unicodedata.normalize("NFKC", text[:LONGEST_QUERY]).translate(_ALIKE)[:LONGEST_QUERY]


def longest_first(words: Iterable[str]) -> list[str]:
    """Return the words by length, so that a pattern tries "November" before "Nov"."""
    return sorted(words, key=lambda each: (-len(each), each))


class Phrases:
    """Finds the longest of many phrases at a place of a folded text."""

    def __init__(self, phrases: Iterable[tuple[str, Term]]) -> None:
        known: dict[str, Term] = {}
        for words, term in phrases:
            if phrase := " ".join(_dashed(fold(normal_query(words))).split()):
                known.setdefault(phrase, term)
        # By first letter: the words of each phrase.
        self._begun: defaultdict[str, list[tuple[list[str], Term]]] = defaultdict(list)
        for phrase in longest_first(known):
            self._begun[phrase[0]].append((phrase.split(), known[phrase]))

    def at(self, text: str, place: int) -> tuple[Term, int] | None:
        """Return what the phrase here means and where it ends, or None."""
        for words, term in self._begun.get(_dashed(text[place : place + 1]), ()):
            if (end := _end_of(words, text, place)) is not None:
                return term, end
        return None


def _end_of(words: Sequence[str], text: str, place: int) -> int | None:
    """Return where the words end that begin here, or None if they don't."""
    for nth, word in enumerate(words):
        if nth:
            begin = skip(SPACE, text, place)
            if begin == place and not _BETWEEN_UNSPACED.match(text, place):
                return None
            place = begin
        stem = word.removesuffix("*")
        if _dashed(text[place : place + len(stem)]) != stem or not _BEGINS.match(text, place):
            return None
        place += len(stem)
        if stem != word:
            place = skip(_LETTERS, text, place)
        if not _ENDS.match(text, place):
            return None
    return place


def skip(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place


def fold(text: str) -> str:
    """Return the text in small letters without accents, as long as it was."""
    return "".join(_folded_letter(letter) for letter in text)


def completes(text: str, begun: str) -> bool:
    """Return whether each word of the text begins with the word at its place in another text."""
    words, beginnings = fold(normal_query(text)).split(), fold(normal_query(begun)).split()
    return len(words) == len(beginnings) and all(map(str.startswith, words, beginnings))


def latin(text: str) -> str:
    """Return the text in small letters, those of the Russian alphabet in Latin ones."""
    return text.casefold().translate(_LATIN)


@lru_cache(maxsize=4096)
def _folded_letter(letter: str) -> str:
    if UNSPACED_LETTER.match(letter):
        return letter
    plain = unicodedata.normalize("NFD", letter)[0].casefold()
    return _PLAIN.get(plain, plain) if len(plain) == 1 else letter


def _dashed(text: str) -> str:
    """Return the text with one kind of dash."""
    return text.translate(_DASHES)


# Phrases by the use of their words.
Marks = Mapping[str, Phrases]


def behind_to(text: str, place: int, marks: Marks) -> int | None:
    """Return where the second end of a range begins, if the first one ends at this place."""
    if dash := RANGE.match(text, place):
        return dash.end()
    begins = skip(SPACE, text, place)
    mark = marks["to"].at(text, begins) or marks["until"].at(text, begins)
    return skip(SPACE, text, mark[1]) if mark else None
