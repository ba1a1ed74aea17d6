"""Which phrase the notions of a sentence make."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from .languages import Language, languages
from .names import with_seats
from .text import QUOTATION, SEAT, plain, seat_at, sentences

# A phrase: its code and the seats that it names.
Meaning = tuple[str, tuple[int, ...]]

_WORDS: Final = re.compile(rf"{SEAT}|{QUOTATION}|[^\W_]+|[,;:@&+/]")
# A name that is spoken to stands apart; in a question, it is the first or the last word.
_CALLED: Final = re.compile(rf"^ *({SEAT}) *[,:!]|^ *@ *({SEAT})|, *({SEAT})[ !]*$")
_ASKED: Final = re.compile(rf"^ *({SEAT})|({SEAT}) *$")
_LONG_RUN: Final = re.compile(r"([^\W\d_])\1{2,}")
# Notions that change no meaning.
_ALWAYS: Final = frozenset({"be", "very", "please", "also", "haha"})
# A sentence with one of these says what someone doesn't assert: no part of it counts.
_HEDGES: Final = frozenset({"if", "said", "joke"})
# A clause that begins with one of these belongs to the one before it.
_SUBORDINATE: Final = frozenset({"that", "what", "who", "how", "if", "because", "or", "and"})
_MOST_WORDS: Final = 14


@dataclass(slots=True)
class _Clause:
    """A part of a sentence: what it speaks of, and whom."""

    notions: set[str] = field(default_factory=set)
    # The seat that is spoken to, and those that are spoken about.
    to: int | None = None
    about: list[int] = field(default_factory=list)
    # How two seats are joined: "and", "or", or "".
    joined: str = ""
    # Whether the first or the last word is a name.
    first: bool = False
    last: bool = False
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class _Rule:
    code: str
    seats: str
    # At least one of each set is there, and nothing but these and `may`.
    needs: tuple[frozenset[str], ...]
    may: frozenset[str]
    # How many unknown words are of no harm.
    loose: int

    def allows(self, clause: _Clause) -> bool:
        loose = max(0, self.loose + bool(clause.notions & {"be", "think"}))
        return (
            clause.notions <= self.may
            and all(need & clause.notions for need in self.needs)
            and clause.unknown <= loose
        )


def understood(text: str, names: Mapping[int, str], speaker: int) -> Meaning | None:
    """Return what `speaker` says with a text, or None if that isn't clear.

    `names` has the names at the table by seat.

    >>> understood("Max, r u lib?", {0: "Ada", 1: "Max"}, 0)
    ('are_you_liberal', (1,))
    >>> understood("If Max is a fascist, so am I", {0: "Ada", 1: "Max"}, 0)
    """
    return _understood(text, tuple(sorted(names.items())), speaker)


def addressed(text: str, names: Mapping[int, str], speaker: int) -> int | None:
    """Return the seat that a text speaks to by name, or None if it speaks to no one.

    >>> addressed("Max, nice weather", {0: "Ada", 1: "Max"}, 0)
    1
    >>> addressed("I met a Max once", {0: "Ada", 1: "Max"}, 0)
    """
    for sentence, asks in sentences(with_seats(plain(text), tuple(sorted(names.items())))):
        for pattern in (_CALLED, _ASKED) if asks else (_CALLED,):
            match = pattern.search(sentence)
            seat = match and seat_at(match.group(match.lastindex or 0))
            if seat is not None and seat != speaker:
                return seat
    return None


@lru_cache(maxsize=4096)
def _understood(text: str, names: tuple[tuple[int, str], ...], speaker: int) -> Meaning | None:
    for sentence, asks in sentences(with_seats(plain(text), names)):
        found: dict[Meaning, int] = {}
        for language in languages():
            if language.fits(sentence):
                meaning, unknown = _meaning(sentence, asks, language, speaker)
                if meaning is not None:
                    found[meaning] = min(unknown, found.get(meaning, unknown))
        best = [one for one, unknown in found.items() if unknown == min(found.values())]
        # Languages that disagree leave it open.
        if best:
            return best[0] if len(best) == 1 else None
    return None


def _meaning(
    sentence: str, asks: bool, language: Language, speaker: int
) -> tuple[Meaning | None, int]:
    tokens = list(_tokens(sentence, language))
    said = {notion for token in tokens if isinstance(token, tuple) for notion in token}
    if said & _HEDGES or QUOTATION in sentence:
        return None, 0
    tokens, to = _without_address(tokens)
    whole = [tokens] if sum(token != "," for token in tokens) <= _MOST_WORDS else []
    clauses = _clauses(tokens)
    for number, part in enumerate([*whole, *(clauses if len(clauses) > 1 or not whole else [])]):
        clause = _read(part, to)
        if asks and (number == 0 or part is clauses[0]):
            clause.notions.add("ask")
        if speaker in clause.about or len(clause.about) > 2:
            continue
        for rule in _rules():
            if rule.allows(clause):
                seats = _seats(rule.seats, clause)
                if seats is not None and speaker not in seats:
                    return (rule.code, seats), clause.unknown
    return None, 0


# Words ----------------------------------------------------------------------------------------

# A seat, the notions of a word (none for a word of no meaning), "," or "?" for an unknown word.
_Token = int | tuple[str, ...] | str


def _tokens(sentence: str, language: Language) -> Iterator[_Token]:
    words = [match.group() for match in _WORDS.finditer(sentence.lower().replace("'", ""))]
    if not language.has_spaces:
        for word in words:
            seat = seat_at(word) if len(word) == 1 else None
            yield from [seat] if seat is not None else _cut(word, language)
        return
    at = 0
    while at < len(words):
        word = words[at]
        seat = seat_at(word) if len(word) == 1 else None
        if seat is not None:
            yield seat
        elif word in ",;:@":
            yield "@" if word == "@" else ","
        else:
            for count in range(min(language.longest, len(words) - at), 0, -1):
                # A comma may stand inside a phrase: "думаю, что".
                phrase = [one for one in words[at : at + count + 1] if one != ","][:count]
                used = count + ("," in words[at : at + count])
                notions = _notions(phrase, language) if len(phrase) == count else None
                if notions is not None:
                    yield notions
                    at += used - 1
                    break
            else:
                yield "?"
        at += 1


def _notions(phrase: Sequence[str], language: Language) -> tuple[str, ...] | None:
    if len(phrase) > 1:
        return language.words.get(" ".join(phrase))
    [word] = phrase
    found = language.notions_of(word)
    # "pleaaase", "cooool"
    for kept in (r"\1", r"\1\1") if found is None and set(word) != {word[0]} else ():
        found = found or language.notions_of(_LONG_RUN.sub(kept, word))
    return found


def _cut(word: str, language: Language) -> Iterator[_Token]:
    """Cut words that are written together."""
    at, was_unknown = 0, False
    while at < len(word):
        if word[at] in ",;:@":
            yield "@" if word[at] == "@" else ","
            at, was_unknown = at + 1, False
            continue
        for length in range(min(language.longest, len(word) - at), 0, -1):
            notions = language.words.get(word[at : at + length])
            if notions is not None:
                yield notions
                at, was_unknown = at + length, False
                break
        else:
            if not was_unknown:
                yield "?"
            at, was_unknown = at + 1, True


# Clauses --------------------------------------------------------------------------------------


def _is_content(token: _Token) -> bool:
    return token not in ((), ",", "@")


def _stands_for(token: _Token, notion: str) -> bool:
    return isinstance(token, tuple) and notion in token


def _without_address(tokens: list[_Token]) -> tuple[list[_Token], int | None]:
    """Take out the name of the player who is spoken to, which stands apart."""
    for at, token in enumerate(tokens):
        if not isinstance(token, int):
            continue
        before, after = tokens[:at], tokens[at + 1 :]
        opens = not any(isinstance(one, int) for one in before) and (
            not any(map(_is_content, before)) or before[-1:] == [","]
        )
        stands_apart = (
            (opens and after[:1] == [","])
            or (before[-1:] == [","] and not any(map(_is_content, after)))
            or (before[-1:] == ["@"] and not any(map(_is_content, before)))
        )
        if stands_apart and any(_is_content(one) for one in (*before, *after)):
            return [*before, ",", *after], token
    return tokens, None


def _clauses(tokens: list[_Token]) -> list[list[_Token]]:
    """Return the clauses of a sentence, the last first."""
    found: list[list[_Token]] = [[]]
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else ()
        is_bound = any(_stands_for(following, notion) for notion in _SUBORDINATE)
        if token == ("because",) and any(map(_is_content, found[-1])):
            # A reason is not what is said; without it, what came before is.
            break
        if token == ("but",) or (token == "," and not is_bound):
            found.append([])
        else:
            found[-1].append(token)
    return [clause for clause in reversed(found) if any(map(_is_content, clause))]


def _read(tokens: list[_Token], to: int | None) -> _Clause:
    clause = _Clause(to=to)
    words = [token for token in tokens if _is_content(token) or token == ","]
    words = words[1:] if words[:1] == [","] else words
    names = [at for at, token in enumerate(words) if isinstance(token, int)]
    joins: set[int] = set()
    if len(names) == 2:
        between = words[names[0] + 1 : names[1]]
        for joint in ("and", "or"):
            if between and all(one == "," or _stands_for(one, joint) for one in between):
                clause.joined = joint
                joins = set(range(names[0] + 1, names[1]))
    content = [at for at, token in enumerate(words) if token != ","]
    for at, token in enumerate(words):
        if isinstance(token, int):
            clause.about += [token] if token not in clause.about else []
            clause.first |= at == content[0]
            clause.last |= at == content[-1]
        elif isinstance(token, tuple) and at not in joins:
            # A sentence that ends in "or" is a question, as in Japanese.
            is_end = token == ("or",) and at == content[-1]
            clause.notions.update(("ask",) if is_end else token)
        clause.unknown += token == "?"
    clause.notions.discard("and")
    if clause.joined == "or":
        clause.notions.add("or")
    return clause


def _seats(kind: str, clause: _Clause) -> tuple[int, ...] | None:
    """Return the seats that a phrase names, or None if they are not those that it needs."""
    to, about = clause.to, tuple(clause.about)
    addressed = () if to is None else (to,)
    edge = about if len(about) == 1 and (clause.first or clause.last) else ()
    match kind:
        case "":
            return None if about else ()
        case "to?":
            return addressed if not about else (None if addressed else edge or None)
        case "reply":
            return None if about else addressed
        case "asked?" | "handed":
            if about and addressed and kind == "asked?":
                return None
            single = about[:1] if len(about) == 1 or (clause.first and kind == "handed") else ()
            return addressed or single or (None if about else ())
        case "to":
            if about and (addressed or not (edge or "you" in clause.notions)):
                return None
            return (addressed or about)[:1] or None if len(about) < 2 else None
        case "about" | "about2":
            if len(about) == 2:
                return about if kind == "about2" and clause.joined == "and" else None
            return about or addressed or None
        case "subject":
            return about if len(about) == 1 and clause.first else None
        case "two":
            return about if len(about) == 2 and clause.joined == "and" else None
        case "either":
            return about if len(about) == 2 else None
        case "pair":
            both = (*addressed, *about) if "you" in clause.notions else about
            return both if len(both) == 2 else None
        case "ordered":
            return about if len(about) == 2 and not clause.joined else None
        case "swapped":
            return about[::-1] if len(about) == 2 and not clause.joined else None
        case "both":
            both = (*addressed, *about)
            return both if len(both) == 2 and (addressed or clause.first) else None
        case "called":
            if "for" in clause.notions or len(about) > 1:
                return ()
            return addressed if not about else (None if addressed else edge or None)
        case "request":
            if len(about) == 2 and (addressed or clause.joined or not clause.first):
                return None
            return (*addressed, *about) if about else None
    raise AssertionError(kind)


# Rules ----------------------------------------------------------------------------------------


@cache
def _rules() -> tuple[_Rule, ...]:
    path = Path(__file__).parent / "meanings.toml"
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["rules"]
    return tuple(_rule(*row) for row in rows)


def _rule(code: str, seats: str, needs: str, may: str = "", loose: int = 0) -> _Rule:
    needed = tuple(frozenset(need.split("/")) for need in needs.split())
    return _Rule(code, seats, needed, _ALWAYS.union(may.split(), *needed), loose)


def meanings() -> set[tuple[str, str]]:
    """Return each phrase that can be understood, with the kind of seats that it names."""
    return {(rule.code, rule.seats) for rule in _rules()}
