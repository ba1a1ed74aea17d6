"""What a host chooses from, said so that somebody understands it who has not played here yet."""

from datetime import timedelta
from typing import Final

from babel.dates import format_timedelta
from babel.numbers import format_percent
from django.utils.translation import get_language, pgettext, pgettext_lazy
from django.utils.translation import gettext as _

from accounts.places import LANGUAGES_SPOKEN, own_name
from games.rules.editions import EDITIONS, option_json

SPOKEN: Final = LANGUAGES_SPOKEN


_EDITIONS_IN_A_LIST: Final = {
    "en": pgettext_lazy("edition in a list", "English"),
    "ru": pgettext_lazy("edition in a list", "Russian"),
    "ru-5-6": pgettext_lazy("edition in a list", "Russian for 5–6"),
    "pl": pgettext_lazy("edition in a list", "Polish"),
    "ja": pgettext_lazy("edition in a list", "Japanese"),
    "it": pgettext_lazy("edition in a list", "Italian"),
}


def spoken_name(code: str) -> str:
    """What a language (of SPOKEN) is called by those who speak it."""
    return own_name(code)


def edition_short(code: str) -> str:
    """An edition by its language, in a list of several."""
    return str(_EDITIONS_IN_A_LIST[code])


def editions_with(name: str, value: object) -> list[str]:
    """The editions that play so, by their short names; the value as JSON has it."""
    return [
        edition_short(code)
        for code, options in EDITIONS.items()
        if option_json(getattr(options, name)) == value
    ]


def percent(share: float) -> str:
    """A share of 1 in percent."""
    return str(format_percent(share, locale=(get_language() or "en").partition("-")[0]))


def time_in_words(time: timedelta | None) -> str:
    """How long a decision may take: "20 seconds for each decision"."""
    if time is None:
        return _("No clock; not for public tables")
    language = (get_language() or "en").partition("-")[0]
    words = format_timedelta(time, threshold=1, locale=language)
    if language == "ja":
        # CLDR puts a space before the unit, which nothing else in Japanese has.
        words = words.replace(" ", "")
    return pgettext("pace", "{time} for each decision").format(time=words)
