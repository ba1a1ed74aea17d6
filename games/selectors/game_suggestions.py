"""Suggestions that complete a text in the search for finished games."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.db.models import Exists, OuterRef

from accounts.models import Friendship, User
from accounts.profiles.names import name_key
from games import wording
from games.models import ArchivedSeat
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS, Role
from games.selectors.audiences import shows_games
from games.selectors.game_filters import PLAYER_FILTERS
from games.selectors.game_search import SAID_BY_ENDING
from games.selectors.game_text import spelt_name
from games.text.query_phrases import LONGEST_QUERY, fold, latin, normal_query
from games.wording.search_words import search_marks, search_months, search_phrases

# In characters.
_SHORTEST: Final = 2
_LONGEST: Final = 40
# A name and most phrases have no more words.
_MOST_WORDS: Final = 4
_MOST_NAMES: Final = 3
_MOST_SUGGESTED: Final = 6
# Of users whose names begin alike, those are offered whose games the viewer may find.
_MOST_READ: Final = 50
_WORD: Final = re.compile(r'[^\s,;、。"]+')
_PARTED: Final = re.compile(r'[,;、。"]')
# The marks that mean days by themselves.
_DAYS: Final = (
    *("today", "yesterday", "this_week", "last_week", "this_month", "last_month"),
    *("this_year", "last_year"),
)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A player's name or another phrase, and the whole text with it."""

    label: str
    text: str
    is_name: bool = False


# The words to complete, the label, the words in their place, and whether they are a name.
_Found = tuple[str, str, str, bool]


def suggestions(text: str, viewer: User | None, language: str) -> tuple[Suggestion, ...]:
    """Return suggestions that complete the last words of a text: names, then phrases by length.

    A name is offered if that player's page shows its games to the viewer, and has any. At most two
    queries: friends, and users.
    """
    text = normal_query(text)
    tails = list(_tails(text))
    found: list[_Found] = [
        *((tail, name, spelt_name(name, language), True) for tail, name in _names(tails, viewer)),
        *(phrase for tail in tails for phrase in _phrases(tail, language)),
    ]
    suggested: dict[str, Suggestion] = {}
    for tail, label, spelt, is_name in found:
        whole = text.removesuffix(tail) + spelt
        if whole.casefold() != text.casefold() and len(whole) <= LONGEST_QUERY:
            suggested.setdefault(label, Suggestion(label, whole, is_name))
    return tuple(suggested.values())[:_MOST_SUGGESTED]


def suggested_names(begun: str, viewer: User | None) -> tuple[Suggestion, ...]:
    """Return the names that begin with this text, of the same players as `suggestions`."""
    tails = [normal_query(begun)] if len(begun) <= _LONGEST else []
    names = [name for _, name in _names(tails, viewer) if name != begun]
    return tuple(Suggestion(name, name, is_name=True) for name in names)


def _tails(text: str) -> Iterator[str]:
    """Yield the last words of the text, as many as a phrase may have, the most words first."""
    begins = [word.start() for word in _WORD.finditer(text)]
    for begin in begins[-_MOST_WORDS:]:
        tail = text[begin:]
        if len(tail) <= _LONGEST and not _PARTED.search(tail):
            yield tail


def _names(tails: Sequence[str], viewer: User | None) -> Iterator[tuple[str, str]]:
    """Yield the names of players that begin with one of the tails, each with the tail."""
    # Readers of Russian may type a Latin name in Cyrillic letters.
    keys = {name_key(typed): tail for tail in tails for typed in (tail, latin(tail))}
    keys = {key: tail for key, tail in keys.items() if len(key) >= _SHORTEST}
    if not keys:
        return
    seats = ArchivedSeat.objects.filter(user=OuterRef("pk"), people__gt=1, archived__is_public=True)
    begun = User.objects.none()
    for key in keys:
        begun |= User.objects.filter(name_key__startswith=key)
    players = begun.filter(Exists(seats)).order_by("name_key")[:_MOST_READ]
    friends = Friendship.objects.friends_of(viewer.pk) if viewer is not None else set()
    shown = [player for player in players if shows_games(player, viewer, friends)]
    for player in shown[:_MOST_NAMES]:
        tail = next(tail for key, tail in keys.items() if player.name_key.startswith(key))
        yield tail, player.username


def _phrases(tail: str, language: str) -> Iterator[_Found]:
    """Yield the phrases that begin with the tail, one for each meaning."""
    begun = fold(tail)
    for number in range(LEAST_PLAYERS, MOST_PLAYERS + 1):
        players = wording.players_counted(number)
        if begun[:1].isdigit() and players.startswith(begun):
            # The label's word joiner has no place in a field.
            yield tail, players, normal_query(players), False
    if len(begun) < _SHORTEST and begun.isascii():
        return
    found: dict[object, str] = {}
    for folded, phrase, meaning in _known(language):
        if folded.startswith(begun):
            found.setdefault(meaning, phrase)
    for phrase in sorted(found.values(), key=len):
        yield tail, _as_title(phrase), phrase, False


def _as_title(phrase: str) -> str:
    """Return a phrase with a capital at its beginning, and one for Hitler."""
    hitler = wording.role(Role.HITLER)
    named = re.sub(rf"\b{hitler}", hitler, phrase, flags=re.IGNORECASE)
    return named[:1].upper() + named[1:]


@cache
def _known(language: str) -> tuple[tuple[str, str, object], ...]:
    """Return the phrases of a language in small letters, as they are typed, and their meanings.

    The labels of the site come first. Results and roles are left out: they need a player.
    """
    # An ending and a moment may mean the same.
    alike: dict[object, object] = {
        ("ending", ending): ("moments", happened) for ending, happened in SAID_BY_ENDING.items()
    }
    phrases: list[tuple[str, object]] = [
        (words, (name, value))
        for words, name, value in search_phrases(language)
        if name and name not in PLAYER_FILTERS and "*" not in words
    ]
    phrases += [(name, number) for name, number in search_months(language).items()]
    marks = search_marks(language)
    phrases += [(words, day) for day in _DAYS for words in marks[day] if "*" not in words]
    return tuple(
        (fold(normal_query(words)), words, alike.get(meaning, meaning))
        for words, meaning in phrases
    )
