"""A table's page is six panels.

The public ones (banner, seats, tracks, log) are rendered from the spectator's view, once per
version and language, and shared by every viewer: no secret can be in them, since what they are
made from has none. The private ones (you, action) are rendered for one viewer and never kept.
"""

from collections import OrderedDict
from threading import Lock
from typing import Final

from django.utils import translation

from games.models import Table
from games.positions import Position, position_of
from games.screens.mine import mine_of
from games.screens.panels import Panel, Person, render, voice
from games.screens.scene import Scene, scene_of

PUBLIC_PANELS: Final = ("banner", "seats", "tracks", "log")
PRIVATE_PANELS: Final = ("you", "action")
_SCREENS_REMEMBERED: Final = 400

_lock = Lock()
_remembered: OrderedDict[tuple[object, ...], tuple[dict[str, Panel], Scene]] = OrderedDict()


def table_panels(
    table: Table, person: Person, language: str, *, invite_url: str = ""
) -> dict[str, Panel]:
    """Every panel of the table's page as `person` may see it, in `language`.

    `invite_url` is shown to those who sit at a private table that still gathers.
    """
    with translation.override(voice(language, table.edition)):
        position = position_of(table.game) if hasattr(table, "game") else None
        public, scene = _public_panels(table, position)
        mine = mine_of(scene, position, person, invite_url)
        private = {name: render(name, {"scene": scene, "mine": mine}) for name in PRIVATE_PANELS}
        return public | private


def forget_all() -> None:
    """Empties the memory; tests that reuse primary keys need it."""
    with _lock:
        _remembered.clear()


def _public_panels(table: Table, position: Position | None) -> tuple[dict[str, Panel], Scene]:
    # Everything that a public panel shows changes with the table's version.
    key = (table.pk, table.created_at, table.version, translation.get_language())
    # One at a time: whoever waits for the same panels finds them made.
    with _lock:
        known = _remembered.get(key)
        if known is not None:
            _remembered.move_to_end(key)
            return known
        scene = scene_of(table, position)
        panels = {name: render(name, {"scene": scene}) for name in PUBLIC_PANELS}
        _remembered[key] = (panels, scene)
        while len(_remembered) > _SCREENS_REMEMBERED:
            _remembered.popitem(last=False)
    return panels, scene
