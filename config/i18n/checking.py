"""Finds missing and faulty translations in a catalog, string by string."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from config.i18n.glossary import terms
from config.i18n.punctuation import faults
from config.i18n.starting import catalog_of, source_catalog

_PLACE: Final = re.compile(r"%\(\w+\)[a-z]|%[sd]|\{\w*\}")
_TAG: Final = re.compile(r"</?[\w-]+")


class Fault(StrEnum):
    """The kinds of faults of a translation."""

    ABSENT = "absent"
    MISSING = "missing"
    FUZZY = "fuzzy"
    PLURALS = "plurals"
    PLACES = "places"
    TERM = "term"
    WRITING = "writing"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of one string."""

    fault: Fault
    context: str | None
    # The source string; the singular if it has plural forms.
    source: str
    translated: str
    # A description of the fault for translators.
    why: str


def catalog_read(path: Path, language: str) -> Catalog:
    """Return the catalog at `path`. Raises babel's PoFileError if it cannot be parsed."""
    with path.open("rb") as file:
        return read_po(file, locale=language.replace("-", "_"), abort_invalid=True)


def catalog_findings(*, locale_dir: Path, language: str) -> list[Finding]:
    """Return all faults of the catalog of `language`, compared with the strings of the sources."""
    catalog = catalog_read(catalog_of(locale_dir, language), language)
    with source_catalog(locale_dir).open("rb") as file:
        sources = read_po(file)
    known = {_key(message) for message in catalog if message.id}
    found = [
        Finding(Fault.ABSENT, message.context, _key(message)[1], "", "not in the catalog")
        for message in sources
        if message.id and _key(message) not in known
    ]
    for message in catalog:
        if message.id:
            found += findings(message, language, catalog.num_plurals)
    return found


def findings(message: Message, language: str, plurals: int) -> Iterator[Finding]:
    """Yield the faults of one string. `plurals` is the number of the language's plural forms."""
    sources = (message.id,) if isinstance(message.id, str) else tuple(message.id)
    said = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())

    def found(fault: Fault, translated: str, why: str) -> Finding:
        return Finding(fault, message.context, sources[0], translated, why)

    if not said or not all(said):
        yield found(Fault.MISSING, "", "not translated")
        return
    if message.fuzzy:
        yield found(Fault.FUZZY, said[0], "only guessed: read it, and remove the mark “fuzzy”")
    if len(sources) > 1 and len(said) != plurals:
        yield found(Fault.PLURALS, said[0], f"{len(said)} plural forms of {plurals}")
    for number, translated in enumerate(said):
        # A plural form for exactly one thing may omit the number. The last form is for many.
        source = sources[-1] if number else sources[0]
        lost = _places(sources[-1]) ^ _places(translated)
        if number < len(said) - 1 or len(sources) == 1:
            lost = (_places(source) & _places(sources[-1])) - _places(translated)
            lost |= _places(translated) - _places(sources[-1])
            if len(sources) > 1:
                lost -= _numbers(lost)
        if lost:
            yield found(Fault.PLACES, translated, f"places differ: {' '.join(sorted(lost))}")
        if sorted(_TAG.findall(sources[-1])) != sorted(_TAG.findall(translated)):
            yield found(Fault.PLACES, translated, "tags differ")
        for term in terms():
            if term.is_missing(sources[-1], translated, language):
                wanted = term.said[language].pattern
                yield found(Fault.TERM, translated, f"{term.english.pattern} is {wanted} here")
        for why in faults(source, translated, language):
            yield found(Fault.WRITING, translated, why)


def _places(text: str) -> set[str]:
    return set(_PLACE.findall(text.replace("%%", "")))


def _numbers(places: set[str]) -> set[str]:
    """Return the placeholders that may stand for the number: all but the names."""
    return {place for place in places if place not in {"{name}", "{names}"}}


def _key(message: Message) -> tuple[str | None, str]:
    return message.context, message.id if isinstance(message.id, str) else message.id[0]
