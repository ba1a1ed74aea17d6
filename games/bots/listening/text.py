"""Typed text in a plain form: one spelling of each letter, cut into sentences."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

# Chat is shorter; of what is longer, the end is read.
LONGEST: Final = 400
# Of more sentences, or more clauses of one, the last are read. Each is looked up in every rule.
MOST: Final = 8
# A seat named in a text stands there as one of these characters, which no one can type.
_FIRST_SEAT: Final = 0xE000
_SEATS: Final = 32
SEAT: Final = f"[{chr(_FIRST_SEAT)}-{chr(_FIRST_SEAT + 2 * _SEATS - 1)}]"
# Stands for a quotation, which may mean the opposite of what is said.
QUOTATION: Final = "\ue100"

_QUOTED: Final = re.compile(r"[\"“”„«»「『]([^\"“”„«»「」『』]*)[\"“”«»」』]")
_FULL_STOP: Final = re.compile(r"[^.!?。\n]+[.!?。]*")
_LONE_NAME: Final = re.compile(rf"^\s*({SEAT})\s*[!.]+(?=\s*\w)")


def seat_mark(seat: int, *, is_declined: bool = False) -> str:
    """Return the character that stands for a seat whose name is in the nominative, or declined."""
    return chr(_FIRST_SEAT + seat + is_declined * _SEATS)


def seat_at(mark: str) -> int | None:
    """Return the seat that a mark stands for, or None for any other text."""
    number = ord(mark) - _FIRST_SEAT if len(mark) == 1 else -1
    return number % _SEATS if 0 <= number < 2 * _SEATS else None


def is_declined(mark: str) -> bool:
    return ord(mark) >= _FIRST_SEAT + _SEATS


def plain(text: str) -> str:
    """Return a text without accents, marks and invisible characters, in ordinary letters.

    >>> plain("Klarę?  Ещё \\u202e！ ｆａｓｈ")
    'Klare?  Еще ! fash'
    """
    text = unicodedata.normalize("NFKC", text[-LONGEST:])[-LONGEST:]
    return "".join(map(_plain_character, text)).replace("...", "…").replace("..", "…")


@lru_cache(maxsize=4096)
def _plain_character(character: str) -> str:
    if character in "\n\t":
        return character
    if unicodedata.category(character)[0] in "CM":
        return ""
    base = unicodedata.normalize("NFD", character)[0]
    # Only Latin letters, and ё: й and Japanese voiced kana are letters of their own.
    if base < "\u0250":
        return {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O"}.get(character, base)
    return {"ё": "е", "Ё": "Е", "’": "'", "‘": "'", "、": ",", "，": ","}.get(character, character)


def sentences(text: str) -> list[tuple[str, bool]]:
    """Return the sentences of a plain text, and whether each is a question. The last comes first.

    >>> sentences("No. Who is it?")
    [(' Who is it', True), ('No', False)]
    """
    text = _QUOTED.sub(_unquoted, _LONE_NAME.sub(r"\1,", text))
    found = [match.group() for match in _FULL_STOP.finditer(text)]
    return [(one.rstrip(".!?。"), "?" in one) for one in reversed(found[-MOST:])]


def _unquoted(match: re.Match[str]) -> str:
    """Keep a word in quotation marks, as in «Ja»; leave out what someone has said."""
    words = match.group(1)
    return (
        f" {QUOTATION} " if len(words) > 12 or " " in words.strip() else f" {words.strip('.!?')} "
    )
