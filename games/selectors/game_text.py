"""What a user's words in the search for games mean: filters, players, and words left over."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from itertools import chain, groupby, islice, zip_longest
from typing import Final

from django.utils import timezone, translation

from accounts.models import User
from games import wording
from games.analysis.moments import Moment
from games.models import Pace
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS, Party, Role
from games.selectors.game_filters import (
    LONGEST,
    MOST_NAMES,
    PLAYER_FILTERS,
    PLAYER_RESULTS,
    GameFilters,
)
from games.selectors.game_search import GAMES_ON_A_PAGE, find_games, findable_names
from games.text.game_query import Grammar, Part, Wide
from games.text.query_clashes import Clash, clashes_of
from games.text.query_phrases import LONGEST_QUERY, Term, latin, normal_query
from games.wording.search_words import (
    search_languages,
    search_marks,
    search_months,
    search_numbers,
    search_phrases,
    search_short_months,
    search_wide_words,
    writes_month_first,
)

# The most names that are looked up, and the most words of one that is not in quotes.
_MOST_LOOKED_UP: Final = 100
_MOST_WORDS: Final = 4
# The name of the wide words for the viewer's own games.
OWN: Final = "own"
_EITHER_SIDE: Final = tuple(("winner", party.value) for party in Party)
# What the words with several meanings may mean, by their name among the words of the languages.
_MEANINGS: Final = {
    "hitler": (
        ("moments", Moment.HITLER_ELECTED.value),
        ("moments", Moment.HITLER_EXECUTED.value),
    ),
    # The viewer's own games, which have another list.
    OWN: (),
    "won": _EITHER_SIDE,
    "lost": _EITHER_SIDE,
}
# Of words that mean nothing: how many may be mistyped, of how many letters, and how alike they must
# be to known ones; and how many of those are offered.
_MOST_MENDED: Final = 8
_SHORTEST_MENDED: Final = 4
_LONGEST_MENDED: Final = 40
_ALIKE: Final = 0.8
_MOST_MEANT: Final = 3
# How alike a typed word and a name must be, and on how many pages of games the names stand.
_ALIKE_NAMES: Final = 0.75
_SHORTEST_BEGUN: Final = 2
_PAGES_WITH_NAMES: Final = 2
_NAME_PARTED: Final = re.compile(r"[-_. ]+")
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
    # Those of the pieces that contradict each other: they are no filters.
    clashes: tuple[Clash, ...] = ()

    @property
    def said(self) -> GameFilters:
        """The filters that the text says."""
        return GameFilters().with_terms(terms_of(_agreeing(self.parts, self.clashes)))

    @property
    def open_filters(self) -> frozenset[str]:
        """The names of the filters of which the text says several values."""
        return frozenset(chain.from_iterable(clash.filters for clash in self.clashes))

    def words_of(self, part: Part) -> str:
        return " ".join(self.source[part.begin : part.end].split())

    @property
    def beside(self) -> GameFilters:
        """The filters that the text doesn't say."""
        return self.filters.minus(self.said)

    @property
    def text(self) -> str:
        """The words that are no filter as one text, which is understood in the same way."""
        return self.text_with(self.clashes)

    def text_with(self, clashes: Sequence[Clash], rest: Sequence[str] | None = None) -> str:
        """Return the words left over, or others for them, and those of these clashes."""
        clashing = (self.words_of(part) for clash in clashes for part in clash.parts)
        left = (*(self.rest if rest is None else rest), *clashing)
        text = ", ".join(left)
        return text if len(text) <= LONGEST_QUERY else ",".join(left)[:LONGEST_QUERY]


def understand(text: str, filters: GameFilters, viewer: User | None, language: str) -> Understood:
    """Add what the text says to the filters.

    Words without a meaning are players' names if the viewer may search for them; the longest name
    counts. So is a whole word of which only a part has a meaning: the name ひのき holds の.
    Beside a player, "won" and "lost" mean that player's result, and "fascist" the role; a role
    without a player is none.
    A filter to which the text gives different values has none: the reader chooses. Two queries at
    most, whatever the text says.
    """
    if not text:
        return Understood(filters.effective(), language=language)
    words_of, today = grammar(language), timezone.localdate()
    text, found, known = _read(normal_query(text), words_of, viewer)
    runs, names = _with_known_names(text, found, known, filters)
    parts: list[Part] = []
    rest: list[str] = []
    unwanted: set[str] = set()
    for run in runs:
        pieces = (
            _with_player_terms(text, run, words_of, language)
            if names
            else _without_player_terms(run)
        )
        for is_rest, left in groupby(pieces, key=lambda piece: piece.terms is None):
            if is_rest:
                words = " ".join(text[piece.begin : piece.end] for piece in left)
                rest.append(" ".join(words.split()))
        if pieces[0].is_unwanted:
            unwanted.add(rest[-1])
        parts += pieces
    clashes = clashes_of(parts)
    parted = [((), (run,)) if run in unwanted else words_of.wide(run, today) for run in rest]
    return Understood(
        _with_said(replace(filters, names=names), parts, clashes).effective(),
        tuple(rest),
        tuple(chain.from_iterable(wide for wide, _ in parted)),
        tuple(chain.from_iterable(others for _, others in parted)),
        text,
        tuple(parts),
        language,
        clashes,
    )


