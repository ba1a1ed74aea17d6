"""Renders one version of a table for all viewers in one process."""

from games.live.frames import Frame, Shown, Update, lacked_frame
from games.panels import (
    Panel,
    Part,
    Piece,
    Scene,
    Signature,
    locale_for,
    private_panels,
    public_panels,
    talk_panels,
)
from games.selectors.visible_tables import may_see
from games.state.administration import Relation
from games.state.rooms import Room
from games.state.viewer import Viewer, ViewerSettings
from games.views.table_access import invite_url

# The locale; the seat number and page origin or, without a seat, whether the viewer is signed in
# and whether they are the host; their standing at the table; and their settings.
ViewerClass = tuple[str, int | bool, str | bool, Relation, ViewerSettings]
# Panels by name, and their signatures in the same order.
_Signed = tuple[dict[str, Panel], tuple[Signature, ...]]


class People:
    """Maps each viewer to a viewer class. Equal classes share one object."""

    def __init__(self) -> None:
        self.classes: dict[ViewerClass, ViewerClass] = {}
        self._known: dict[Viewer, ViewerClass | None] = {}

    def forget(self, viewer: Viewer) -> None:
        self._known.pop(viewer, None)

    def class_of(self, viewer: Viewer, room: Room) -> ViewerClass | None:
        """Return the class that a viewer's screen depends on; None if they may not see it."""
        try:
            return self._known[viewer]
        except KeyError:
            of = _class_of(viewer, room)
            if of is not None:
                of = self.classes.setdefault(of, of)
            self._known[viewer] = of
            return of


class TableComposer:
    """One version of one table for all its subscribers. Each viewer class is rendered once."""

    def __init__(self, room: Room, people: People) -> None:
        self.room = room
        self._people = people
        # Keyed by the identity of the class and of `shown`; viewers with equal ones share the
        # objects.
        self._updates: dict[tuple[int, int], Update] = {}
        # Pieces of the private panels.
        self.made: dict[tuple[str, Part], Piece] = {}
        self._panels: dict[ViewerClass, _Signed] = {}
        # Keyed by locale.
        self._public: dict[str, tuple[Scene, dict[str, Panel]]] = {}
        self._frames: dict[tuple[object, ...], Frame] = {}

    def update(self, viewer: Viewer, shown: Shown) -> Update:
        of = self._people.class_of(viewer, self.room)
        if of is None:
            return Update(None, None)
        known = self._updates.get((id(of), id(shown)))
        if known is None:
            panels, signatures = self._panels_for(of, viewer)
            frame = lacked_frame(panels, signatures, shown, self._frames)
            known = self._updates[id(of), id(shown)] = Update(frame, signatures)
        return known

    def _panels_for(self, of: ViewerClass, viewer: Viewer) -> _Signed:
        known = self._panels.get(of)
        if known is None:
            locale = of[0]
            if locale not in self._public:
                self._public[locale] = public_panels(self.room, locale)
            scene, public = self._public[locale]
            is_gathering = self.room.game is None
            address = invite_url(self.room.table, viewer.origin) if is_gathering else ""
            own = private_panels(
                scene,
                viewer.user_pk,
                locale,
                invite_url=address,
                is_trial=viewer.viewer_settings.is_trial,
                made=self.made,
            )
            panels = (
                public | own | talk_panels(scene, viewer.user_pk, locale, viewer.viewer_settings)
            )
            known = self._panels[of] = panels, tuple(p.signature for p in panels.values())
        return known


def _class_of(viewer: Viewer, room: Room) -> ViewerClass | None:
    if not may_see(room, viewer.user_pk, viewer.invited):
        return None
    table, seat = room.table, room.seat_of(viewer.user_pk)
    locale = locale_for(viewer.language, table.edition)
    if seat is not None:
        return locale, seat.number, viewer.origin, Relation.STRANGER, viewer.viewer_settings
    standing = room.administration.standing(viewer.user_pk)
    is_host = viewer.user_pk == table.host_id
    return locale, viewer.user_pk is not None, is_host, standing, viewer.viewer_settings
