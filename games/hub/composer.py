"""Renders one version of a table for all viewers in one process."""

from games.affairs import Standing
from games.hub.lines import Frame, Shown, Update, lacked_frame
from games.rooms import Room
from games.screens import (
    Panel,
    Part,
    Piece,
    Scene,
    private_panels,
    public_panels,
    talk_panels,
    voice,
)
from games.sessions import Viewer, Wishes
from games.views.seen import invite_url, may_see

# The voice; the seat number and page origin or, without a seat, whether the viewer is signed in and
# whether they are the host; their standing at the table; and their wishes.
ViewerClass = tuple[str, int | bool, str | bool, Standing, Wishes]


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
    """One version of one table for all its lines. Each viewer class is rendered once."""

    def __init__(self, room: Room, people: People) -> None:
        self.room = room
        self._people = people
        # Keyed by the identity of the class and of `shown`; viewers with equal ones share the
        # objects.
        self._updates: dict[tuple[int, int], Update] = {}
        # Pieces of the private panels.
        self.made: dict[tuple[str, Part], Piece] = {}
        self._panels: dict[ViewerClass, tuple[dict[str, Panel], Shown]] = {}
        # Keyed by voice.
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

    def _panels_for(self, of: ViewerClass, viewer: Viewer) -> tuple[dict[str, Panel], Shown]:
        known = self._panels.get(of)
        if known is None:
            tongue = of[0]
            if tongue not in self._public:
                self._public[tongue] = public_panels(self.room, tongue)
            scene, public = self._public[tongue]
            is_gathering = self.room.game is None
            address = invite_url(self.room.table, viewer.origin) if is_gathering else ""
            own = private_panels(scene, viewer.user_pk, tongue, invite_url=address, made=self.made)
            panels = public | own | talk_panels(scene, viewer.user_pk, tongue, viewer.wishes)
            known = self._panels[of] = panels, tuple(p.signature for p in panels.values())
        return known


def _class_of(viewer: Viewer, room: Room) -> ViewerClass | None:
    if not may_see(room, viewer.user_pk, viewer.invited):
        return None
    table, seat = room.table, room.seat_of(viewer.user_pk)
    tongue = voice(viewer.language, table.edition)
    if seat is not None:
        return tongue, seat.number, viewer.origin, Standing.STRANGER, viewer.wishes
    standing = room.affairs.standing(viewer.user_pk)
    is_host = viewer.user_pk == table.host_id
    return tongue, viewer.user_pk is not None, is_host, standing, viewer.wishes
