"""Pseudo-languages, generated from the strings of the sources to find translation faults on pages.

In "en-xa" every letter is accented and every sentence is 40 % longer. Text without accents was
never marked for translation, and text that is cut off has no room for German. In "ar-xb" each
word also runs from right to left. `manage.py language pseudo` generates them. The site offers them
if settings.PSEUDO_LANGUAGES is on. They are not kept in Git.
"""

import re
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from itertools import cycle
from math import ceil
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from django.utils.translation import to_locale

from config.i18n.catalogs import compile_catalogs
from config.i18n.starting import source_catalog

# Maps each language code to whether its words run from right to left.
PSEUDO: Final = {"en-xa": False, "ar-xb": True}
LONGER: Final = 0.4

_PLAIN: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ACCENTED: Final = "àƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÀƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ"
_ACCENTS: Final = str.maketrans(_PLAIN, _ACCENTED)
_VOWELS: Final = frozenset("àéîöûýÀÉÎÖÛÝ")
# Text for programs, which stays unchanged: placeholders, tags, entities, URLs.
_KEPT: Final = re.compile(
    r"(%\(\w+\)[-#0 +]*[\d.]*[a-z]|%[sd%]|\{[^{}]*\}|<[^<>]*>|&#?\w+;|https?://\S+)"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
# The override reverses a word's letters; the marks give the text between words the same direction.
_TURNED, _ENDED, _FROM_RIGHT = "\u202e", "\u202c", "\u200f"


def pseudo(text: str, *, is_mirrored: bool = False) -> str:
    """Return the text in a pseudo-language. Placeholders, tags and URLs stay unchanged.

    >>> pseudo("Take seat %(number)s: <b>{name}</b>")
    'Ţààķéé šééààţ %(number)s: <b>{name}</b>'
    >>> pseudo("Ja", is_mirrored=True) == "\\u200f\\u202eĴàà\\u202c\\u200f"
    True
    """
    parts = _KEPT.split(text)
    # Every second part matched _KEPT and stays unchanged.
    spoken = [_lengthened(part.translate(_ACCENTS)) for part in parts[::2]]
    if is_mirrored:
        spoken = [
            _WORD.sub(rf"{_FROM_RIGHT}{_TURNED}\g<0>{_ENDED}{_FROM_RIGHT}", s) for s in spoken
        ]
    parts[::2] = spoken
    return "".join(parts)


def _lengthened(text: str) -> str:
    """Return the text with repeated vowels, so that it has 40 % more letters."""
    vowels = [place for place, letter in enumerate(text) if letter in _VOWELS]
    letters = list(text)
    if not vowels:
        # Without vowels, as in "4th" and "VS", repeat the last letter.
        vowels = [place for place, letter in enumerate(text) if letter.isalpha()][-1:]
    if vowels:
        more = ceil(LONGER * sum(letter.isalpha() for letter in text))
        for place in (place for _, place in zip(range(more), cycle(vowels), strict=False)):
            letters[place] += text[place].lower()
    return "".join(letters)


def pseudo_make(*, sources: Iterable[Path], into: Path) -> list[Path]:
    """Write and compile a catalog for each pseudo-language under `into`. Return their paths.

    `sources` are catalogs (`.po`), of which only the message IDs are read.
    """
    messages = list(_messages(sources))
    made = []
    for code, is_mirrored in PSEUDO.items():
        # The plural forms are those of English: one and many.
        catalog = Catalog(locale="en", domain="django")
        for message_id, context, flags in messages:
            forms = (message_id,) if isinstance(message_id, str) else message_id
            said = tuple(pseudo(form, is_mirrored=is_mirrored) for form in forms)
            string = said[0] if isinstance(message_id, str) else said
            catalog.add(message_id, string, context=context, flags=flags)
        target = into / to_locale(code) / "LC_MESSAGES" / "django.po"
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            write_po(file, catalog, width=0)
        made.append(target)
    compile_catalogs(into)
    return made


def _messages(
    sources: Iterable[Path],
) -> Iterator[tuple[str | tuple[str, ...], str | None, set[str]]]:
    known = set()
    for source in sources:
        with source.open("rb") as file:
            for message in read_po(file, locale="en"):
                key = message.context, str(message.id)
                if message.id and key not in known:
                    known.add(key)
                    message_id = message.id if isinstance(message.id, str) else tuple(message.id)
                    yield message_id, message.context, message.flags - {"fuzzy"}


def pseudo_sources(site: Path) -> list[Path]:
    """Return catalogs with the strings of the site, Django, and the apps that pages show."""
    folders = []
    for module, inside in (
        ("django", "conf/locale"),
        ("django.contrib.auth", "locale"),
        ("allauth", "locale"),
    ):
        spec = find_spec(module)
        if spec is not None and spec.origin:
            folders.append(Path(spec.origin).parent / inside)
    paths = [folder / "en" / "LC_MESSAGES" / "django.po" for folder in folders]
    return [source_catalog(site), *(path for path in paths if path.is_file())]
