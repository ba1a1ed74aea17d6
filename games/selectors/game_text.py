"""What a user's words in the search for games mean: filters, players, and words left over."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import chain, islice, pairwise
from typing import Any, Final

from django.utils import timezone, translation

from accounts.models import User
from games.analysis.moments import Moment
from games.models import Pace
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS, Party
from games.selectors.game_filters import MOST_NAMES, GameFilters
from games.selectors.game_search import findable_names
from games.text.game_query import (
    LONGEST_QUERY,
    UNSPACED_LETTER,
    Grammar,
    Part,
    Term,
    Wide,
    normal_query,
)
from games.wording.search_words import (
    search_languages,
    search_marks,
    search_months,
    search_numbers,
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
    # The text in its normal form, with quotes around the names that stand in longer words; what
    # its pieces mean; and the language in which it was read.
    source: str = ""
    parts: tuple[Part, ...] = ()
    language: str = ""

    @property
    def said(self) -> GameFilters:
        """The filters that the text says."""
        return GameFilters().with_terms(_terms(self.parts))

    @property
    def beside(self) -> GameFilters:
        """The filters that the text doesn't say."""
        return self.filters.minus(self.said)

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
        return Understood(filters, language=language)
    text, words_of, today = normal_query(text), grammar(language), timezone.localdate()
    reading = words_of.read(text, today)
    if not reading.rest:
        filters = filters.with_terms(reading.terms)
        return Understood(filters, source=text, parts=reading.parts, language=language)
    torn = [word for word in _words(text) if words_of.read(word, today).rest not in ((), (word,))]
    wanted = chain(torn, *(_possible_names(run.split()) for run in reading.rest))
    known = findable_names(islice(wanted, _MOST_LOOKED_UP), viewer)
    if names := {word: known[word] for word in torn if word in known}:
        text = normal_query(_quoted(text, names))
        reading = words_of.read(text, today)
    filters = filters.with_terms(reading.terms)
    rest: list[str] = []
    parts: list[Part] = []
    for part in reading.parts:
        if part.terms is not None:
            parts.append(part)
            continue
        places = [found.span() for found in re.finditer(r"\S+", text[part.begin : part.end])]
        words = [text[part.begin + begin : part.begin + end] for begin, end in places]
        unknown: list[str] = []
        while words:
            name = next((name for name in _names_at(words) if name in known), None)
            is_full = len(filters.names) >= MOST_NAMES
            is_name = name is not None and not (is_full and known[name] not in filters.names)
            length = len(name.split()) if is_name and name else 1
            terms: tuple[Term, ...] | None = None
            if is_name and name:
                terms = (("names", known[name]),)
                filters = filters.with_terms(terms)
                rest += _joined(unknown)
                unknown = []
            else:
                unknown.append(words[0])
            begin, end = places[0][0], places[length - 1][1]
            parts.append(Part(part.begin + begin, part.begin + end, terms))
            words, places = words[length:], places[length:]
        rest += _joined(unknown)
    parted = [words_of.wide(run, today) for run in rest]
    return Understood(
        filters,
        tuple(rest),
        tuple(chain.from_iterable(wide for wide, _ in parted)),
        tuple(chain.from_iterable(others for _, others in parted)),
        text,
        tuple(parts),
        language,
    )


def read_alike(text: str, language: str, other: str) -> bool:
    """Return whether a text means the same in both languages."""
    if language == other:
        return True
    text, today = normal_query(text), timezone.localdate()
    return grammar(language).read(text, today) == grammar(other).read(text, today)


def rewritten(understood: Understood, wanted: GameFilters) -> tuple[str, GameFilters]:
    """Return the text without the words that don't fit these filters, and what it doesn't say.

    The filters are those of the text and others. What the text says is no more than the filters;
    words that would mean something else without the others beside them become filters as well.
    """
    parts = understood.parts
    kept = [part for part in parts if all(wanted.say(*term) for term in part.terms or ())]
    if len(kept) == len(parts):
        return understood.source, wanted.minus(understood.said)
    text, kept = _cut(understood.source, parts, kept)
    reading = grammar(understood.language).read(text, timezone.localdate())
    if _gist(text, reading.parts) == _gist(understood.source, kept):
        return text, wanted.minus(GameFilters().with_terms(_terms(kept)))
    return understood.text, wanted


