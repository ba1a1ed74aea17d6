"""Players made of code: they see a view and choose one of its legal actions.

Pure: what they choose depends on the view and on `below`, which gives a number from 0 to
n - 1. A real game passes `secrets.randbelow`, a simulation a seeded one.
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
    """The action that a bot of this kind (of KINDS) asks for: always one of `view.legal`.

    Raises ValueError for a kind that does not exist, and where the viewer has nothing to decide.
    """
    if kind not in _KINDS:
        raise ValueError(f"no such kind of bot: {kind}")
    if not view.legal:
        raise ValueError(f"seat {view.viewer} has nothing to decide in {view.decision}")
    return _KINDS[kind](view, below)
