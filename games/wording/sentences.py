"""Building sentences: names in their placeholders, lists as the language formats them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from typing import Final
from unicodedata import east_asian_width

from babel import Locale
from babel.lists import format_list
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import get_language, pgettext

from games.rules.components import Policy

from .labels import policy_in_a_list
from .terms import with_terms

# In letters of the width of Latin ones: as many as fit a line of the narrowest phone's log.
_LINE: Final = 22


def named(name: str, seat: int | None = None) -> str:
    """Return a name as HTML, marked as wide if a line may be too narrow for it."""
    width = sum(
        2 if east_asian_width(letter) in "FW" else 1.5 if letter.isupper() else 1 for letter in name
    )
    css = "name wide" if width > _LINE else "name"
    if seat is None:
        return format_html('<bdi class="{}">{}</bdi>', css, name)
    return format_html('<bdi class="{}" data-seat="{}">{}</bdi>', css, seat, name)


@dataclass(frozen=True, slots=True)
class Speech:
    """Plain sentences, or safe HTML in which each name is a `named` one."""

    # The names by seat.
    names: Sequence[str] | Mapping[int, str]
    html: bool = False
    # In HTML, the URL of the rules that explain the terms; without it, terms are plain text.
    book: str = ""

    def name(self, seat: int) -> str:
        """Return the name of a seat."""
        return named(self.names[seat], seat) if self.html else self.names[seat]

    def say(self, sentence: str, **values: object) -> str:
        """Return the sentence with its placeholders filled; in HTML, unsafe values are escaped."""
        sentence = with_terms(sentence, self.book if self.html else "")
        if self.html and values:
            return format_html(sentence, **values)
        # Message catalogs are trusted, as in `format_html`.
        said = sentence.format(**values)
        return mark_safe(said) if self.html else said  # noqa: S308  nothing was put into it

    def seats(self, seats: Iterable[int]) -> str:
        """Return a list of the seats' names: "Ada, Bo, and Cy"."""
        return self._listed([self.name(seat) for seat in seats])

    def policies(self, policies: Iterable[Policy]) -> str:
        """Return a list of policies in their order: "liberal, fascist, and fascist"."""
        return self._listed([policy_in_a_list(policy) for policy in policies])

    def both(self, first: str, second: str) -> str:
        """Join two complete sentences."""
        return self.say(pgettext("two sentences", "{first} {second}"), first=first, second=second)

    def _listed(self, items: Sequence[str]) -> str:
        # The list is built from placeholders first, so that each item is escaped, and only once.
        places = listed([f"{{item{i}}}" for i in range(len(items))])
        return self.say(places, **{f"item{i}": item for i, item in enumerate(items)})


def together(sentences: Iterable[str]) -> str:
    """Join complete sentences, which are plain text."""
    return reduce(Speech(()).both, sentences)


def listed(items: Sequence[str]) -> str:
    """Return the items as a list in the active language."""
    # An edition's locale ("ru-5-6") formats lists as its language does.
    return format_list(items, locale=_locale((get_language() or "en").partition("-")[0]))


@cache
def _locale(language: str) -> Locale:
    return Locale.parse(language)
