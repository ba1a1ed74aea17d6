"""Bots: players that receive a view and choose one of its legal actions.

They are pure: the choice depends only on the view and on `below`, which returns a number from 0 to
n - 1. A real game passes `secrets.randbelow`, a simulation passes a seeded function.
"""

from collections.abc import Callable
from typing import Final

from games.rules.actions import Action
from games.rules.view import View

from . import cautious, uniform
from .uniform import pick

__all__ = ["KINDS", "Below", "choose", "pick"]

Below = Callable[[int], int]

_KINDS: Final[dict[str, Callable[[View, Below], Action]]] = {
    "uniform": uniform.choose,
    "cautious": cautious.choose,
}
KINDS: Final = tuple(_KINDS)


def choose(kind: str, view: View, below: Below) -> Action:
    """Return the action that a bot of this kind (one of KINDS) chooses from `view.legal`.

    Raises ValueError for an unknown kind, and if the viewer has nothing to decide.
    """
    if kind not in _KINDS:
        raise ValueError(f"no such kind of bot: {kind}")
    if not view.legal:
        raise ValueError(f"seat {view.viewer} has nothing to decide in {view.decision}")
    return _KINDS[kind](view, below)
