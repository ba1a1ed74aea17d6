"""Which phrase a typed text means."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from .clauses import Clause, clauses
from .languages import Language, languages
from .names import with_seats
from .text import QUOTATION, SEAT, plain, seat_at, sentences

# A phrase: its code and the seats that it names.
Meaning = tuple[str, tuple[int, ...]]

# A name that is spoken to stands apart; in a question, it is the first or the last word.
_CALLED: Final = re.compile(rf"^ *({SEAT}) *[,:!]|^ *@ *({SEAT})|, *({SEAT})[ !]*$")
_ASKED: Final = re.compile(rf"^ *({SEAT})|({SEAT}) *$")
# Notions that change no meaning.
_ALWAYS: Final = frozenset({"be", "very", "please", "also", "haha", "hey", "nope", "unsure", "yes"})
# A sentence with one of these says what its author doesn't assert.
_HEDGES: Final = frozenset({"if", "said", "joke"})
# With one of these, a name that comes first is that of the player who is proposed.
_PROPOSALS: Final = frozenset({"chancellor", "should", "for", "want", "anyone_but"})
# Beside something else, these are not what a text is about.
_ASIDE: Final = frozenset(
    {
        *("me_truth", "yes", "no", "perhaps", "no_idea", "agree", "disagree", "interesting"),
        *("surprise", "oh_no", "ha", "hello", "thanks", "sorry", "moment", "go_on", "back"),
    }
)


@dataclass(frozen=True, slots=True)
class Rule:
    """What a clause must speak of to mean a phrase."""

    code: str
    # Which seats the phrase names.
    seats: str
    # At least one of each set is there, and nothing but these and `may`.
    needs: tuple[frozenset[str], ...]
    may: frozenset[str]
    # How many unknown words are of no harm.
    loose: int

    def allows(self, clause: Clause) -> bool:
        if not clause.notions <= self.may:
            return False
        return clause.unknown <= self.loose and all(need & clause.notions for need in self.needs)


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
    text = with_seats(plain(text), names).lower()
    # Beside a name, "is a liberal" without a subject may not be about its author.
    ignored = {"be0"} if re.search(SEAT, text) else set()
    found: list[Meaning] = []
    for sentence, asks in sentences(text):
        fitting = [one for one in languages() if one.fits(sentence) and QUOTATION not in sentence]
        read = [_in_language(sentence, asks, one, speaker, ignored) for one in fitting]
        clear = [one for one in read if one[0] is not None]
        best = {meaning for meaning, unknown in clear if unknown == min(one[1] for one in clear)}
        # Languages that disagree leave it open.
        found += [one for one in best if one is not None and len(best) == 1]
    return _weightiest(found)


def _weightiest(found: Sequence[Meaning]) -> Meaning | None:
    """Return the first meaning that is no aside, or the aside that names most players."""
    weighty = [one for one in found if one[0] not in _ASIDE]
    return weighty[0] if weighty else max(found, key=lambda one: len(one[1]), default=None)


def _in_language(
    sentence: str, asks: bool, language: Language, speaker: int, ignored: set[str]
) -> tuple[Meaning | None, int]:
    """Return what a sentence means in a language, and how many of its words are unknown."""
    parts = clauses(sentence, asks, language)
    is_hedged = any(part.notions & _HEDGES for part in parts)
    heard = [] if is_hedged else [part for part in parts if speaker not in (part.to, *part.about)]
    for part in heard:
        part.notions -= ignored
    return _weightiest([one for part in heard if (one := _meaning(part))]), parts[0].unknown


def _meaning(clause: Clause) -> Meaning | None:
    for rule in rules():
        seats = _seats(rule.seats, clause) if rule.allows(clause) else None
        if seats is not None:
            return rule.code, seats
    return None


def _seats(kind: str, clause: Clause) -> tuple[int, ...] | None:
    """Return the seats that a phrase names, or None if they are not those that it needs."""
    about = clause.about
    to = () if clause.to is None else (clause.to,)
    one, two = len(about) == 1, len(about) == 2
    # A name at the edge may be that of the player who is spoken to.
    edge = about if one and (clause.first or clause.last) else ()
    match kind:
        case "none" | "reply":
            return None if about else to if kind == "reply" else ()
        case "any":
            return ()
        case "to?" | "called":
            if kind == "called" and (two or clause.notions & {"for", "against"}):
                return ()
            return (None if to else edge or None) if about else to
        case "to":
            if two or (about and (to or not (edge or "you" in clause.notions))):
                return None
            return to or about or None
        case "asked" | "handed":
            if about and to and kind == "asked":
                return None
            named = about[:1] if clause.first and kind == "handed" else edge
            return to or named or (None if about else ())
        case "about" | "about2" if one or not about:
            return about or to or None
        case "subject":
            return about if one and clause.first else None
        case "about2" | "two":
            return about if two and clause.is_joined else None
        case "pair":
            both = (*to, *about) if "you" in clause.notions else about
            return both if len(both) == 2 else None
        case "ordered" | "swapped":
            if not two or clause.is_joined:
                return None
            return about if kind == "ordered" else about[::-1]
        case "both":
            both = (*to, *about)
            return both if len(both) == 2 and (to or clause.first) else None
        case "request":
            if two:
                return about if clause.first and not to and not clause.is_joined else None
            # "Max, choose!" without a comma names no one to be chosen.
            is_told = clause.is_subject_first and not clause.notions & _PROPOSALS
            return (*to, *about) if one and not is_told else None
        case "about":
            return None
        case _:
            raise ValueError(f"meanings.toml has no kind of seats {kind!r}")


@cache
def rules() -> tuple[Rule, ...]:
    """Return what can be understood. The first that fits counts."""
    path = Path(__file__).parent / "meanings.toml"
    return tuple(_rule(*row) for row in tomllib.loads(path.read_text(encoding="utf-8"))["rules"])


def _rule(code: str, seats: str, needs: str, may: str = "", loose: int = 0) -> Rule:
    needed = tuple(frozenset(need.split("/")) for need in needs.split())
    return Rule(code, seats, needed, _ALWAYS.union(may.split(), *needed), loose)
