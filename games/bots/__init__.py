"""Bots: players that receive a view and choose one of its legal actions.

They are pure: the choice depends only on the view and on `below`, which returns a number from 0 to
n - 1. A real game passes `secrets.randbelow`, a simulation passes a seeded function.

A new kind of bot is one file, like `uniform.py`, and one line in the tuple below. Code elsewhere
names a bot by its role, never by its kind.
"""

from typing import Final

from games.rules.actions import Action
from games.rules.view import View

from . import reasoning, uniform
from .chance import Below
from .cues import Character
from .heard import Heard, Spoken
from .registry import (
    Kind,
    Level,
    installed_kinds,
    kind_named,
    labels,
    names,
    people,
    register,
)
from .uniform import pick

__all__ = [
    "BASELINE",
    "CHARACTERS",
    "HEIR",
    "SKILLED",
    "STAND_IN",
    "Below",
    "Character",
    "Heard",
    "Kind",
    "Level",
    "Spoken",
    "choose",
    "kind_named",
    "labels",
    "names",
    "people",
    "pick",
    "register",
]

for _kind in (uniform.KIND, *reasoning.KINDS):
    register(_kind)

for _kind in installed_kinds():
    register(_kind)

# The roles of bots, each with the kind that plays it.
# Moves for a person who is late or away.
STAND_IN: Final = reasoning.NEUTRAL_KIND.name
# Gets the seat of a person who has left it for good.
HEIR: Final = reasoning.NEUTRAL_KIND.name
# Get seats of their own at a table, mixed.
CHARACTERS: Final = tuple(kind.name for kind in reasoning.CHARACTERS)
# Shows how balanced rules are when no one thinks, and when everyone does.
BASELINE: Final = uniform.KIND.name
SKILLED: Final = reasoning.NEUTRAL_KIND.name


def choose(
    kind: str,
    view: View,
    below: Below,
    heard: Heard | None = None,
    level: Level = Level.REGULAR,
) -> Action:
    """Return the action that a bot of this kind (one of `names`) chooses from `view.legal`.

    `heard` is the public history of the game; without it, the bot has heard nothing. `level` makes
    no difference to a kind without levels.

    Raises ValueError for an unknown kind, and if the viewer has nothing to decide.
    """
    found = kind_named(kind)
    chooses = found.levels.get(level, found.choose)
    if not view.legal:
        raise ValueError(f"seat {view.viewer} has nothing to decide in {view.decision}")
    return chooses(view, Heard() if heard is None else heard, below)
