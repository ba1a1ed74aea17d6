"""Names of the kinds of bots, and of their levels."""

from collections.abc import Callable

from django.utils.translation import gettext, pgettext

from games import bots

_LEVELS: dict[str, Callable[[], str]] = {
    bots.Level.BEGINNER: lambda: pgettext("level", "Beginner"),
    bots.Level.REGULAR: lambda: pgettext("level", "Regular"),
    bots.Level.EXPERT: lambda: pgettext("level", "Expert"),
}
# How many bars of the mark of a level are filled.
LEVEL_BARS = {level: number for number, level in enumerate(_LEVELS, 1)}


def bot_kind(kind: str) -> str:
    """Return the label of a kind of bot, or "" for a kind that is gone."""
    return gettext(bots.kind_named(kind).label) if kind in bots.names() else ""


def bot_level(level: str) -> str:
    """Return the name of a level."""
    return _LEVELS[level]()


def bot_kinds() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the kinds with labels: the characters, and the others, which serve to compare."""
    characters = [(kind, bot_kind(kind)) for kind in bots.CHARACTERS]
    others = [(kind, bot_kind(kind)) for kind in bots.names() if kind not in bots.CHARACTERS]
    return characters, others


def bot_levels() -> list[tuple[str, str]]:
    """Return the levels with names."""
    return [(level, bot_level(level)) for level in _LEVELS]
