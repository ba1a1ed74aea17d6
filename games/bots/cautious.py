"""A bot that plays its side sensibly: liberals by suspicion, fascists by disguise."""

from collections.abc import Callable

from games.rules.actions import Action
from games.rules.components import Role
from games.rules.view import View

from . import fascist, hitler, liberal
from .suspicion import own_suspicion


def choose(view: View, below: Callable[[int], int]) -> Action:
    if len(view.legal) == 1:
        return view.legal[0]
    if view.role is Role.FASCIST:
        return fascist.choose(view, below)
    if view.role is Role.HITLER:
        return hitler.choose(view, below)
    return liberal.choose(view, own_suspicion(view), below)
