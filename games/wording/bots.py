"""Names of the kinds of bots."""

from django.utils.translation import gettext

from games import bots


def bot_kind(kind: str) -> str:
    """Return the label of a kind of bot, or "" for a kind that is gone."""
    return gettext(bots.kind_named(kind).label) if kind in bots.names() else ""


def bot_kinds() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the kinds with labels: the characters, and the others, which serve to compare."""
    characters = [(kind, bot_kind(kind)) for kind in bots.CHARACTERS]
    others = [(kind, bot_kind(kind)) for kind in bots.names() if kind not in bots.CHARACTERS]
    return characters, others
