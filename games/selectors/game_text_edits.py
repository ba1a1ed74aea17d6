"""Edits of a user's words in the search for games: without a word, or to other filters."""

from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.selectors.game_filters import MOST_NAMES, PLAYER_FILTERS, GameFilters
from games.selectors.game_text import (
    Understood,
    grammar,
    role_names,
    spelt_name,
    terms_of,
    understand,
)
from games.text.game_query import Part
from games.text.query_clashes import Clash
from games.text.query_phrases import UNSPACED_LETTER, Term


def rewritten(understood: Understood, wanted: GameFilters) -> tuple[str, GameFilters]:
    """Return the text without the words that don't fit these filters, and what it doesn't say.

    The filters are those of the text and others. What the text says is no more than the filters;
    words that would mean something else without the others beside them become filters as well.
    """
    parts = understood.parts
    clashing = {part.begin for clash in understood.clashes for part in clash.parts}
    kept = [
        part
        for part in parts
        if all(wanted.say(*term) for term in part.terms or ())
        # As long as the reader has not chosen, words that contradict each other stay.
        or (part.begin in clashing and not wanted.has(*(name for name, _ in part.terms or ())))
    ]
    if len(kept) == len(parts):
        return understood.source, wanted.minus(understood.said)
    text, kept = _cut(understood.source, parts, kept)
    reading = grammar(understood.language).read(text, timezone.localdate())
    if _gist(text, reading.parts, understood.language) == _gist(
        understood.source, kept, understood.language
    ):
        return text, wanted.minus(GameFilters().with_terms(terms_of(kept)))
    still = [clash for clash in understood.clashes if not wanted.has(*clash.filters)]
    return understood.text_with(still), wanted


def with_one(
    understood: Understood, clash: Clash, value: tuple[Term, ...]
) -> tuple[str, GameFilters]:
    """Return the text with this one of the values that contradict each other, and the rest."""
    others = clash.beside(value)
    text, kept = _cut(
        understood.source,
        understood.parts,
        [part for part in understood.parts if part not in others],
    )
    reading = grammar(understood.language).read(text, timezone.localdate())
    if _gist(text, reading.parts, understood.language) == _gist(
        understood.source, kept, understood.language
    ):
        return text, understood.beside
    left = [each for each in understood.clashes if each != clash]
    return understood.text_with(left), understood.filters.with_terms(value)


def with_player(
    understood: Understood, old: str, name: str, given: GameFilters, viewer: User | None
) -> tuple[str, GameFilters]:
    """Return the text with a player's name in place of another one's, and what it doesn't say.

    Each name may be "". `given` are the filters beside the text, also those that need a player.
    Words that would mean something else beside the name become filters: "fascist" is a role there.
    """
    text = understood.source
    if old in understood.filters.names:
        text, given = rewritten(understood, understood.filters.without("names", value=old))
    if name:
        spelt = spelt_name(name.replace('"', ""), understood.language)
        both = f"{text}, {spelt}" if text else spelt
        now = understand(both, given, viewer, understood.language)
        of_games, of_games_now = (
            filters.without("names", *PLAYER_FILTERS)
            for filters in (understood.filters, now.filters)
        )
        if of_games != of_games_now and not understood.rest:
            others = understood.filters.without("names", value=old)
            return spelt, replace(others, result=given.result, role=given.role)
        text = both
    return text, given


def without_words(understood: Understood, words: str) -> tuple[str, GameFilters]:
    """Return the text without words that are no term, and the filters that it doesn't say."""
    source = understood.source
    parted = source.partition(words)
    text = " ".join(f"{parted[0]} {parted[2]}".split()).strip(" ,;、。")
    reading = grammar(understood.language).read(text, timezone.localdate())
    left = _gist(source, understood.parts, understood.language)
    for word in words.split():
        if (None, word) in left:
            left.remove((None, word))
    if parted[1] and _gist(text, reading.parts, understood.language) == left:
        return text, understood.beside
    others = [each.words for each in understood.wide if each.words != words]
    rest = [*others, *understood.unknown]
    return understood.text_with(understood.clashes, rest), understood.filters


def changed_by_hand(
    text: str,
    was: str,
    chosen: GameFilters,
    viewer: User | None,
    language: str,
    shown: GameFilters | None = None,
) -> tuple[str, GameFilters]:
    """Return the text and the filters beside it, after the reader changed the text or the filters.

    The text was another before, and the filters one by one showed what it said and what stood
    beside it: `shown`, if that is known. A filter that the reader chose counts, and words that
    differ are left out. Where only the words are changed, they count.
    """
    players = GameFilters(names=chosen.names)
    before = understand(was, players, viewer, language).said
    understood = understand(text, players, viewer, language)
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
        elif shown is not None and own and own != getattr(shown, each.name):
            wanted[each.name] = own
        elif each.name in understood.open_filters:
            # The words are changed, and leave the choice to the reader.
            wanted[each.name] = new
        elif old == new and old:
            wanted[each.name] = own
        else:
            wanted[each.name] = new if own == old else new or own
    return rewritten(understood, replace(chosen, **wanted))


def _is_words(part: Part) -> bool:
    """Return whether words are no term of the grammar alone: names, and what players did."""
    return part.terms is None or bool(part.terms and part.terms[0][0] in ("names", *PLAYER_FILTERS))


def _gist(text: str, parts: Sequence[Part], language: str) -> list[tuple[Term | None, str]]:
    """Return the terms in their order, and the words that are none, each with None before it.

    Names are words: whether they are known is another question.
    """
    gist: list[tuple[Term | None, str]] = []
    roles = role_names(language)
    for part in parts:
        words = text[part.begin : part.end]
        # Beside a player, the name of a role means something else than alone.
        is_role = words.casefold() in roles
        if (is_role or _is_words(part)) and not words.startswith('"'):
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
