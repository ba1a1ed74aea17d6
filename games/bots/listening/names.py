"""Finds the players that a text names: as written, declined, or in another script."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from .languages import is_word
from .text import plain, seat_mark

# A name is a whole word of its script: letters of another may follow, as in "Maxさん" and "Maxу".
_SCRIPTS: Final = ("A-Za-z0-9_", "А-Яа-я", "ァ-ヺー")
_HONORIFIC: Final = "(?: ?(?:さん|さま|様|くん|君|ちゃん|たん|氏|選手))?"
_ENDING: Final = "(?:'s(?![a-z])|['-]?[а-я]{1,3}(?![а-я]))?"
_WORD: Final = re.compile("[A-Za-z]+|[А-Яа-я]+")
# Forms of a name with a shorter stem need a capital letter, and are not the first word: "Idę" is
# the name Ida in Polish, and "I'm going".
_SHORTEST_STEM: Final = 3


def with_seats(text: str, names: tuple[tuple[int, str], ...]) -> str:
    """Return a plain text with a mark in the place of each name of a seat."""
    if not names:
        return text
    pattern, seats, declined = _known(names)

    def exact(match: re.Match[str]) -> str:
        name = match["name"].lower()
        # Some letters match another one that isn't their lower case, as "ı" matches "i".
        seat = seats.get(name)
        # A name that is a word of the game, such as "Liberal", counts as a name after "@" only.
        if seat is None or (not match["at"] and (len(name) < 2 or is_word(name))):
            return match.group()
        return f"{match['at']} {seat_mark(seat)} "

    def inflected(match: re.Match[str]) -> str:
        word = match.group()
        seat, is_short = declined.get(word.lower(), (None, False))
        is_inside = word[0].isupper() and text[: match.start()].strip()
        if seat is None or is_word(word.lower()) or (is_short and not is_inside):
            return word
        return f" {seat_mark(seat, is_declined=True)} "

    text = pattern.sub(exact, text)
    return _WORD.sub(inflected, text)


@lru_cache(maxsize=256)
def _known(
    names: tuple[tuple[int, str], ...],
) -> tuple[re.Pattern[str], dict[str, int], dict[str, tuple[int, bool]]]:
    """Return a pattern of the names as written, their seats, and the seats of declined names."""
    seats: dict[str, int] = {}
    for seat, name in names:
        for spelling in _spellings(name):
            seats.setdefault(spelling, seat)
    # What someone is called comes before what someone else could be called.
    seats |= {plain(name).lower(): seat for seat, name in names}
    seats.pop("", None)
    declined: dict[str, tuple[int, bool]] = {}
    for name, seat in seats.items():
        is_short = len(name.rstrip("aа")) < _SHORTEST_STEM
        for form in _forms(name):
            declined.setdefault(form, (seat, is_short))
    spelled = "|".join(map(_whole, sorted(seats, key=len, reverse=True)))
    pattern = f"(?P<at>@?)(?P<name>{spelled}){_HONORIFIC}{_ENDING}"
    return re.compile(pattern, re.IGNORECASE), seats, declined


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "names.toml").read_text(encoding="utf-8"))


def _spellings(name: str) -> Iterator[str]:
    """Yield how a name is written in other scripts, in lower case."""
    yield from (plain(one.strip()).lower() for one in _file()["bots"].get(name, "").split(","))
    word = plain(name).lower()
    if re.fullmatch("[a-z]+", word):
        for letters, cyrillic in _file()["cyrillic"].items():
            word = word.replace(letters, cyrillic)
        yield word


def _whole(name: str) -> str:
    """Return a pattern for a name that is no part of a longer word of its script."""
    before = next((f"(?<![{kind}])" for kind in _SCRIPTS if re.match(f"[{kind}]", name)), "")
    after = next((f"(?![{kind}])" for kind in _SCRIPTS if re.match(f"[{kind}]", name[-1])), "")
    return f"{before}{re.escape(name)}{after}"


def _forms(name: str) -> Iterator[str]:
    """Yield the Polish or Russian forms of a name in lower case."""
    for ending, forms in _file()["endings"].items():
        match = re.fullmatch(f"(.*[a-zа-я])({ending})", name)
        if match is not None and len(name) > 2 and _WORD.fullmatch(name):
            yield from (match[1] + form.strip() for form in forms.split(","))
