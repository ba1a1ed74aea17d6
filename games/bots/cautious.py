"""A bot that plays its side sensibly: liberals by suspicion, fascists by disguise."""

from collections.abc import Callable
from typing import assert_never

from games.rules.actions import Action
from games.rules.components import Role
from games.rules.view import View

from . import fascist, hitler, liberal
from .heard import Heard
from .registry import Kind, gettext_noop
from .suspicion import own_suspicion


def choose(view: View, heard: Heard, below: Callable[[int], int]) -> Action:
    if len(view.legal) == 1:
        return view.legal[0]
    assert view.role is not None
    match view.role:
        case Role.LIBERAL:
            return liberal.choose(view, own_suspicion(view), below)
        case Role.FASCIST:
            return fascist.choose(view, below)
        case Role.HITLER:
            return hitler.choose(view, below)
        case _:
            assert_never(view.role)


KIND = Kind(name="cautious", label=gettext_noop("Cautious"), choose=choose)
