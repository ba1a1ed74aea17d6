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
    pattern, known = _known(names)

    def marked(match: re.Match[str]) -> str:
        word = match["name"]
        # Some letters match another one that isn't their lower case, as "ı" matches "i".
        seat, is_declined, is_short = known.get(word.lower(), (None, False, False))
        is_inside = word[0].isupper() and text[: match.start()].strip()
        is_unlikely = len(word) < 2 or is_word(word.lower()) or (is_short and not is_inside)
        # A name that is a word of the game, such as "Liberal", counts as a name after "@" only.
        if seat is None or (is_unlikely and not match["at"]):
            return match.group()
        return f"{match['at']} {seat_mark(seat, is_declined=is_declined)} "

    return pattern.sub(marked, text)


@lru_cache(maxsize=256)
def _known(
    names: tuple[tuple[int, str], ...],
) -> tuple[re.Pattern[str], dict[str, tuple[int, bool, bool]]]:
    """Return a pattern of all names, and the seat of each, whether it is declined, and short."""
    # What someone is called comes before what someone else could be called.
    seats = {plain(name).lower(): seat for seat, name in reversed(names)}
    for seat, name in names:
        for spelling in _spellings(name):
            seats.setdefault(spelling, seat)
    seats.pop("", None)
    known = {name: (seat, False, False) for name, seat in seats.items()}
    for name, seat in seats.items():
        is_short = len(name.rstrip("aа")) < _SHORTEST_STEM
        for form in _forms(name):
            known.setdefault(form, (seat, True, is_short))
    forms = "|".join(map(_whole, sorted(known, key=len, reverse=True)))
    return re.compile(f"(?P<at>@?)(?P<name>{forms}){_HONORIFIC}{_ENDING}", re.IGNORECASE), known


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "names.toml").read_text(encoding="utf-8"))


def _spellings(name: str) -> Iterator[str]:
    """Yield how a name is written in other scripts, in lower case."""
    yield from (plain(one.strip()).lower() for one in _file()["bots"].get(name, "").split(","))
    word = plain(name).lower()
    for script in _file()["scripts"].values():
        spelled = word
        for letters, others in map(str.split, script.split(",")):
            spelled = spelled.replace(letters, others)
        if not re.search("[a-z]", spelled):
            yield spelled


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
