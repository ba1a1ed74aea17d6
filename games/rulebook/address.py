"""House rules in a URL: `?silence=table&players=5-8&spoken_formula=veto_chancellor,execution`."""

from collections.abc import Iterable, Mapping
from urllib.parse import urlencode

from django.urls import reverse

from games.rules.editions import (
    NUMBERS,
    OPTION_NAMES,
    SWITCHES,
    OptionError,
    Options,
    options_of,
)

_NONE = "none"
_WORDS = {"true": True, "false": False}


def written(value: object) -> str:
    """Return an option's value, from JSON or from `Options`, as it is written in a URL.

    >>> written((5, 8)), written([]), written(("veto_president", "execution")), written(True)
    ('5-8', 'none', 'veto_president,execution', 'true')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        numbers = all(isinstance(item, int) for item in value)
        return ("-" if numbers else ",").join(str(item) for item in value) or _NONE
    return str(value)


def read_rules(query: Mapping[str, str], edition: str) -> tuple[Options, bool]:
    """Return the edition's options with the query's house rules, and whether all were valid.

    Parameters that are not options are ignored; a value that an option cannot have is left out.
    """
    rules: dict[str, object] = {}
    understood = True
    for name in OPTION_NAMES:
        if name not in query:
            continue
        value = _read(name, query[name])
        try:
            options_of(edition, {name: value})
        except OptionError:
            understood = False
        else:
            rules[name] = value
    try:
        return options_of(edition, rules), understood
    except OptionError:
        # Each is possible, but not all of them together.
        return options_of(edition), False


def _read(name: str, text: str) -> object:
    if name in SWITCHES:
        return _WORDS.get(text)
    if name == "players":
        return [_number(part) for part in text.split("-")]
    if name == "spoken_formula":
        return [] if text == _NONE else text.split(",")
    if name in NUMBERS:
        return _number(text)
    return text


def _number(text: str) -> int | None:
    # Not int(), which accepts more digits than any number here has.
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else None


def book_url(edition: str, house_rules: Iterable[tuple[str, object]] = ()) -> str:
    """Return the URL of an edition's rules with these house rules."""
    return reverse("games:rulebook", args=[edition]) + _query(house_rules)


def comparison_url(one: str, other: str, house_rules: Iterable[tuple[str, object]] = ()) -> str:
    """Return the URL that compares two editions; the house rules belong to `other`."""
    rules = [(name, written(value)) for name, value in house_rules]
    return f"{reverse('games:compare_rules')}?{urlencode([('a', one), ('b', other), *rules])}"


def _query(house_rules: Iterable[tuple[str, object]]) -> str:
    rules = [(name, written(value)) for name, value in house_rules]
    return f"?{urlencode(rules)}" if rules else ""
