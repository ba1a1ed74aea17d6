"""A bot that picks any legal action, all equally likely."""

from collections.abc import Callable, Sequence

from games.rules.actions import Action
from games.rules.view import View

from .heard import Heard
from .registry import Kind, gettext_noop


def choose(view: View, heard: Heard, below: Callable[[int], int]) -> Action:
    return pick(view.legal, below)


def pick(legal: Sequence[Action], below: Callable[[int], int]) -> Action:
    """Return one of `legal`, which must not be empty."""
    return legal[below(len(legal))]


KIND = Kind(name="uniform", label=gettext_noop("Any legal move"), choose=choose, pick=pick)
