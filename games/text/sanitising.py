"""Cleans text that users write for others: no invisible characters, no excessive length.

The words are kept as written. They are displayed as text and never as links.
"""

import unicodedata
from typing import Final

import regex

from config.http.bounds import count_graphemes
from games.wording.refusals import Refusal, Refused

# In graphemes: characters as people count them.
LONGEST: Final = 300
# A flag or a family is one character of several code points; this stops an endless chain of them.
_CODE_POINTS: Final = 8 * LONGEST
_MOST_MARKS: Final = 3
# Runs of combining marks are cut to this length before normalization, which sorts each run in
# quadratic time (UAX #15, Stream-Safe Text Format).
_MARKS_IN_A_RUN: Final = 30

_BLANK: Final = regex.compile(r"[\s\p{Z}\p{Cc}\u2800]+")
# Bidirectional controls and other format characters; private-use, surrogate and unassigned code
# points; and letters that show nothing. The two joiners are handled separately.
_UNSEEN: Final = regex.compile(
    r"[[\p{Cf}\p{Co}\p{Cs}\p{Cn}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"
    r"\ufe00-\ufe0e\U000e0100-\U000e01ef]--[\u200c\u200d]]",
    regex.V1,
)
# Scripts in which a joiner changes what a word looks like.
_JOINED: Final = (
    r"[\p{Arabic}\p{Syriac}\p{Mongolian}\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}"
    r"\p{Oriya}\p{Tamil}\p{Telugu}\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Myanmar}\p{Khmer}]"
)
_EMOJI: Final = r"\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?"
_JOINER: Final = regex.compile(
    rf"(?<={_EMOJI})\u200d(?=\p{{Extended_Pictographic}})(*SKIP)(*FAIL)"
    rf"|(?<={_JOINED}\p{{M}}*)[\u200c\u200d](?={_JOINED})(*SKIP)(*FAIL)"
    r"|[\u200c\u200d]"
)
_EMOJI_STYLE: Final = regex.compile(r"(?<![\p{Extended_Pictographic}0-9#*])\ufe0f")
_LONG_RUN: Final = regex.compile(rf"(\p{{M}}{{{_MARKS_IN_A_RUN}}})\p{{M}}+")
_TOO_MANY_MARKS: Final = regex.compile(rf"(\p{{M}}{{{_MOST_MARKS}}})\p{{M}}+")
_SEEN: Final = regex.compile(r"[\p{L}\p{N}\p{P}\p{S}]")


def clean_text(text: str) -> str:
    """Return the text on one line without invisible characters.

    Raises Refused: SAYS_NOTHING or TOO_LONG.

    >>> clean_text("Vote\\nnein \\u202e!  e\\u0301")
    'Vote nein ! é'
    >>> clean_text("👩\\u200d🔬 a\\u200db")
    '👩\\u200d🔬 ab'
    """
    # Checked before anything is counted: a request may post megabytes.
    if len(text) > 2 * _CODE_POINTS:
        raise Refused(Refusal.TOO_LONG)
    text = _BLANK.sub(" ", unicodedata.normalize("NFC", _LONG_RUN.sub(r"\1", text)))
    text = _JOINER.sub("", _UNSEEN.sub("", text))
    text = _TOO_MANY_MARKS.sub(r"\1", _EMOJI_STYLE.sub("", text))
    text = _BLANK.sub(" ", text).strip()
    if not _SEEN.search(text):
        raise Refused(Refusal.SAYS_NOTHING)
    if len(text) > _CODE_POINTS or count_graphemes(text) > LONGEST:
        raise Refused(Refusal.TOO_LONG)
    return text