def _read(
    text: str, words_of: Grammar, viewer: User | None
) -> tuple[str, tuple[Part, ...], dict[str, str]]:
    """Return the text with quotes around torn names, its parts, and the names among its words."""
    today = timezone.localdate()
    reading = words_of.read(text, today)
    if not reading.rest:
        return text, reading.parts, {}
    words = _words(text)
    torn = [word for word in words if words_of.read(word, today).rest not in ((), (word,))]
    runs = (text[part.begin : part.end] for part in reading.parts if _may_be_names(part))
    wanted = chain(torn, *(_possible_names(run.split()) for run in runs))
    known = findable_names(islice(wanted, _MOST_LOOKED_UP), viewer)
    if names := {word: known[word] for word in torn if word in known}:
        text = normal_query(_quoted(text, names))
        reading = words_of.read(text, today)
    return text, reading.parts, known


def _with_known_names(
    text: str, parts: Sequence[Part], known: Mapping[str, str], filters: GameFilters
) -> tuple[list[list[Part]], tuple[str, ...]]:
    """Return the pieces of each part, with known names as terms, and all names that filter."""
    names = filters.with_terms([term for term in terms_of(parts) if term[0] == "names"]).names
    runs = []
    for part in parts:
        pieces = [part]
        if _may_be_names(part):
            pieces = _with_names(text, part, known, names)
            names = GameFilters(names=names).with_terms(terms_of(pieces)).names
        runs.append(pieces)
    return runs, names


def _may_be_names(part: Part) -> bool:
    return part.terms is None and not part.is_unwanted


def _with_player_terms(
    text: str, pieces: Sequence[Part], words_of: Grammar, language: str
) -> list[Part]:
    """Return the pieces of a run; words for a player's role or result become terms."""
    pieces = [new for piece in pieces for new in _with_role(text, piece, words_of, language)]
    found: list[Part] = []
    for is_rest, group in groupby(pieces, key=lambda piece: piece.terms is None):
        run = list(group)
        if not is_rest or run[0].is_unwanted:
            found += run
            continue
        begin, end = run[0].begin, run[-1].end
        place = begin
        for each in words_of.wide(text[begin:end], timezone.localdate())[0]:
            term = _of_player(each)
            if term is not None:
                first = begin + each.begin
                found += _words_between(text, place, first)
                place = first + len(each.words)
                found.append(Part(first, place, (term,)))
        found += _words_between(text, place, end)
    return found


def _of_player(wide: Wide) -> Term | None:
    """Return what words with several meanings mean beside a player, if they tell of the player."""
    if wide.name in PLAYER_RESULTS:
        return "result", wide.name
    return ("role", Role.HITLER.value) if wide.name == Role.HITLER.value else None


def _with_role(text: str, piece: Part, words_of: Grammar, language: str) -> list[Part]:
    """Return the piece; beside a player, "liberal" and "liberal won" mean a role, and a result."""
    if not piece.terms or piece.terms[0][0] != "winner":
        return [piece]
    roles = role_names(language)
    words = _words_between(text, piece.begin, piece.end)
    for role_word, others in ((words[0], words[1:]), (words[-1], words[:-1])):
        role = roles.get(text[role_word.begin : role_word.end].casefold())
        if role is None:
            continue
        role_part = replace(role_word, terms=(("role", role),))
        if not others:
            return [role_part]
        told = Part(others[0].begin, others[-1].end, None)
        wide, rest = words_of.wide(text[told.begin : told.end], timezone.localdate())
        if not rest and len(wide) == 1 and wide[0].name in PLAYER_RESULTS:
            result = replace(told, terms=(("result", wide[0].name),))
            return sorted((role_part, result), key=lambda part: part.begin)
    return [piece]


def _words_between(text: str, begin: int, end: int) -> list[Part]:
    """Return the words there, each a part without a meaning."""
    words = re.finditer(r"\S+", text[begin:end])
    return [Part(begin + word.start(), begin + word.end(), None) for word in words]


def _without_player_terms(pieces: Sequence[Part]) -> list[Part]:
    """Return the pieces; what tells a role is words without a meaning if no player is chosen."""
    return [
        replace(piece, terms=None)
        if any(name in PLAYER_FILTERS for name, _ in piece.terms or ())
        else piece
        for piece in pieces
    ]


