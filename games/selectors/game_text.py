"""What a user's words in the search for games mean: filters, players, and words left over."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from django.utils import translation

from accounts.models import User
from games.models import Pace
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS
from games.selectors.game_filters import MOST_NAMES, GameFilters
from games.selectors.game_search import findable_names
from games.text.game_query import LONGEST_QUERY, Grammar
from games.wording.search_words import (
    search_languages,
    search_marks,
    search_months,
    search_phrases,
)

# The most words without a meaning that are looked up as names.
_MOST_LOOKED_UP: Final = 40


@dataclass(frozen=True, slots=True)
class Understood:
    filters: GameFilters
    # The words that are neither a filter nor a player whose games the viewer may search for.
    rest: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The words left over as one text, which is understood in the same way."""
        text = ", ".join(self.rest)
        return text if len(text) <= LONGEST_QUERY else ",".join(self.rest)[:LONGEST_QUERY]


def understand(text: str, filters: GameFilters, viewer: User | None, language: str) -> Understood:
    """Add what the text says to the filters.

    Words without a meaning are players' names if the viewer may search for their games: a run of
    words as one name, or else each word. Two queries at most, whatever the text says.
    """
    if not text:
        return Understood(filters)
    reading = grammar(language).read(text)
    filters = filters.with_terms(reading.terms)
    if not reading.rest:
        return Understood(filters)
    wanted = [name for run in reading.rest for name in dict.fromkeys((run, *run.split()))]
    known = findable_names(wanted[:_MOST_LOOKED_UP], viewer)
    rest: list[str] = []
    for run in reading.rest:
        unknown: list[str] = []
        for word in (run,) if run in known else run.split():
            room = len(filters.names) < MOST_NAMES or known.get(word) in filters.names
            if word in known and room:
                filters = filters.with_terms([("names", known[word])])
                rest += _joined(unknown)
                unknown = []
            else:
                unknown.append(word)
        rest += _joined(unknown)
    return Understood(filters, tuple(rest))


def _joined(words: list[str]) -> list[str]:
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
    )
