"""Foul words, and how they are masked for users who want that.

The words come from the maintained lists in `lists`, for all five languages at once, because any of
them may be spoken at any table. The lists contain dictionary forms and are generous. Words that are
harmless among people who accuse and execute each other are allowed, and inflected words are found
by stems. Nothing is stored masked; only the display is.
"""

import json
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import regex

from config.http.bounds import count_graphemes

_HERE: Final = Path(__file__).parent
_LANGUAGES: Final = ("en", "ru", "pl", "ja", "it")

# Words in the lists that are harmless in talk about a game, or as names, or in another of the five
# languages.
_INNOCENT: Final = frozenset((_HERE / "innocent.txt").read_text(encoding="utf-8").splitlines())

# These match from the beginning of a word. They are chosen so that no everyday word begins with
# one.
_STEMS: Final = (
    # Russian
    r"(?:на|по|о|а|ни|не|до|от|за|вы|при|рас)?ху[йяюеи]",
    r"\w*пизд",
    r"бля(?=\b|[дт])",
    r"(?:на|по|за|вы|у|до|от|при|про|пере|съ|разъ|объ|отъ|подъ|въ|изъ|долбо|мозго)?"
    r"[её]б(?=[аеиоуыёлнш])(?!онит)",
    r"муд(?:а[кч]|ил|озвон|ох)",
    r"(?:г[ао]ндон|залуп|мандав|пид[оа]р|дроч|говн|дерьм|жоп|шлюх)",
    r"сука(?=\b)",
    # Polish
    r"\w*kurw",
    r"(?:wy|za|po|od|przy|roz|do|na|w|z|s|pod|prze|u)?jeb(?=[aieuł])",
    r"\w*pierd(?=[oaz])",
    r"(?:c?huj|pizd|kutas|gówn|dup(?=[ayęąok]))",
    r"cip(?=[aęąyk])",
    # Italian
    r"(?:cazz|stronz|vaffan|merd|puttan|coglion|minchi|fottut|incazz|rincoglion)",
    r"(?:porc[oa] dio|dio (?:cane|porco)|porca madonna)",
    # English
    r"(?:mother)?fuck",
    r"(?:bull)?shit(?!ake)",
    r"(?:cunt|nigg(?=er|a)|faggot|asshol|arsehol|bitch|whore)",
)
_KATAKANA: Final = r"[\p{Katakana}ー]"


@lru_cache(maxsize=4096)
def masked(text: str) -> str:
    """Return the text with an asterisk for each character of a foul word.

    >>> masked("Holy Shit, sherlock")
    'Holy ****, sherlock'
    """
    for pattern in _patterns():
        text = pattern.sub(lambda found: "*" * count_graphemes(found[0]), text)
    return text


@cache
def _patterns() -> tuple[regex.Pattern[str], ...]:
    foul = [word for language in _LANGUAGES for word in _foul_in(language)]
    words = [word for word in foul if not regex.search(r"[\p{Han}\p{Hiragana}\p{Katakana}]", word)]
    # Japanese has no spaces between words. A word in katakana still counts as a whole word if the
    # characters beside it are not katakana.
    japanese = sorted(set(foul) - set(words), key=len, reverse=True)
    loans = [word for word in japanese if regex.fullmatch(rf"{_KATAKANA}+", word)]
    others = [word for word in japanese if word not in loans]
    flags = regex.IGNORECASE | regex.FULLCASE
    return (
        regex.compile(r"\b\L<words>\b", flags, words=words),
        regex.compile(rf"\b(?:{'|'.join(_STEMS)})\w*", flags),
        regex.compile(rf"(?<!{_KATAKANA})\L<loans>(?!{_KATAKANA})", flags, loans=loans),
        regex.compile(r"\L<others>", flags, others=others),
    )


def _foul_in(language: str) -> list[str]:
    text = (_HERE / "lists" / f"{language}.json").read_text(encoding="utf-8")
    words: list[str] = json.loads(text)
    # Skip single letters and emoji, because \b finds no boundaries for them.
    return [word for word in words if word not in _INNOCENT and regex.search(r"\w\w", word)]
