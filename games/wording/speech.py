"""How a sentence is put together: names in their places, lists as the language writes them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from babel import Locale
from babel.lists import format_list
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import get_language, pgettext

from games.rules.components import Policy

from .words import policy_in_a_list


@dataclass(frozen=True, slots=True)
class Speech:
    """Plain sentences, or safe HTML in which each name is `<bdi class="name" data-seat="N">`."""

    # By seat.
    names: Sequence[str] | Mapping[int, str]
    html: bool = False

    def name(self, seat: int) -> str:
        """The name of a seat."""
        if self.html:
            return format_html('<bdi class="name" data-seat="{}">{}</bdi>', seat, self.names[seat])
        return self.names[seat]

    def say(self, sentence: str, **values: object) -> str:
        """The sentence with its places filled; in HTML whatever is not safe yet is escaped."""
        if self.html and values:
            return format_html(sentence, **values)
        # Catalogs are trusted, as `format_html` does.
        said = sentence.format(**values)
        return mark_safe(said) if self.html else said  # noqa: S308  nothing was put into it

    def seats(self, seats: Iterable[int]) -> str:
        """The names of some seats, listed: "Ada, Bo, and Cy"."""
        return self._listed([self.name(seat) for seat in seats])

    def policies(self, policies: Iterable[Policy]) -> str:
        """Policies in their order, listed: "liberal, fascist, and fascist"."""
        return self._listed([policy_in_a_list(policy) for policy in policies])

    def both(self, first: str, second: str) -> str:
        """Two whole sentences, one after the other."""
        return self.say(pgettext("two sentences", "{first} {second}"), first=first, second=second)

    def _listed(self, items: Sequence[str]) -> str:
        # The items are put into a list of places: so they are escaped, and once.
        places = listed([f"{{item{i}}}" for i in range(len(items))])
        return self.say(places, **{f"item{i}": item for i, item in enumerate(items)})


def listed(items: Sequence[str]) -> str:
    """The items as the active language lists them."""
    # An edition's voice ("ru-5-6") lists as its language does.
    return format_list(items, locale=_locale((get_language() or "en").partition("-")[0]))


@cache
def _locale(language: str) -> Locale:
    return Locale.parse(language)
