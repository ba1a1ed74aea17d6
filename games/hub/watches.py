"""A screen that sockets of this process follow: the newest is composed once for all of them."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, Final

from django.db import close_old_connections

from games.hub.composer import TableComposer, ViewerClass
from games.hub.lines import GONE, Frame, Line, Shown, Update, lacked_frame
from games.rooms import Room, Version, known_room, room_caught_up, room_with
from games.screens import as_panels, own_tables, public_tables
from games.screens.lobby import OwnTables
from games.screens.table import PANELS
from games.services import live, play
from games.sessions import Viewer

# The lobby changes with every seat that is taken anywhere; people read it slower than that.
_LOBBY_EVERY: Final = 1.0
_RENDERERS: Final = ThreadPoolExecutor(max_workers=4, thread_name_prefix="screens")

logger = logging.getLogger(__name__)


class Watch:
    """A screen that some sockets of this process follow."""

    # In the order of `Shown`.
    panels: ClassVar[tuple[str, ...]]

    def __init__(self, group: str) -> None:
        self.group = group
        self.lines: set[Line] = set()
        # Those that must be looked at though nothing is new.
        self.due: set[Line] = set()
        self.is_stale = False
        self._task: asyncio.Task[None] | None = None

    def compose(self, lines: Sequence[tuple[Viewer, Shown]], *, is_stale: bool) -> list[Update]:
        """What each of these lines lacks. Runs in a thread."""
        raise NotImplementedError

    def poke(self) -> None:
        """Something is new for everybody here."""
        self.is_stale = True
        self.go_on()

    def look_at(self, line: Line) -> None:
        """This line may lack something."""
        self.due.add(line)
        self.go_on()

    def forget(self, line: Line) -> None:
        self.lines.discard(line)
        self.due.discard(line)

    def go_on(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._work())

    async def _work(self) -> None:
        try:
            while self.is_stale or self.due:
                is_stale, self.is_stale = self.is_stale, False
                lines, self.due = (self.lines if is_stale else self.due), set()
                await self._bring_up_to_date(list(lines & self.lines), is_stale=is_stale)
                await self.pause()
        finally:
            self._task = None

    async def pause(self) -> None:
        """How long to gather hints before the next look."""

    async def _bring_up_to_date(self, lines: list[Line], *, is_stale: bool) -> None:
        ready = []
        for line in lines:
            line.is_behind = not line.has_room
            if line.shown is not None and not line.is_behind:
                ready.append((line, line.shown))
        if not ready:
            return
        asked = [(line.viewer, shown) for line, shown in ready if shown is not None]
        try:
            updates = await in_thread(lambda: self.compose(asked, is_stale=is_stale))
        except Exception:
            # The sweep and the clients' own compares come back to it.
            logger.exception("%s could not be shown", self.group)
            return
        for (line, shown), update in zip(ready, updates, strict=True):
            if line.shown is not shown:
                # It has said meanwhile that it shows something else.
                self.due.add(line)
                continue
            if update.shown is None:
                await line.end(GONE)
                continue
            line.shown = update.shown
            if update.frame is not None or line.is_asking:
                line.is_asking = False
                await line.deliver(update.frame)


class TableWatch(Watch):
    panels = PANELS

    def __init__(self, table_pk: int) -> None:
        super().__init__(live.table_group(table_pk))
        self.table_pk = table_pk
        # The newest that this process has heard of; None: the database must be asked.
        self.heard: Version | None = None
        self.seen: Version | None = None
        # Who sits where changes with the table's own version only.
        self._people: dict[Viewer, ViewerClass | None] = {}
        self._people_at = -1

    def forget(self, line: Line) -> None:
        super().forget(line)
        self._people.pop(line.viewer, None)

    def hear(self, version: Version) -> None:
        if self.heard is not None:
            version = self.heard.with_what_is_newer_in(version)
        self.heard = version
        if self.seen is None or self.seen.is_older_than(version):
            self.poke()

    def ask_anew(self) -> None:
        """Whatever this process knows of the table may be old."""
        self.heard = None
        self.poke()

    def compose(self, lines: Sequence[tuple[Viewer, Shown]], *, is_stale: bool) -> list[Update]:
        room = self._room()
        if room is None:
            return [Update(None, None) for _ in lines]
        if room.table.version != self._people_at:
            self._people, self._people_at = {}, room.table.version
        composer = TableComposer(room, self._people)
        return [composer.update(viewer, shown) for viewer, shown in lines]

    def _room(self) -> Room | None:
        heard, room = self.heard, known_room(pk=self.table_pk)
        if heard is None or room is None:
            room = room_with(self.table_pk)
        elif room.version.is_older_than(heard):
            room = room_caught_up(room, heard)
        if room is not None and play.is_due(room):
            play.settle(self.table_pk)
            room = room_with(self.table_pk)
        if room is not None:
            self.seen = room.version
            heard = self.heard or room.version
            self.heard = heard.with_what_is_newer_in(room.version)
        return room


class LobbyWatch(Watch):
    panels = ("tables", "mine")

    def __init__(self) -> None:
        super().__init__(live.LOBBY_GROUP)

    def compose(self, lines: Sequence[tuple[Viewer, Shown]], *, is_stale: bool) -> list[Update]:
        public = public_tables()
        own = own_tables({viewer.user_pk for viewer, _ in lines if viewer.user_pk is not None})
        frames: dict[tuple[object, ...], Frame] = {}
        updates = []
        for viewer, shown in lines:
            panels = as_panels(public, own.get(viewer.user_pk, OwnTables(())), viewer.language)
            signatures = tuple(panel.signature for panel in panels.values())
            updates.append(Update(lacked_frame(panels, signatures, shown, frames), signatures))
        return updates

    async def pause(self) -> None:
        await asyncio.sleep(_LOBBY_EVERY)


async def in_thread(work: Callable[[], Any]) -> Any:
    """Runs work that reads the database or renders, off the event loop."""

    def with_connections() -> Any:
        close_old_connections()
        try:
            return work()
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_RENDERERS, with_connections)
