"""Countries, languages and time zones, called as the reader calls them.

Names are CLDR's, by babel: they are in no catalog of ours.
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

# CLDR's own codes for what is no country, beside the numbers of continents.
# and for islands that are a part of one.
_NO_COUNTRIES: Final = (
    *("EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"),
    *("AC", "CP", "CQ", "DG", "EA", "IC", "TA"),
)
# The first word of a zone's name, and the territory that it means; "" for the seas and poles.
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
# CLDR knows these by their old names only.
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
# What the site lets people say that they speak: the same as tables may be opened for. The
# languages of the site, then the others by their own names, script after script: whoever looks
# for theirs finds it in the same place whatever language the page is in.
LANGUAGES_SPOKEN: Final = (
    *("en", "ru", "pl", "ja", "it"),
    *("id", "cs", "da", "de", "es", "fr", "hu", "nl", "nb", "pt", "ro", "sk", "fi", "sv", "vi"),
    *("tr", "be", "bg", "sr", "uk", "el", "he", "ar", "fa", "hi", "ko", "zh-hans", "zh-hant"),
)
_OF_CLDR: Final = {"zh-hans": "zh_Hans", "zh-hant": "zh_Hant"}


def reader_locale() -> Locale:
    """CLDR's locale of the active language; an edition's voice ("ru-5-6") is its language's."""
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
    """ "" for what is no country."""
    return str(reader_locale().territories.get(code, "")) if code in country_codes() else ""


def country_choices() -> list[tuple[str, str]]:
    """By name, as the reader's language sorts."""
    return _sorted({code: country_name(code) for code in country_codes()})


def language_name(code: str) -> str:
    """A language of LANGUAGES_SPOKEN as the reader calls it."""
    locale = reader_locale()
    name = str(locale.languages.get(_OF_CLDR.get(code, code), LANG_INFO[code]["name"]))
    # Some languages write their names small; here each stands alone.
    return name[:1].upper() + name[1:]


def own_name(code: str) -> str:
    """What a language of LANGUAGES_SPOKEN is called by those who speak it."""
    name = str(LANG_INFO[code]["name_local"])
    # As in `language_name`.
    return name[:1].upper() + name[1:]


def language_choices() -> list[tuple[str, str]]:
    """By their own names, marked as being in that language."""
    return [
        (code, format_html('<span lang="{}">{}</span>', code, own_name(code)))
        for code in LANGUAGES_SPOKEN
    ]


def _sorted(names: dict[str, str]) -> list[tuple[str, str]]:
    """Letters with marks stand beside those without: "Österreich" with O, "Łotwa" with L."""
    return sorted(names.items(), key=lambda item: _plain(item[1]))


def _plain(name: str) -> tuple[str, str]:
    letters = unicodedata.normalize("NFD", name.casefold().replace("ł", "l\u0335"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter)), name


@cache
def zone_names() -> frozenset[str]:
    """Every name of a time zone that this machine knows, old ones too: browsers differ."""
    return frozenset(zoneinfo.available_timezones())


def zone_of(name: str) -> zoneinfo.ZoneInfo | None:
    """None for what is no time zone; the name may come from anywhere."""
    return zoneinfo.ZoneInfo(name) if name in zone_names() else None


def zone_choices(also: str = "") -> list[tuple[str, list[tuple[str, str]]]]:
    """Zones by continent, each called after its city; `also` is one that has to be in it."""
    groups = _zone_groups(str(reader_locale()))
    known: Collection[str] = {zone for _, zones in groups for zone, _ in zones}
    if also and also not in known:
        return [("", [(also, also.replace("_", " "))]), *groups]
    return groups


@lru_cache(maxsize=16)
def _zone_groups(language: str) -> list[tuple[str, list[tuple[str, str]]]]:
    # Tens of milliseconds for each language, once.
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
