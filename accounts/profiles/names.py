"""Names at a table: which ones are valid, and which ones look like another.

Nothing here uses the database. Look-alikes are Unicode's own (UTS #39, confusables), from the data
of confusable_homoglyphs (MIT; its last release has the confusables of Unicode 15). A name's
skeleton is the name with each character replaced by the one that stands for all its look-alikes.
The library itself says only whether two characters are confusable.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import regex
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.profiles.reserved_names import NAMES, WORDS
from config.http.bounds import bounded, count_graphemes

# In graphemes, which are what readers count as letters.
LEAST_LENGTH: Final = 3
# Where a letter is a syllable or a word, as in ゆき and 太郎, most names are this short.
LEAST_SYLLABLES: Final = 2
NAME_LENGTH: Final = 20
# Ends the name of each bot account, so that everyone sees the mark wherever the name stands. No
# person's name may have brackets.
BOT_MARK: Final = " [bot]"
# The length of the indexed column: room for 20 letters with their marks, twice.
KEY_LENGTH: Final = 450
# In code points: the limit for any text that is looked up as a name, such as an e-mail address at
# sign-in. Normalization takes quadratic time: 0.1 ms for this many combining marks.
LONGEST_COMPARED: Final = 254

_SEPARATORS: Final = "-_. "
_MARKS_ON_A_LETTER: Final = 3
# Invisible letters and marks. They would make copies of a name that look the same.
_UNSEEN: Final = regex.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
    r"|\p{C}|\p{Zl}|\p{Zp}"
)
_SYLLABLES: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")
# Scripts that are written together (UTS #39, "highly restrictive").
_TOGETHER: Final = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
# Scripts with letters that look like Latin ones but have other code points.
_LOOK_LATIN: Final = {"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"}
# Digits and signs that users write in place of letters to get around a reserved word.
_SPELT_BY: Final = str.maketrans("0134578@$|l", "oieastbasii")


def normal_name(name: str) -> str:
    """Return the form in which a name is kept: NFKC, so that each letter has one spelling.

    Raises TooLong, as `name_key` and `skeleton` do, for more than LONGEST_COMPARED code points.
    """
    return unicodedata.normalize("NFKC", bounded(name, LONGEST_COMPARED)).strip()


def name_key(name: str) -> str:
    """Return a key that is equal for names that differ only in case or width.

    Two accounts cannot have the same key. SQLite's own comparison knows only the case of Latin
    letters.
    """
    return unicodedata.normalize("NFKC", bounded(name, LONGEST_COMPARED)).casefold()


def skeleton(name: str) -> str:
    """Return a key that is equal for names that look alike, whatever their letters are."""
    return _looks(bounded(name, LONGEST_COMPARED))


def _looks(name: str) -> str:
    letters = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name))
    alike = _look_alikes()
    seen = "".join(alike.get(letter, letter) for letter in letters)
    return unicodedata.normalize("NFD", seen).casefold()[:KEY_LENGTH]


def validate_name(name: str) -> None:
    """Check for letters and digits of one script, with single separators between them.

    Marks follow their letter: Hindi, Thai and Arabic cannot be written without them. Raises
    ValidationError with the first reason that applies.
    """
    _check_short(name)
    name = normal_name(name)
    # Checked again, because normalization may turn one character into eighteen.
    _check_short(name)
    _check_seen(name)
    _check_length(name)
    _check_letters(name)
    _check_scripts(name)
    if is_reserved(name):
        raise ValidationError(
            _("This name is reserved for the site and the game. Choose another one."),
            code="reserved_name",
        )


def is_reserved(name: str) -> bool:
    """Return whether the name suggests a role of the site, or no user at all."""
    whole, words = _reserved()
    parts = regex.split(r"[-_. ]+", normal_name(name))
    return _spelt("".join(parts)) in whole | words or any(_spelt(part) in words for part in parts)


def _check_short(name: str) -> None:
    if len(name) > LONGEST_COMPARED:
        raise ValidationError(_("That’s too long. Use at most 20 characters."), code="long_name")


def _check_seen(name: str) -> None:
    if _UNSEEN.search(name):
        raise ValidationError(
            _(
                "This name has invisible characters, or ones that change the direction of "
                "the text. Type it again without them."
            ),
            code="unseen_in_name",
        )


def _check_length(name: str) -> None:
    length = count_graphemes(name)
    if length < (LEAST_SYLLABLES if _SYLLABLES.search(name) else LEAST_LENGTH):
        raise ValidationError(_("That’s too short. Use at least 3 characters."), code="short_name")
    if length > NAME_LENGTH:
        raise ValidationError(_("That’s too long. Use at most 20 characters."), code="long_name")


def _check_letters(name: str) -> None:
    before, marks = " ", 0
    for character in f"{name} ":
        category = unicodedata.category(character)[0]
        marks = marks + 1 if category == "M" else 0
        if marks > _MARKS_ON_A_LETTER:
            raise ValidationError(
                _("One letter in this name has too many accents or marks. Remove some."),
                code="marks_in_name",
            )
        follows = character in _SEPARATORS or category == "M"
        if before in _SEPARATORS if follows else category not in "LN":
            raise ValidationError(
                _(
                    "Use letters and digits, with single spaces, dots, hyphens or underscores "
                    "between them."
                ),
                code="invalid_name",
            )
        before = character


def _check_scripts(name: str) -> None:
    from confusable_homoglyphs import categories

    scripts = {alias.upper() for alias in categories.unique_aliases(name)}
    scripts -= {"COMMON", "INHERITED"}
    is_one = len(scripts) < 2 or any(scripts <= together for together in _TOGETHER)
    is_with_latin = len(scripts) == 2 and "LATIN" in scripts and not scripts & _LOOK_LATIN
    if not (is_one or is_with_latin):
        raise ValidationError(
            _(
                "This name mixes letters of several scripts, which could be used to imitate "
                "another name. Use just one script."
            ),
            code="mixed_name",
        )


def _spelt(word: str) -> str:
    """Return the word that a careless reader would read here."""
    word = regex.sub(r"\d+$", "", name_key(word)) or word
    plain = regex.sub(r"\p{M}", "", unicodedata.normalize("NFD", word))
    # Twice: a character may look like a digit that in turn stands for a letter.
    for _again in range(2):
        plain = _looks(plain.translate(_SPELT_BY))
    return plain


@lru_cache(maxsize=1)
def _reserved() -> tuple[frozenset[str], frozenset[str]]:
    return (
        frozenset(_spelt(name.replace(" ", "")) for name in NAMES),
        frozenset(_spelt(word) for word in WORDS),
    )


@lru_cache(maxsize=1)
def _look_alikes() -> dict[str, str]:
    """Map each character to the one that stands for all its look-alikes.

    Characters that stand for themselves are left out. The library's table leads from each character
    to those that it may be taken for, in both directions, so a group is all that can be reached. A
    group is represented by a member of several characters ("m" by "rn") if it has one, else by its
    first ASCII letter or digit, else by its first member.
    """
    from confusable_homoglyphs.confusables import confusables_data

    beside: dict[str, set[str]] = {}
    for one, others in confusables_data.items():
        for other in others:
            for left, right in ((one, other["c"]), (other["c"], one)):
                beside.setdefault(_bare(left), set()).add(_bare(right))
    stands: dict[str, str] = {}
    for start in beside:
        if start in stands:
            continue
        group = set(_reached(start, beside))
        chosen = min(group, key=_standing)
        stands |= dict.fromkeys(group, chosen)
    return {
        one: "".join(stands.get(letter, letter) for letter in for_it)
        for one, for_it in stands.items()
        if len(one) == 1 and one != for_it
    }


def _standing(member: str) -> tuple[int, bool, str]:
    return -len(member), not (member.isascii() and member.isalnum()), member


def _reached(start: str, beside: dict[str, set[str]]) -> Iterator[str]:
    known, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        yield here
        new = beside.get(here, set()) - known
        known |= new
        waiting += new


def _bare(text: str) -> str:
    # The table surrounds some letters with direction marks.
    return text.strip("\u200e\u200f")
