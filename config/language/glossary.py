"""The words of the game in each language, as locale/glossary.toml has them."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_PLACE = re.compile(r"%\(\w+\)[a-z]|\{\w*\}")
FILE = Path(__file__).parent.parent.parent / "locale" / "glossary.toml"


@dataclass(frozen=True, slots=True)
class Term:
    """One word: what says it in English, and by language what has to say it there."""

    english: re.Pattern[str]
    said: dict[str, re.Pattern[str]]
    # Beginnings of the strings that say it in another way for a reason.
    excepted: tuple[str, ...]

    def is_missing(self, source: str, translated: str, language: str) -> bool:
        """Whether the translation does not say what its source does."""
        said = self.said.get(language)
        return (
            said is not None
            # {policies} is a place for words, and no word.
            and self.english.search(_PLACE.sub("", source)) is not None
            and said.search(translated) is None
            and not source.startswith(self.excepted)
        )


@cache
def terms() -> tuple[Term, ...]:
    """All of them. Raises KeyError or re.error where the file is wrong."""
    with FILE.open("rb") as file:
        rows = tomllib.load(file)["term"]
    return tuple(
        Term(
            english=_pattern(row["en"]),
            said={code: _pattern(it) for code, it in row.items() if code not in {"en", "except"}},
            excepted=tuple(row.get("except", ())),
        )
        for row in rows
    )


def _pattern(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)
