"""The glossary of the game's terms in each language, from locale/glossary.toml."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_PLACE = re.compile(r"%\(\w+\)[a-z]|\{\w*\}")
_TAG = re.compile(r"</?[a-z][^<>]*>")
FILE = Path(__file__).parent.parent.parent / "locale" / "glossary.toml"


@dataclass(frozen=True, slots=True)
class Term:
    """One term: its pattern in English, and the pattern required in each other language."""

    english: re.Pattern[str]
    said: dict[str, re.Pattern[str]]
    # Prefixes of the source strings that deliberately translate the term differently.
    excepted: tuple[str, ...]

    def is_missing(self, source: str, translated: str, language: str) -> bool:
        """Return whether the source contains the term and the translation does not."""
        said = self.said.get(language)
        # <veto> is a tag, not a word.
        source, translated = _TAG.sub("", source), _TAG.sub("", translated)
        return (
            said is not None
            # {policies} is a placeholder, not a word.
            and self.english.search(_PLACE.sub("", source)) is not None
            and said.search(translated) is None
            and not source.startswith(self.excepted)
        )


@cache
def terms() -> tuple[Term, ...]:
    """Return all terms. Raises KeyError or re.error if the file is malformed."""
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
