"""Finds the players that a text names: as written, declined, or in another script."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from .languages import is_word
from .text import plain, seat_mark

_SPELLINGS: Final = Path(__file__).parent / "names.toml"
# A name is a whole word of its script: letters of another may follow, as in "Maxさん" and "Maxу".
_SCRIPTS: Final = ("A-Za-z0-9_", "А-Яа-я", "ァ-ヺー")
_HONORIFIC: Final = "(?: ?(?:さん|さま|様|くん|君|ちゃん|たん|氏|選手))?"
_ENDING: Final = "(?:'s(?![a-z])|['-]?[а-я]{1,3}(?![а-я]))?"
_WORD: Final = re.compile("[A-Za-z]+|[А-Яа-я]+")
# A shorter form of such a name needs a capital letter, and is not the first word: "Idę" is the name
# Ida in Polish, and "I'm going".
_SHORT: Final = 3

# The pattern of names as they are written, their seats, and the seats of declined names with
# whether they are short.
_Known = tuple[re.Pattern[str], dict[str, int], dict[str, tuple[int, bool]]]


def with_seats(text: str, names: tuple[tuple[int, str], ...]) -> str:
    """Return a plain text with a mark in the place of each name of a seat."""
    if not names:
        return text
    pattern, seats, declined = _known(names)

    def exact(match: re.Match[str]) -> str:
        name = match["name"].lower()
        # A name that is a word of the game, such as "Liberal", counts as a name after "@" only.
        if not match["at"] and (len(name) < 2 or is_word(name)):
            return match.group()
        return f"{match['at']} {seat_mark(seats[name])} "

    def inflected(match: re.Match[str]) -> str:
        word = match.group()
        if word.lower() not in declined or is_word(word.lower()):
            return word
        seat, is_short = declined[word.lower()]
        if is_short and not (word[0].isupper() and text[: match.start()].strip()):
            return word
        return f" {seat_mark(seat)} "

    text = pattern.sub(exact, text)
    return _WORD.sub(inflected, text)


@lru_cache(maxsize=256)
def _known(names: tuple[tuple[int, str], ...]) -> _Known:
    seats: dict[str, int] = {}
    for seat, name in names:
        for spelling in (plain(name), *_spellings().get(name, ())):
            seats.setdefault(spelling.lower(), seat)
    for seat, name in names:
        # What someone is called comes before what someone else could be called.
        seats[plain(name).lower()] = seat
    seats.pop("", None)
    declined: dict[str, tuple[int, bool]] = {}
    for name, seat in seats.items():
        for form in _declined(name):
            declined.setdefault(form, (seat, len(name.rstrip("aа")) < _SHORT))
    spelled = "|".join(map(_whole, sorted(seats, key=len, reverse=True)))
    return (
        re.compile(f"(?P<at>@?)(?P<name>{spelled}){_HONORIFIC}{_ENDING}", re.IGNORECASE),
        seats,
        declined,
    )


@cache
def _spellings() -> dict[str, tuple[str, ...]]:
    read = tomllib.loads(_SPELLINGS.read_text(encoding="utf-8"))
    return {name: tuple(plain(one.strip()) for one in row.split(",")) for name, row in read.items()}


def _whole(name: str) -> str:
    """Return a pattern for a name that is no part of a longer word of its script."""
    before = next((f"(?<![{kind}])" for kind in _SCRIPTS if re.match(f"[{kind}]", name)), "")
    after = next((f"(?![{kind}])" for kind in _SCRIPTS if re.match(f"[{kind}]", name[-1])), "")
    return f"{before}{re.escape(name)}{after}"


def _declined(name: str) -> Iterator[str]:
    """Yield the forms of a name in lower case in Polish, or in Russian."""
    if len(name) < 3:
        return
    stem, last = name[:-1], name[-1]
    if re.fullmatch("[a-z]+", name):
        if last == "a":
            yield from (stem + ending for ending in "e y i o u ie ze zie".split())
            softer = {"t": "cie", "d": "dzie", "k": "ce", "g": "dze"}
            if stem[-1] in softer:
                yield stem[:-1] + softer[stem[-1]]
        elif last == "o":
            yield from (stem + ending for ending in "a em owi ona onowi onem onie".split())
        elif last == "e":
            yield from (stem + ending for ending in "y a o i".split())
        elif last not in "iuy":
            stems = (name, stem + "ks") if last == "x" else (name,)
            for one in stems:
                yield from (one + ending for ending in "a u owi em iem ie ze y e".split())
            if last == "t":
                yield stem + "cie"
    elif re.fullmatch("[а-я]+", name):
        if last in "ая":
            yield from (stem + ending for ending in "ы и е у ю ой ою ей".split())
        elif last in "йь":
            yield from (stem + ending for ending in "я ю ем е и".split())
        elif last not in "оеиуэыю":
            yield from (name + ending for ending in "а у ом е ем".split())