def read_alike(text: str, language: str, other: str) -> bool:
    """Return whether a text means the same in both languages."""
    if language == other:
        return True
    text, today = normal_query(text), timezone.localdate()
    return grammar(language).read(text, today) == grammar(other).read(text, today)


def meant_instead(
    understood: Understood, viewer: User | None, *, is_found: bool
) -> list[tuple[str, str]]:
    """Return known words and names like those that mean nothing, each with the text so mended.

    The names are those that the list of the newest games shows to this viewer anyway, so an answer
    tells nothing new: whether anyone else has a name never shows here. They are read only if words
    meant nothing, or a name and the words found no game, by the queries of one `find_games`.
    """
    # A run with a known word, such as "boris won", is mended in its other words alone.
    wide = {each.words for each in understood.wide}
    results = [each.words for each in understood.wide if each.name in PLAYER_RESULTS]
    whole = [
        run
        for run in understood.rest
        if run not in wide and not any(words in run for words in results)
    ]
    runs = [*whole, *chain.from_iterable(run.split() for run in understood.unknown)]
    runs = [run for run in dict.fromkeys(runs) if _is_mended(run, understood)][:_MOST_MENDED]
    known = _vocabulary(understood.language)
    found: dict[str, str] = {}
    months = _short_months(understood.language)
    mended: list[str] = []
    for run in runs:
        typed = run.casefold()
        if run in mended:
            continue
        # A short name alone may be a person's, so it is only offered as a month.
        if typed in months:
            found.setdefault(months[typed], _mended(understood, run, months[typed]))
        if len(run) >= _SHORTEST_MENDED:
            # A number is never mistyped, and neither is a word of known phrases.
            is_right = any(map(str.isdigit, typed)) or typed in _phrase_words(understood.language)
            close = [] if is_right else get_close_matches(typed, known, n=1, cutoff=_ALIKE)
            # Few people mistype the first letter: "weeks" is not meant as "peeks".
            for word in (known[each] for each in close if each[0] == typed[0]):
                found.setdefault(word, _mended(understood, run, word))
                # Then its words alone are no better answers.
                mended += run.split() if " " in run else ()
    names = understood.filters.names
    begun = list(_begun_names(understood, viewer, is_found))
    if begun or (understood.unknown and len(names) < MOST_NAMES):
        for run, name in _names_like([*begun, *runs], names, viewer):
            spelt = spelt_name(name, understood.language)
            found.setdefault(name, _mended(understood, run, spelt))
    offered = [(word, text) for word, text in found.items() if 0 < len(text) <= LONGEST_QUERY]
    return offered[:_MOST_MEANT]


def may_be_player(name: str, viewer: User | None) -> bool:
    """Return whether the viewer may search for this name, or for one like it."""
    return bool(findable_names([name], viewer)) or any(_names_like([name], (), viewer))


def _begun_names(understood: Understood, viewer: User | None, is_found: bool) -> Iterator[str]:
    """Yield each name with unknown words behind it, and the only name if it has no games."""
    parts, source, names = understood.parts, understood.source, understood.filters.names
    are_alone = (
        not is_found
        and len(names) == 1
        and (
            understood.filters == GameFilters(names)
            or not find_games(GameFilters(names), viewer, most=1).games
        )
    )
    for part, following in zip_longest(parts, parts[1:]):
        if not part.terms or part.terms[0][0] != "names" or source[part.begin] == '"':
            continue
        if following is not None and _may_be_names(following):
            yield source[part.begin : following.end]
        if are_alone:
            yield source[part.begin : part.end]


def _is_mended(run: str, understood: Understood) -> bool:
    """Return whether known words may stand for these."""
    unwanted = [understood.words_of(part) for part in understood.parts if part.is_unwanted]
    is_wanted = run not in unwanted and run not in " ".join(unwanted).split()
    return is_wanted and _SHORTEST_BEGUN <= len(run) <= _LONGEST_MENDED


def _mended(understood: Understood, run: str, word: str) -> str:
    """Return the text with this word for that run; "" if the run doesn't stand in it as it is."""
    source = understood.source
    place = re.search(rf"(?<!\w){re.escape(run)}(?!\w)", source)
    return source[: place.start()] + word + source[place.end() :] if place else ""


