"""What a user's words in the search for games mean: filters, players, and words left over."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from typing import Final

from django.utils import timezone, translation

from accounts.models import User
from games.analysis.moments import Moment
from games.models import Pace
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS, Party
from games.selectors.game_filters import MOST_NAMES, GameFilters
from games.selectors.game_search import findable_names
from games.text.game_query import LONGEST_QUERY, Grammar, Wide, normal_query
from games.wording.search_words import (
    search_languages,
    search_marks,
    search_months,
    search_phrases,
    search_short_months,
    search_wide_words,
)

# The most names that are looked up, and the most words of one that is not in quotes.
_MOST_LOOKED_UP: Final = 100
_MOST_WORDS: Final = 4
_EITHER_SIDE: Final = tuple(("winner", party.value) for party in Party)
# What the words with several meanings may mean, by their name among the words of the languages.
_MEANINGS: Final = {
    "hitler": tuple(
        ("moments", moment.value) for moment in (Moment.HITLER_ELECTED, Moment.HITLER_EXECUTED)
    ),
    "won": _EITHER_SIDE,
    "lost": _EITHER_SIDE,
}
# Between words.
_PARTED: Final = re.compile(r"[\s,;、。]+")


@dataclass(frozen=True, slots=True)
class Understood:
    filters: GameFilters
    # The words that are neither a filter nor a player whose games the viewer may search for.
    rest: tuple[str, ...] = ()
    # Those of them that have several meanings, and the others.
    wide: tuple[Wide, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The words left over as one text, which is understood in the same way."""
        text = ", ".join(self.rest)
        return text if len(text) <= LONGEST_QUERY else ",".join(self.rest)[:LONGEST_QUERY]


def understand(text: str, filters: GameFilters, viewer: User | None, language: str) -> Understood:
    """Add what the text says to the filters.

    Words without a meaning are players' names if the viewer may search for them; the longest name
    counts. So is a whole word of which only a part has a meaning: the name ひのき holds の. Two
    queries at most, whatever the text says.
    """
    if not text:
        return Understood(filters)
    text, words_of, today = normal_query(text), grammar(language), timezone.localdate()
    reading = words_of.read(text, today)
    if not reading.rest:
        return Understood(filters.with_terms(reading.terms))
    torn = [word for word in _words(text) if words_of.read(word, today).rest not in ((), (word,))]
    wanted = chain(torn, *(_possible_names(run.split()) for run in reading.rest))
    known = findable_names(islice(wanted, _MOST_LOOKED_UP), viewer)
    if names := {word: known[word] for word in torn if word in known}:
        reading = words_of.read(_quoted(text, names), today)
    filters = filters.with_terms(reading.terms)
    runs = [run.split() for run in reading.rest]
    rest: list[str] = []
    for words in runs:
        unknown: list[str] = []
        while words:
            name = next((name for name in _names_at(words) if name in known), None)
            is_full = len(filters.names) >= MOST_NAMES
            if name is None or (is_full and known[name] not in filters.names):
                unknown.append(words[0])
                words = words[1:]
                continue
            filters = filters.with_terms([("names", known[name])])
            words = words[len(name.split()) :]
            rest += _joined(unknown)
            unknown = []
        rest += _joined(unknown)
    parted = [words_of.wide(run, today) for run in rest]
    return Understood(
        filters,
        tuple(rest),
        tuple(chain.from_iterable(wide for wide, _ in parted)),
        tuple(chain.from_iterable(others for _, others in parted)),
    )


def _words(text: str) -> list[str]:
    """Return the words outside quotes, each once, as spaces and commas part them."""
    outside = " ".join(text.split('"')[::2])
    return list(dict.fromkeys(word for word in _PARTED.split(outside) if word))


def _quoted(text: str, names: Mapping[str, str]) -> str:
    """Return the text with these names in quotes for the words outside quotes that mean them."""
    parts = text.split('"')
    for nth in range(0, len(parts), 2):
        words = re.split(f"({_PARTED.pattern})", parts[nth])
        parts[nth] = "".join(f'"{names[word]}"' if word in names else word for word in words)
    return '"'.join(parts)


def _possible_names(words: Sequence[str]) -> Iterator[str]:
    for place in range(len(words)):
        yield from _names_at(words[place:])


def _names_at(words: Sequence[str]) -> Iterator[str]:
    """Yield the names with which the words may begin, the longest one first."""
    for length in range(min(len(words), _MOST_WORDS), 0, -1):
        yield " ".join(words[:length])


def _joined(words: Sequence[str]) -> list[str]:
    return [" ".join(words)] if words else []


@cache
def grammar(language: str) -> Grammar:
    """Return the grammar of a language of the site, which also knows English."""
    phrases = search_phrases(language)
    for code in search_languages(language):
        with translation.override(code):
            phrases += [(str(pace.label), "pace", pace.value) for pace in Pace]
    return Grammar(
        phrases,
        search_months(language),
        search_marks(language),
        range(LEAST_PLAYERS, MOST_PLAYERS + 1),
        search_short_months(language),
        search_wide_words(language),
        _MEANINGS,
    )
