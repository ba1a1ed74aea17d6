"""The words of bots: each character says a phrase or a claim in its own way, in each language.

A file for each language has a table for each character, and in it, for each thing said, as many
lines as `games.bots.rhythm.LINES`. A message stores the character and the number of the line, so
every reader sees that line in their own language.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from django.utils.translation import get_language

_HERE = Path(__file__).parent


def line_of(voice: str, key: str, number: int) -> str | None:
    """Return a character's line in the active language; None where there is none.

    `key` is a phrase with the number of seats that it names, as "suspect_1", or a claim's.
    """
    # An edition's language ("ru-5-6") has the lines of its language.
    language = (get_language() or "en").partition("-")[0]
    lines = lines_in(language).get(voice, {}).get(key, ())
    return lines[number] if 0 <= number < len(lines) else None


@cache
def lines_in(language: str) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return all lines in a language, by character and key."""
    voices = tomllib.loads((_HERE / f"{language}.toml").read_text(encoding="utf-8"))
    return {
        voice: {key: tuple(lines) for key, lines in said.items()} for voice, said in voices.items()
    }
