"""Names of countries, languages and time zones in the reader's language.

The names are CLDR's, from babel; the site's own catalogs do not hold them.
"""

import unicodedata
import zoneinfo
from collections.abc import Collection
from functools import cache, lru_cache
from typing import Final

from babel import Locale
from babel.core import get_global
from babel.dates import get_timezone_location
from django.conf.locale import LANG_INFO
from django.utils.html import format_html
from django.utils.translation import get_language, pgettext

# CLDR's codes for territories that are not countries, besides the numbers of continents, and for
# islands that are part of a country.
_NO_COUNTRIES: Final = (
    *("EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"),
    *("AC", "CP", "CQ", "DG", "EA", "IC", "TA"),
)
# The first part of a zone's name and the territory it means; "" for the seas and poles.
_CONTINENTS: Final = {
    "Europe": "150",
    "Asia": "142",
    "America": "019",
    "Africa": "002",
    "Australia": "009",
    "Pacific": "009",
    "Atlantic": "",
    "Indian": "",
    "Arctic": "",
    "Antarctica": "",
}
# CLDR knows these zones only by their old names.
_CLDRS_NAME: Final = {
    "Africa/Asmara": "Africa/Asmera",
    "America/Argentina/Buenos_Aires": "America/Buenos_Aires",
    "America/Argentina/Catamarca": "America/Catamarca",
    "America/Argentina/Cordoba": "America/Cordoba",
    "America/Argentina/Jujuy": "America/Jujuy",
    "America/Argentina/Mendoza": "America/Mendoza",
    "America/Indiana/Indianapolis": "America/Indianapolis",
    "America/Kentucky/Louisville": "America/Louisville",
    "America/Nuuk": "America/Godthab",
    "Asia/Ho_Chi_Minh": "Asia/Saigon",
    "Asia/Kathmandu": "Asia/Katmandu",
    "Asia/Kolkata": "Asia/Calcutta",
    "Asia/Yangon": "Asia/Rangoon",
    "Atlantic/Faroe": "Atlantic/Faeroe",
    "Europe/Kyiv": "Europe/Kiev",
}
# The languages that users may say they speak; tables may be opened for the same ones. The languages
# of the site come first, then the others by their own names, script by script. The order is the
# same whatever language the page is in, so that users always find theirs in the same place.
LANGUAGES_SPOKEN: Final = (
    *("en", "ru", "pl", "ja", "it"),
    *("id", "cs", "da", "de", "es", "fr", "hu", "nl", "nb", "pt", "ro", "sk", "fi", "sv", "vi"),
    *("tr", "be", "bg", "sr", "uk", "el", "he", "ar", "fa", "hi", "ko", "zh-hans", "zh-hant"),
)
_OF_CLDR: Final = {"zh-hans": "zh_Hans", "zh-hant": "zh_Hant"}


def reader_locale() -> Locale:
    """Return CLDR's locale of the active language.

    An edition's own variant of a language ("ru-5-6") uses the locale of that language.
    """
    return _locale((get_language() or "en").partition("-")[0])


@cache
def _locale(language: str) -> Locale:
    return Locale.parse(language)


@cache
def country_codes() -> frozenset[str]:
    return frozenset(
        code
        for code in map(str, _locale("en").territories)
        if len(code) == 2 and code.isalpha() and code not in _NO_COUNTRIES
    )


def country_name(code: str) -> str:
    """Return a country's name in the reader's language, or "" for an unknown code."""
    return str(reader_locale().territories.get(code, "")) if code in country_codes() else ""


def country_choices() -> list[tuple[str, str]]:
    """Return all countries, sorted by their names in the reader's language."""
    return _sorted({code: country_name(code) for code in country_codes()})


def language_name(code: str) -> str:
    """Return the name of one of LANGUAGES_SPOKEN in the reader's language."""
    locale = reader_locale()
    name = str(locale.languages.get(_OF_CLDR.get(code, code), LANG_INFO[code]["name"]))
    # Some languages write names of languages in lower case; here each name stands alone.
    return name[:1].upper() + name[1:]


def own_name(code: str) -> str:
    """Return the name of one of LANGUAGES_SPOKEN in that language."""
    name = str(LANG_INFO[code]["name_local"])
    # Capitalized for the same reason as in `language_name`.
    return name[:1].upper() + name[1:]


def language_choices() -> list[tuple[str, str]]:
    """Return the languages by their own names, each marked with its `lang`."""
    return [
        (code, format_html('<span lang="{}">{}</span>', code, own_name(code)))
        for code in LANGUAGES_SPOKEN
    ]


def _sorted(names: dict[str, str]) -> list[tuple[str, str]]:
    """Sort letters with marks beside those without: "Österreich" with O, "Łotwa" with L."""
    return sorted(names.items(), key=lambda item: _plain(item[1]))


def _plain(name: str) -> tuple[str, str]:
    letters = unicodedata.normalize("NFD", name.casefold().replace("ł", "l\u0335"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter)), name


@cache
def zone_names() -> frozenset[str]:
    """Return all names of time zones that this system knows, old ones too: browsers differ."""
    return frozenset(zoneinfo.available_timezones())


def zone_of(name: str) -> zoneinfo.ZoneInfo | None:
    """Return the time zone, or None if there is none of that name. The name may be untrusted."""
    return zoneinfo.ZoneInfo(name) if name in zone_names() else None


def zone_choices(also: str = "") -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the zones by continent, each labelled by its city.

    `also` is a zone that has to be among them.
    """
    groups = _zone_groups(str(reader_locale()))
    known: Collection[str] = {zone for _, zones in groups for zone, _ in zones}
    if also and also not in known:
        return [("", [(also, also.replace("_", " "))]), *groups]
    return groups


def zone_label(name: str) -> str:
    """Return a zone's city in the reader's language, or "" for an unknown zone.

    >>> zone_label("Etc/Nowhere")
    ''
    """
    if zone_of(name) is None:
        return ""
    if "/" not in name:
        return name
    try:
        return _city(name, reader_locale())
    except (LookupError, ValueError):
        # CLDR does not know every name that a system knows.
        return name.replace("_", " ")


@lru_cache(maxsize=16)
def _zone_groups(language: str) -> list[tuple[str, list[tuple[str, str]]]]:
    # This takes tens of milliseconds, once per language.
    locale = _locale(language)
    elsewhere = pgettext("time zones", "Islands and poles")
    zones: dict[str, dict[str, str]] = {
        str(locale.territories[territory]) if territory else elsewhere: {}
        for territory in _CONTINENTS.values()
    }
    for name in {zone for found in get_global("territory_zones").values() for zone in found}:
        continent, _, rest = name.partition("/")
        if rest and continent in _CONTINENTS and name in zone_names():
            territory = _CONTINENTS[continent]
            group = str(locale.territories[territory]) if territory else elsewhere
            zones[group][name] = _city(name, locale)
    return [("UTC", [("UTC", "UTC")]), *((group, _sorted(found)) for group, found in zones.items())]


def _city(zone: str, locale: Locale) -> str:
    known = locale.time_zones.get(_CLDRS_NAME.get(zone, zone), {}).get("city")
    return str(known or get_timezone_location(zone, locale=locale, return_city=True))
