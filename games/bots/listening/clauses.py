"""Sentences as what they speak of: notions, and seats that are spoken to or about."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from .languages import Language
from .text import MOST, SEAT, is_declined, seat_at

_UNITS: Final = re.compile(rf"{SEAT}|[^\W_]+|[,;&+/]|(?<={SEAT} ):")
# A clause that begins with one of these belongs to the one before it.
_SUBORDINATE: Final = ("that", "what", "who", "how", "because", "or")


@dataclass(slots=True)
class Clause:
    """A sentence or a part of one: what it speaks of, and whom."""

    notions: set[str] = field(default_factory=set)
    # The seat that is spoken to, and those that are spoken about.
    to: int | None = None
    about: tuple[int, ...] = ()
    # Whether two seats are joined by "and"; whether the first or the last word is a name.
    is_joined: bool = False
    first: bool = False
    last: bool = False
    # Whether the first word is a name that can't be an object.
    is_subject_first: bool = False
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class _Token:
    """A seat, or the notions of a word: () for one that means nothing, None for an unknown one."""

    notions: tuple[str, ...] | None = ()
    seat: int | None = None
    after_comma: bool = False
    is_subject: bool = False

    @property
    def is_content(self) -> bool:
        return self.seat is not None or self.notions != ()

    def has(self, *notions: str) -> bool:
        return any(notion in (self.notions or ()) for notion in notions)


def clauses(sentence: str, asks: bool, language: Language) -> list[Clause]:
    """Return the sentence itself and its clauses, the last first."""
    tokens, to = _without_address(list(_tokens(sentence, language)))
    parts = _parts(tokens)[:MOST]
    found = [_read(part, to) for part in (tokens, *parts)]
    if asks:
        # A question mark belongs to the sentence, and to its last clause.
        for clause in found[:2]:
            clause.notions.add("ask")
    return found


def _tokens(sentence: str, language: Language) -> Iterator[_Token]:
    units: list[str] = []
    breaks: set[int] = set()
    for word in _UNITS.findall(sentence.replace("'", "")):
        if word in ",;:":
            breaks.add(len(units))
        else:
            units += [word] if language.space else word
    at, was_unknown = 0, False
    while at < len(units):
        seat = seat_at(units[at])
        notions, count = None, 1
        # The longest phrase counts. A comma may stand inside: "думаю, что".
        for count in range(min(language.longest, len(units) - at) if seat is None else 1, 0, -1):
            notions = language.notions_of(language.space.join(units[at : at + count]))
            if notions is not None:
                break
        is_unknown = seat is None and notions is None
        # Unknown letters that are written together are one unknown word.
        if not (is_unknown and was_unknown and not language.space):
            is_subject = seat is not None and language.space != "" and not is_declined(units[at])
            yield _Token(notions, seat, at in breaks, is_subject)
        at, was_unknown = at + count, is_unknown


def _without_address(tokens: list[_Token]) -> tuple[list[_Token], int | None]:
    """Take out the name of the player who is spoken to, which stands apart."""
    contents = [at for at, token in enumerate(tokens) if token.is_content]
    first = next((at for at in contents if not tokens[at].has("hey", "hello")), len(tokens))
    for at in contents:
        token, after = tokens[at], tokens[at + 1 : at + 2]
        closes = at == contents[-1]
        is_apart = token.after_comma if closes else first >= at and after[0].after_comma
        if token.seat is not None and is_apart:
            return [*tokens[:at], *tokens[at + 1 :]], token.seat
    return tokens, None


def _parts(tokens: list[_Token]) -> list[list[_Token]]:
    """Return the clauses of a sentence, the last first."""
    found: list[list[_Token]] = [[]]
    for token in tokens:
        if token.has("because") and any(one.is_content for one in found[-1]):
            # A reason is not what is said.
            break
        is_apart = token.after_comma and not token.has(*_SUBORDINATE)
        if token.has("but") or is_apart:
            found.append([])
        if not token.has("but"):
            found[-1].append(token)
    return [part for part in reversed(found) if any(one.is_content for one in part)]


def _read(tokens: list[_Token], to: int | None) -> Clause:
    tokens = [token for token in tokens if token.is_content]
    about = tuple(dict.fromkeys(token.seat for token in tokens if token.seat is not None))
    clause = Clause(to=None if to in about else to, about=about)
    if tokens:
        clause.first, clause.last = tokens[0].seat is not None, tokens[-1].seat is not None
        clause.is_subject_first = tokens[0].is_subject and len(tokens) > 1
    places = [at for at, token in enumerate(tokens) if token.seat is not None]
    joints: set[int] = set()
    if len(places) == 2:
        between = tokens[places[0] + 1 : places[1]]
        clause.is_joined = bool(between) and all(one.has("and") for one in between)
        joints = set(range(places[0], places[1])) if clause.is_joined else set()
    for at, token in enumerate(tokens):
        if token.has("or") and at == len(tokens) - 1:
            # A sentence that ends in "or" is a question in Japanese.
            clause.notions.add("ask")
        elif at not in joints:
            clause.notions.update(token.notions or ())
        clause.unknown += token.notions is None and token.seat is None
    clause.notions.discard("and")
    return clause
