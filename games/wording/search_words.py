"""The words that the search for games understands, in a language and in English.

They are the labels that the site shows, and the other words of `search_words.toml`. The labels of
paces, which stand beside this package in `models`, are for the caller to add.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from babel import Locale
from django.utils import translation

from games.analysis.moments import Moment
from games.rules.components import Party
from games.rules.editions import EDITIONS
from games.rules.phases import Ending

from .choices import SPOKEN, edition_short, spoken_name
from .labels import ending, winner
from .moments import moment
from .options import edition_name

Phrases = list[tuple[str, str, str]]

_FILE: Final = Path(__file__).with_suffix(".toml")
_ENGLISH: Final = "en"
_FILTERS: Final = (
    *("edition", "company", "winner", "ending", "moments", "length", "pace", "role"),
)
MARKS: Final = (
    *("players", "since", "until", "after", "before"),
    *("at_least", "more_than", "at_most", "fewer_than", "or_more", "or_fewer"),
    *("minutes", "hours"),
    *("more_than_behind", "fewer_than_behind"),
    *("since_behind", "until_behind", "between", "to", "today", "yesterday"),
    *("without", "no", "without_behind", "last_days", "days"),
    *("this_week", "last_week", "this_month", "last_month", "this_year", "last_year"),
)


def search_phrases(language: str) -> Phrases:
    """Return each phrase with the filter and the value that it means; "" for skipped words."""
    found: Phrases = []
    for code in search_languages(language):
        with translation.override(code):
            found += _labels()
        words = _words(code)
        for name in _FILTERS:
            for value, synonyms in words.get(name, {}).items():
                found += [(phrase, name, value) for phrase in synonyms]
        found += [(phrase, "", "") for phrase in words.get("marks", {}).get("skipped", ())]
    for code in search_languages(language):
        found += _of_languages(code)
    return found


def search_months(language: str) -> dict[str, int]:
    """Return the number of each name of a month."""
    names = _months(language, "wide")
    for code in search_languages(language):
        for number, name in enumerate(_words(code).get("months", ()), 1):
            names.setdefault(name, number)
    return names


def search_short_months(language: str) -> dict[str, int]:
    """Return the number of each short name of a month."""
    return _months(language, "abbreviated")


def _months(language: str, width: str) -> dict[str, int]:
    names: dict[str, int] = {}
    for code in search_languages(language):
        for form in _locale(code).months.values():
            for number, name in form[width].items():
                # Japanese months and missing names have a digit.
                if not any(letter.isdigit() for letter in name):
                    names.setdefault(name.rstrip("."), number)
    return names


def search_marks(language: str) -> Mapping[str, Sequence[str]]:
    """Return the words that stand before or behind a number or a period, by use."""
    marks = [_words(code).get("marks", {}) for code in search_languages(language)]
    return {name: [word for each in marks for word in each.get(name, ())] for name in MARKS}


def search_wide_words(language: str) -> list[tuple[str, str]]:
    """Return each phrase with several meanings, with its name in the file."""
    return [
        (phrase, name)
        for code in search_languages(language)
        for name, phrases in _words(code).get("wide", {}).items()
        for phrase in phrases
    ]


def search_numbers(language: str, use: str = "numbers") -> list[tuple[str, int]]:
    """Return each word for a number. Those of the use "companies" need no unit."""
    return [
        (word, int(number))
        for code in search_languages(language)
        for number, words in _words(code).get(use, {}).items()
        for word in words
    ]


def writes_month_first(language: str) -> bool:
    """Return whether a day in numbers alone begins with the month, as CLDR has it."""
    pattern: str = _locale(language).date_formats["short"].pattern
    return pattern.startswith("M")


def search_languages(language: str) -> list[str]:
    """Return the languages whose words are understood on a page in this language."""
    return list(dict.fromkeys((language, _ENGLISH)))


def _labels() -> Iterator[tuple[str, str, str]]:
    """Yield the labels of the active language."""
    for each in Moment:
        yield moment(each), "moments", each.value
    for end in Ending:
        yield ending(end).rstrip(".。"), "ending", end.value
    for party in Party:
        yield winner(party), "winner", party.value
    for code in EDITIONS:
        yield edition_name(code), "edition", code
        yield edition_short(code), "edition", code


def _of_languages(code: str) -> Iterator[tuple[str, str, str]]:
    """Yield what the table's languages are called in a language, and in their own."""
    words = _words(code).get("language", {})
    names = _locale(code).languages
    for spoken in SPOKEN:
        name = names.get(_cldr(spoken))
        if name is not None:
            stem = name.removesuffix(words.get("ending", ""))
            for form in words.get("forms", ("{}",)):
                yield form.format(stem), "language", spoken
        yield spoken_name(spoken), "language", spoken


def _cldr(code: str) -> str:
    """Return CLDR's code of a language: "zh_Hans"."""
    language, _, script = code.partition("-")
    return f"{language}_{script.title()}" if script else language


def _locale(code: str) -> Locale:
    return Locale(code.partition("-")[0])


def _words(code: str) -> dict[str, Any]:
    """Return the words of a language in the file; none of a language that it lacks."""
    words: dict[str, Any] = _file().get(code.partition("-")[0], {})
    return words


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