def _names_like(
    runs: Sequence[str], chosen: Sequence[str], viewer: User | None
) -> Iterator[tuple[str, str]]:
    """Yield names that are like the runs or begin with them, of those in the viewer's own list."""
    if not runs:
        return
    listed = find_games(GameFilters(), viewer, most=_PAGES_WITH_NAMES * GAMES_ON_A_PAGE).games
    names = dict.fromkeys(name for game in listed for name in game.names if name not in chosen)
    # By each whole name and each of its words: people search for Anna Kowalska by "kowalska".
    keys: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        words = _NAME_PARTED.split(name.casefold())
        for key in dict.fromkeys((" ".join(words), *words)):
            keys[key].append(name)
    for run in runs:
        typed = " ".join(_NAME_PARTED.split(run.casefold()))
        # Readers of Russian may type a Latin name in Cyrillic letters.
        spellings = tuple(dict.fromkeys((typed, latin(typed))))
        alike = [each for each in spellings if each in keys]
        if not alike:
            for each in spellings:
                alike += get_close_matches(each, keys, n=_MOST_MEANT, cutoff=_ALIKE_NAMES)
            alike += [key for key in keys if key.startswith(spellings)]
            # In a short name, two swapped letters are below the cutoff.
            alike += [each for each in _with_two_swapped(typed) if each in keys]
        for key in dict.fromkeys(alike):
            for name in keys[key]:
                yield run, name


def _with_two_swapped(word: str) -> list[str]:
    """Return the spellings of a word with two neighbouring letters swapped."""
    return [
        word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        for place in range(len(word) - 1)
    ]


def spelt_name(name: str, language: str) -> str:
    """Return how to type a name so that it is understood as one."""
    reading = grammar(language).read(name, timezone.localdate())
    is_plain = reading.rest == (name,) and len(name.split()) <= _MOST_WORDS
    return name if is_plain else f'"{name}"'


@cache
def role_names(language: str) -> dict[str, str]:
    """Return the roles by their names in a language and in English, in small letters.

    Without a player they mean the side that won, or what happened to Hitler.
    """
    found: dict[str, str] = {}
    for code in search_languages(language):
        with translation.override(code):
            found |= {wording.role(role).casefold(): role.value for role in Role}
    return found


@cache
def _vocabulary(language: str) -> dict[str, str]:
    """Return the months and phrases that the search knows in a language, by their small letters."""
    phrases = [
        words for words, name, _ in search_phrases(language) if name and name not in PLAYER_FILTERS
    ]
    phrases += [words for words, _ in search_wide_words(language)]
    words = chain(search_months(language), (each for each in phrases if "*" not in each))
    return {word.casefold(): word for word in words if len(word) >= _SHORTEST_MENDED}


@cache
def _phrase_words(language: str) -> frozenset[str]:
    """Return the words of the phrases that the search knows in a language, in small letters."""
    return frozenset(word for phrase in _vocabulary(language) for word in phrase.split())


@cache
def _short_months(language: str) -> dict[str, str]:
    """Return the whole name of each month by the small letters of its short name."""
    whole: dict[int, str] = {}
    for name, number in search_months(language).items():
        whole.setdefault(number, name)
    return {
        name.casefold(): whole[number] for name, number in search_short_months(language).items()
    }


def _agreeing(parts: Sequence[Part], clashes: Sequence[Clash]) -> list[Part]:
    """Return the parts that contradict no other one."""
    clashing = {part.begin for clash in clashes for part in clash.parts}
    return [part for part in parts if part.begin not in clashing]


def _with_said(
    filters: GameFilters, parts: Sequence[Part], clashes: Sequence[Clash]
) -> GameFilters:
    """Return the filters with what the parts say, and without what they say in different ways."""
    for clash in clashes:
        filters = filters.without(*clash.filters)
    return filters.with_terms(terms_of(_agreeing(parts, clashes)))


def terms_of(parts: Sequence[Part]) -> list[Term]:
    """Return the terms of the parts, in the order of the text."""
    return [term for part in parts for term in part.terms or ()]


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
        name = " ".join(words[:length])
        yield name
        # In "Anna's games".
        if name.casefold().endswith("'s"):
            yield name[:-2]


def _with_names(
    text: str, part: Part, known: Mapping[str, str], chosen: Sequence[str]
) -> list[Part]:
    """Return a part of words as known names and single words that are none.

    With the names chosen already they are MOST_NAMES at most; more count as words.
    """
    names = list(chosen)
    left = _words_between(text, part.begin, part.end)
    pieces: list[Part] = []
    while left:
        words = [text[each.begin : each.end] for each in left]
        word = next((word for word in _names_at(words) if word in known), None)
        name = known[word] if word else ""
        length = 1
        terms: tuple[Term, ...] | None = None
        if word and (name in names or len(names) < MOST_NAMES):
            length = len(word.split())
            terms = (("names", name),)
            names += [name] if name not in names else []
        pieces.append(Part(left[0].begin, left[length - 1].end, terms))
        left = left[length:]
    return pieces


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
        longest=LONGEST,
        is_month_first=writes_month_first(language),
    )
