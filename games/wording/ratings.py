"""Seasons, and why a rated game counts for less."""

from datetime import date
from typing import assert_never

from babel.dates import format_interval
from django.utils.translation import get_language, gettext, ngettext

from games.rating import Sign

from .choices import percent


def season_name(season: int) -> str:
    """Return a season by its first and last month.

    >>> season_name(20264)
    'October – December 2026'
    """
    year, quarter = divmod(season, 10)
    first, last = date(year, 3 * quarter - 2, 1), date(year, 3 * quarter, 1)
    locale = (get_language() or "en").partition("-")[0]
    # CLDR sets thin spaces, which the typefaces lack.
    return format_interval(first, last, "yMMMM", locale=locale).replace("\u2009", " ")


def weight_reason(sign: str, number: int, other: str) -> str:
    """Return why a game counts for less; `other` is a name, or "" for a deleted account."""
    name = other or "?"
    kind = Sign(sign)
    match kind:
        case Sign.CIRCLE:
            return gettext(
                "Mostly the same people: on average they were at {percent} of the recent games."
            ).format(percent=percent(number / 100))
        case Sign.ONE_SIDED:
            return ngettext(
                "All of their {count} recent game against {name} went the same way.",
                "All of their {count} recent games against {name} went the same way.",
                number,
            ).format(count=number, name=name)
        case Sign.DEVICE:
            return gettext("Has signed in from the same browser as {name}.").format(name=name)
        case Sign.THROWN:
            return ngettext(
                "Liberals passed or discarded against their side in {count} round.",
                "Liberals passed or discarded against their side in {count} rounds.",
                number,
            ).format(count=number)
        case _:
            assert_never(kind)
