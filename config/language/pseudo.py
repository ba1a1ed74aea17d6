"""Languages that nobody speaks, made from the English catalog to find what is wrong with pages.

In "en-xa" every letter is accented and every sentence is 40 % longer: what a page shows without
accents was never offered for translation, and what is cut off has no room for German. In
"ar-xb" each word runs from right to left as well. Made by `manage.py language pseudo`, offered
where settings.PSEUDO_LANGUAGES is on, and never kept in Git.
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

from config.catalogs import compile_catalogs

# By code: whether its words run from right to left.
PSEUDO: Final = {"en-xa": False, "ar-xb": True}
LONGER: Final = 0.4

_PLAIN: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ACCENTED: Final = "àƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÀƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ"
_ACCENTS: Final = str.maketrans(_PLAIN, _ACCENTED)
_VOWELS: Final = frozenset("àéîöûýÀÉÎÖÛÝ")
# What a program reads: places for values, tags, entities, addresses.
_KEPT: Final = re.compile(
    r"(%\(\w+\)[-#0 +]*[\d.]*[a-z]|%[sd%]|\{[^{}]*\}|<[^<>]*>|&#?\w+;|https?://\S+)"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
# The override turns a word's letters round; the mark makes what stands between words follow.
_TURNED, _ENDED, _FROM_RIGHT = "\u202e", "\u202c", "\u200f"


def pseudo(text: str, *, is_mirrored: bool = False) -> str:
    """The text in a pseudo-language; what a program reads in it stays.

    >>> pseudo("Take seat %(number)s: <b>{name}</b>")
    'Ţààķéé šééààţ %(number)s: <b>{name}</b>'
    >>> pseudo("Ja", is_mirrored=True) == "\\u200f\\u202eĴàà\\u202c\\u200f"
    True
    """
    parts = _KEPT.split(text)
    # Every second one is kept.
    spoken = [_lengthened(part.translate(_ACCENTS)) for part in parts[::2]]
    if is_mirrored:
        spoken = [
            _WORD.sub(rf"{_FROM_RIGHT}{_TURNED}\g<0>{_ENDED}{_FROM_RIGHT}", s) for s in spoken
        ]
    parts[::2] = spoken
    return "".join(parts)


def _lengthened(text: str) -> str:
    """The text with its vowels drawn out, until it has 40 % more letters."""
    vowels = [place for place, letter in enumerate(text) if letter in _VOWELS]
    letters = list(text)
    if not vowels:
        # Nothing to draw out: "4th" and "VS" end longer instead.
        vowels = [place for place, letter in enumerate(text) if letter.isalpha()][-1:]
    if vowels:
        more = ceil(LONGER * sum(letter.isalpha() for letter in text))
        for place in (place for _, place in zip(range(more), cycle(vowels), strict=False)):
            letters[place] += text[place].lower()
    return "".join(letters)


def pseudo_make(*, sources: Iterable[Path], into: Path) -> list[Path]:
    """Writes and compiles a catalog for each pseudo-language under `into`; says which.

    `sources` are English catalogs (`.po`): what the first says counts.
    """
    messages = list(_messages(sources))
    made = []
    for code, is_mirrored in PSEUDO.items():
        # Whoever speaks it counts as the English do: one, and many.
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


def english_catalogs(site: Path) -> list[Path]:
    """The site's own, Django's and those of its apps that have words on pages of ours."""
    folders = [site]
    for module, inside in (
        ("django", "conf/locale"),
        ("django.contrib.auth", "locale"),
        ("allauth", "locale"),
    ):
        spec = find_spec(module)
        if spec is not None and spec.origin:
            folders.append(Path(spec.origin).parent / inside)
    paths = [folder / "en" / "LC_MESSAGES" / "django.po" for folder in folders]
    return [path for path in paths if path.is_file()]
