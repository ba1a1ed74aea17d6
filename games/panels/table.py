"""The table page and its fifteen panels.

The public ones (banner, seats, tracks, rules, affairs, log, history, conflicts) are made from the
spectator's view and from claims at the table, once per version and language, and shared by all
viewers: they can hold no secret, because their sources have none. The private ones (you, action,
administration_mine) are made for one viewer and not cached. The chat panels (say, phrasebook,
hearing, talk) are made in `chat`.
"""

from collections.abc import Iterable
from threading import Lock
from typing import Final

from cachetools import LRUCache

from games.panels.chat import TALK_PANELS, talk_panels
from games.panels.government_history import Conflicts
from games.panels.phrasebook import Chosen
from games.panels.pieces import Panel, Part, Piece, locale_for, public_piece
from games.panels.private import private_parts
from games.panels.scene import Scene, Tracks, scene_of
from games.state.rooms import Room
from games.state.viewer import ViewerSettings

PUBLIC_PANELS: Final = (
    "banner", "seats", "tracks", "rules", "administration", "log", "history", "conflicts",
)  # fmt: skip
PRIVATE_PANELS: Final = ("you", "action", "administration_mine")
PANELS: Final = (*PUBLIC_PANELS, *PRIVATE_PANELS, *TALK_PANELS)
_SCENES_REMEMBERED: Final = 300

_lock = Lock()
_scenes: LRUCache[int, "_Remembered"] = LRUCache(_SCENES_REMEMBERED)


class _Remembered:
    """The newest scene of a table, and its public panels by locale."""

    __slots__ = ("left", "panels", "scene")

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        # Pieces made for the mover's own socket, for the response a moment later. Each piece is
        # looked up by its exact content, so no viewer can get another's.
        self.left: dict[tuple[str, Part], Piece] = {}
        self.panels: dict[str, dict[str, Panel]] = {}


def table_panels(
    room: Room,
    user_pk: int | None,
    language: str,
    *,
    invite_url: str = "",
    is_trial: bool = False,
    is_answer: bool = False,
    viewer_settings: ViewerSettings | None = None,
    chosen: Chosen | None = None,
) -> dict[str, Panel]:
    """Return every panel of the table page as a viewer may see it, in `language`.

    Without `viewer_settings` the chat panels are left out: the answer to a move does not need them.

    `user_pk` is None for an anonymous viewer. `invite_url` is shown to players seated at a table
    that still gathers players, and `is_trial` says that the viewer is a guest. `is_answer` says
    that sockets were shown the same before.
    """
    locale = locale_for(language, room.table.edition)
    scene, public = public_panels(room, locale)
    made = _taken_pieces(room) if is_answer else None
    own = private_panels(
        scene, user_pk, locale, invite_url=invite_url, is_trial=is_trial, made=made
    )
    if viewer_settings is None:
        return public | own
    return public | own | talk_panels(scene, user_pk, locale, viewer_settings, chosen)


def leave_pieces(room: Room, made: dict[tuple[str, Part], Piece]) -> None:
    """Keep the pieces made for sockets until the response to the move takes them."""
    with _lock:
        kept = _scenes.get(room.table.pk)
        if kept is not None and kept.scene.room.key == room.key:
            kept.left = made


def _taken_pieces(room: Room) -> dict[tuple[str, Part], Piece]:
    with _lock:
        kept = _scenes.get(room.table.pk)
        if kept is None or kept.scene.room.key != room.key:
            return {}
        made, kept.left = kept.left, {}
        return made


def public_panels(room: Room, locale: str) -> tuple[Scene, dict[str, Panel]]:
    """Return what everyone may see, rendered once per version and locale."""
    # One thread at a time: a second one that needs the same panels finds them cached.
    with _lock:
        kept = _scene(room)
        panels = kept.panels.get(locale)
        if panels is None:
            panels = kept.panels[locale] = made_public(kept.scene, locale)
    return kept.scene, panels


def private_panels(
    scene: Scene,
    user_pk: int | None,
    locale: str,
    *,
    invite_url: str = "",
    is_trial: bool = False,
    made: dict[tuple[str, Part], Piece] | None = None,
) -> dict[str, Panel]:
    """Render a viewer's private panels.

    Viewers at the same version with equal parts share a piece through `made`.
    """
    made = {} if made is None else made
    panels = {}
    parts = private_parts(scene, user_pk, invite_url, is_trial=is_trial)
    for name, part in zip(PRIVATE_PANELS, parts, strict=True):
        piece = made.get((locale, part))
        if piece is None:
            piece = made[locale, part] = Piece(part, locale)
        panels[name] = Panel(name, piece)
    return panels


def forget_all() -> None:
    """Empty the cache; tests that reuse primary keys need it."""
    with _lock:
        _scenes.clear()


def _scene(room: Room) -> _Remembered:
    known = _scenes.get(room.table.pk)
    if known is not None and known.scene.room.key == room.key:
        return known
    kept = _scenes[room.table.pk] = _Remembered(
        scene_of(room, None if known is None else known.scene)
    )
    return kept


def made_public(scene: Scene, locale: str) -> dict[str, Panel]:
    """Render the public panels of a scene; their pieces are cached."""

    def panel(name: str, shell: Part, rows: Iterable[Part] = ()) -> Panel:
        pieces = tuple(public_piece(part, locale) for part in rows)
        return Panel(name, public_piece(shell, locale), pieces)

    government_history = scene.government_history
    return {
        "banner": panel("banner", scene.banner),
        "seats": panel("seats", scene.seats_shell, scene.seats),
        "tracks": panel("tracks", scene.order or Tracks(), scene.desk),
        "rules": panel("rules", scene.rules),
        "administration": panel("administration", scene.administration),
        "log": panel("log", scene.log, scene.rounds),
        "history": panel("history", government_history.history, government_history.terms),
        "conflicts": panel("conflicts", Conflicts(), government_history.conflicts),
    }
