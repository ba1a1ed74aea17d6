"""Checks each language's rules for quotation marks, dots, dashes and spaces."""

import re
from typing import Final

# Parts of a string for programs, not for readers.
_MACHINE: Final = re.compile(
    r"%\(\w+\)[a-z]|%[sd%]|\{[^{}]*\}|<[^<>]*>|&#?\w+;|https?://\S+|`[^`]*`"
)
_JAPANESE: Final = r"[\u3040-\u30ff\u4e00-\u9fff]"

# The quotation marks of each language; all others are foreign to it.
_QUOTES: Final = {
    "en": "“”‘’",
    "ru": "«»„“",
    "pl": "„”«»’",
    "ja": "「」『』",
    "it": "«»“”’",
}
_ALL_QUOTES: Final = frozenset("\"'`«»„“”‘’‚‹›「」『』")
# Pairs of opening and closing marks, by language.
_PAIRS: Final = {
    "en": (("“", "”"),),
    "ru": (("«", "»"), ("„", "“")),
    "pl": (("„", "”"), ("«", "»")),
    "ja": (("「", "」"), ("『", "』")),
    "it": (("«", "»"), ("“", "”")),
}
_EVERYWHERE: Final = (
    (re.compile(r"\.\.\."), "three dots in place of …"),
    (re.compile(r"\S {2,}\S"), "two spaces"),
    (re.compile(r" -- | - "), "a hyphen in place of a dash"),
    (re.compile(r"(?<=\S) +[,.;:!?](?!\w)"), "a space before a mark"),
)
_OWN: Final = {
    "ja": (
        (re.compile(rf"(?<={_JAPANESE}|[」』）])[,.!?:;]"), "a mark of half width"),
        (re.compile(rf"{_JAPANESE} +{_JAPANESE}"), "a space between words"),
        (re.compile(r"[、。] "), "a space after 、 or 。"),
        (
            re.compile(rf"{_JAPANESE}\(|\){_JAPANESE}"),
            "brackets of half width",
        ),
        (
            re.compile(r"[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]"),
            "letters or digits of full width",
        ),
    ),
    "ru": ((re.compile(r"(?<=[а-яё]) – (?=[а-яё])"), "a short dash in place of —"),),
}
# The mark at a sentence's end, before any closing quotation marks and brackets.
_END: Final = re.compile(r"([.。?？!！:：…,、])[\s”»」』)）]*$")
_ENDS_QUOTED: Final = re.compile(r"[„“«「『]\w+[?!？！][”“»」』]$")
_SENTENCE: Final = frozenset({".", "?", "!", "…"})
_SAME: Final = str.maketrans("。？！：、", ".?!:,")


def faults(source: str, translated: str, language: str) -> list[str]:
    """Return the violations of the language's rules, described for translators."""
    found = []
    if _edges(source) != _edges(translated):
        found.append("other spaces at its ends than the source")
    said = _MACHINE.sub("x", translated)
    strange = sorted((set(said) & _ALL_QUOTES) - set(_QUOTES.get(language, _ALL_QUOTES)))
    if strange:
        found.append(f"quotes of another language: {' '.join(strange)}")
    for opening, closing in _PAIRS.get(language, ()):
        if said.count(opening) != said.count(closing) and opening != closing:
            found.append(f"unequal {opening} and {closing}")
    rules = (*_EVERYWHERE, *_OWN.get(language, ()))
    found += [why for expression, why in rules if expression.search(said)]
    if (why := _wrong_end(source, translated)) is not None:
        found.append(why)
    return found


def _edges(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def _end(text: str) -> str:
    ending = _END.search(text)
    return ending[1].translate(_SAME) if ending else ""


def _wrong_end(source: str, translated: str) -> str | None:
    """Return a fault if a sentence lost its end mark, or a label gained a full stop.

    A sentence may end with another mark than its source, and a quoted word has its own: „Ja!”.
    """
    wanted, ending = _end(source), _end(translated)
    if wanted in _SENTENCE and not (ending in _SENTENCE or ending == ":"):
        return f"its source ends with {wanted}"
    if not wanted and ending in _SENTENCE - {"…"} and not _ENDS_QUOTED.search(translated):
        return f"ends with {ending}, and its source is no sentence"
    return None
