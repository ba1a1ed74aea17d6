"""Labels of a host's choices, worded for users who have never played here."""

from datetime import timedelta
from functools import lru_cache
from typing import Final

from babel.dates import format_timedelta
from babel.lists import format_list
from babel.numbers import format_percent
from django.utils.translation import get_language, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext as _

from accounts.profiles.locale_names import LANGUAGES_SPOKEN, own_name
from games.rules.editions import EDITIONS, option_json

SPOKEN: Final = LANGUAGES_SPOKEN
_HOURS_OF_A_DAY: Final = 24


_EDITIONS_IN_A_LIST: Final = {
    "en": pgettext_lazy("edition in a list", "English"),
    "ru": pgettext_lazy("edition in a list", "Russian"),
    "ru-5-6": pgettext_lazy("edition in a list", "Russian for 5–6"),
    "pl": pgettext_lazy("edition in a list", "Polish"),
    "ja": pgettext_lazy("edition in a list", "Japanese"),
    "it": pgettext_lazy("edition in a list", "Italian"),
}


def spoken_name(code: str) -> str:
    """Return the name of a language (of SPOKEN) in that language."""
    return own_name(code)


def players_counted(number: int) -> str:
    """Return "7 players"."""
    words = ngettext("%(players)s player", "%(players)s players", number)
    return words % {"players": number}


def size_in_words(size: str) -> str:
    """Return a number of players, or the least and the most: "5–6" for "5-6"."""
    return size.replace("-", "–")


def edition_short(code: str) -> str:
    """Return an edition's short name, its language, for lists of editions."""
    return str(_EDITIONS_IN_A_LIST[code])


def editions_with(name: str, value: object) -> list[str]:
    """Return the short names of the editions with this option value; `value` is JSON."""
    return [
        edition_short(code)
        for code, options in EDITIONS.items()
        if option_json(getattr(options, name)) == value
    ]


def percent(share: float) -> str:
    """Format a share between 0 and 1 in percent."""
    return _percent(share, (get_language() or "en").partition("-")[0])


# The truth of a long game shows more than a thousand shares, rounded and so often the same.
@lru_cache(maxsize=8192)
def _percent(share: float, language: str) -> str:
    return str(format_percent(share, locale=language))


def length_in_words(time: timedelta) -> str:
    """Return how long a game took: "12 minutes", "1 hour, 4 minutes", or days."""
    language = (get_language() or "en").partition("-")[0]
    hours, minutes = divmod(max(round(time.total_seconds() / 60), 1), 60)
    if hours < _HOURS_OF_A_DAY:
        parts = filter(None, (timedelta(hours=hours), timedelta(minutes=minutes)))
        told = [format_timedelta(part, threshold=1, locale=language) for part in parts]
        words = format_list(told, style="unit", locale=language)
    else:
        words = format_timedelta(time, granularity="day", locale=language)
    return words.replace(" ", "") if language == "ja" else words


def time_in_words(time: timedelta | None) -> str:
    """Return the time limit in words: "20 seconds for each decision"."""
    if time is None:
        return _("Take as long as you like (not at public tables)")
    language = (get_language() or "en").partition("-")[0]
    words = format_timedelta(time, threshold=1, locale=language)
    if language == "ja":
        # CLDR puts a space before the unit; nothing else in Japanese has one.
        words = words.replace(" ", "")
    return pgettext("pace", "{time} for each decision").format(time=words)