def without_words(understood: Understood, words: str) -> tuple[str, GameFilters]:
    """Return the text without words that are no term, and the filters that it doesn't say."""
    source = understood.source
    parted = source.partition(words)
    text = " ".join(f"{parted[0]} {parted[2]}".split()).strip(" ,;、。")
    reading = grammar(understood.language).read(text, timezone.localdate())
    left = _gist(source, understood.parts)
    for word in words.split():
        if (None, word) in left:
            left.remove((None, word))
    if parted[1] and _gist(text, reading.parts) == left:
        return text, understood.beside
    others = (each.words for each in understood.wide if each.words != words)
    return ", ".join((*others, *understood.unknown)), understood.filters


def changed_by_hand(
    text: str, was: str, chosen: GameFilters, viewer: User | None, language: str
) -> tuple[str, GameFilters]:
    """Return the text and the filters beside it, after the reader changed the text or the filters.

    The text was another before, and the filters one by one showed what it said. Where its words
    are changed they count; where they are not, the filter does, and words that differ are left out.
    """
    before = understand(was, GameFilters(), viewer, language).said
    understood = understand(text, GameFilters(), viewer, language)
    now = understood.said
    wanted: dict[str, Any] = {}
    for each in fields(GameFilters):
        old, new, own = (getattr(one, each.name) for one in (before, now, chosen))
        if each.name == "names":
            # No filter shows the names that the text says.
            wanted[each.name] = tuple(dict.fromkeys((*own, *new)))[:MOST_NAMES]
        elif each.name == "moments":
            taken = [value for value in own if value in new or value not in old]
            typed = [value for value in new if value not in old]
            wanted[each.name] = tuple(dict.fromkeys((*taken, *typed)))
        elif old == new and old:
            wanted[each.name] = own
        else:
            wanted[each.name] = new if own == old else new or own
    return rewritten(understood, replace(chosen, **wanted))


def _terms(parts: Sequence[Part]) -> list[Term]:
    return [term for part in parts for term in part.terms or ()]


def _is_words(part: Part) -> bool:
    """Return whether words are no term of the grammar: a name may stand among them."""
    return part.terms is None or bool(part.terms and part.terms[0][0] == "names")


def _gist(text: str, parts: Sequence[Part]) -> list[tuple[Term | None, str]]:
    """Return the terms in their order, and the words that are none, each with None before it.

    Names are words: whether they are known is another question.
    """
    gist: list[tuple[Term | None, str]] = []
    for part in parts:
        words = text[part.begin : part.end]
        if _is_words(part) and not words.startswith('"'):
            gist += [(None, word) for word in words.split()]
        else:
            gist += [(term, "") for term in part.terms or ()]
    return gist


def _cut(text: str, parts: Sequence[Part], kept: list[Part]) -> tuple[str, list[Part]]:
    """Return the text of these parts alone, and those of them that still matter.

    Words that mean nothing, such as "and" or "in", leave with the word behind them.
    """
    stay = {part.begin for part in kept}
    for part, following in reversed(list(pairwise(parts))):
        if part.terms == () and following.begin not in stay:
            stay.discard(part.begin)
    for part, following in pairwise(parts):
        # Japanese particles stand behind their word.
        is_particle = following.terms == () and UNSPACED_LETTER.match(text[following.begin])
        if is_particle and part.begin not in stay:
            stay.discard(following.begin)
    kept = [part for part in kept if part.begin in stay]
    telling = [part for part in parts if part.terms != ()]
    while kept and kept[0].terms == () and telling[0].begin not in stay:
        kept = kept[1:]
    while kept and kept[-1].terms == () and telling[-1].begin not in stay:
        kept = kept[:-1]
    cut = ""
    for nth, part in enumerate(kept):
        if nth:
            last = kept[nth - 1]
            between = text[last.end : part.begin]
            removed = [each for each in parts if last.end <= each.begin < part.begin]
            if removed:
                left = between
                for each in removed:
                    left = left.replace(text[each.begin : each.end], " ", 1)
                are_words = all(_is_words(each) for each in (last, part))
                between = ", " if are_words or "," in left else " "
            cut += between
        cut += text[part.begin : part.end]
    return cut.strip(), kept


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
        search_numbers(language),
        search_numbers(language, "companies"),
    )
