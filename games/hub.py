"""The hub: all the sockets of one process, gathered by the screen that they follow.

A process subscribes once to each table that somebody here watches. A hint makes it read the
new version once (not at all, where the move was made in this very process), render what is
new once for each class of viewers, and hand every socket the frame that it lacks.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from time import monotonic
from typing import Any, ClassVar, Final, Protocol

from channels.layers import get_channel_layer
from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone

from games.models import Table
from games.rooms import Room, Version, known_room, room_after, room_with
from games.screens import (
    Panel,
    Part,
    Piece,
    Signature,
    answered_pieces,
    as_panels,
    difference,
    own_tables,
    private_panels,
    public_panels,
    public_tables,
    voice,
)
from games.screens.lobby import OwnTables
from games.screens.table import PRIVATE_PANELS, PUBLIC_PANELS
from games.services import live, play
from games.sessions import Viewer, still_signed_in
from games.views.seen import invite_url, may_see
from games.wire import framed_text

# The lobby changes with every seat that is taken anywhere; people read it slower than that.
_LOBBY_EVERY: Final = 1.0
_LOBBY_ANYWAY: Final = 10.0
# Celery moves games that are due; this is for the time when it does not.
_OVERDUE: Final = timedelta(seconds=1)
_RETRY: Final = 2.0

# Close codes, of the range that applications may use.
NONSENSE: Final = 4400
SIGNED_OUT: Final = 4401
GONE: Final = 4404

_RENDERERS: Final = ThreadPoolExecutor(max_workers=4, thread_name_prefix="screens")

logger = logging.getLogger(__name__)

Shown = tuple[Signature | None, ...]
# The voice, and the seat with the page's origin, or what is true of somebody without a seat.
_Class = tuple[str, int | bool, str | bool]


@dataclass
class Frame:
    """What is sent to every socket that has the same and lacks the same."""

    text: str

    @cached_property
    def framed(self) -> bytes:
        """The same, ready for the wire."""
        return framed_text(self.text)


class Line(Protocol):
    """A socket, as the hub knows it."""

    viewer: Viewer
    # Of each panel, what the client shows; None until it has said so.
    shown: Shown | None
    # It has asked, and is answered even where nothing is new.
    is_asking: bool
    # It had no room when something was new.
    is_behind: bool

    @property
    def has_room(self) -> bool:
        """Whether it may be sent more before it has acknowledged what is on its way."""
        ...

    async def deliver(self, frame: Frame | None) -> None:
        """Sends a frame; None says that nothing is new."""
        ...

    async def end(self, code: int) -> None: ...


@dataclass(slots=True)
class Update:
    """What a line gets, and what its client shows then. `shown` is None for who may not look."""

    frame: Frame | None
    shown: Shown | None


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
    panels = (*PUBLIC_PANELS, *PRIVATE_PANELS)

    def __init__(self, table_pk: int) -> None:
        super().__init__(live.table_group(table_pk))
        self.table_pk = table_pk
        # The newest that this process has heard of; None: the database must be asked.
        self.heard: Version | None = None
        self.seen: Version | None = None
        # Who sits where changes with the table's own version only.
        self._people: dict[Viewer, _Class | None] = {}
        self._people_at = -1

    def forget(self, line: Line) -> None:
        super().forget(line)
        self._people.pop(line.viewer, None)

    def hear(self, version: Version) -> None:
        if self.heard is None or self.heard.is_older_than(version):
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
        composer = _TableComposer(room, self._people)
        return [composer.update(viewer, shown) for viewer, shown in lines]

    def _room(self) -> Room | None:
        heard, room = self.heard, known_room(pk=self.table_pk)
        if heard is None or room is None:
            room = room_with(self.table_pk)
        elif room.version.is_older_than(heard):
            is_moved_on = room.table.version == heard.table
            room = (room_after(room) if is_moved_on else None) or room_with(self.table_pk)
        if room is not None and play.is_due(room):
            play.settle(self.table_pk)
            room = room_with(self.table_pk)
        if room is not None:
            self.seen = room.version
            if self.heard is None or self.heard.is_older_than(room.version):
                self.heard = room.version
        return room


class _TableComposer:
    """One version of one table, for all its lines: each class of viewers is rendered once."""

    def __init__(self, room: Room, people: dict[Viewer, _Class | None]) -> None:
        self.room = room
        self._people = people
        self._updates: dict[tuple[_Class, int], Update] = {}
        self._made: dict[tuple[str, Part], Piece] = answered_pieces(room)
        self._panels: dict[_Class, tuple[dict[str, Panel], Shown]] = {}
        self._frames: dict[tuple[object, ...], Frame] = {}

    def update(self, viewer: Viewer, shown: Shown) -> Update:
        if viewer not in self._people:
            self._people[viewer] = self._class_of(viewer)
        of = self._people[viewer]
        if of is None:
            return Update(None, None)
        # Those who were sent the same hold the very same `shown`.
        known = self._updates.get((of, id(shown)))
        if known is None:
            panels, signatures = self._panels_for(of, viewer)
            frame = _frame(panels, signatures, shown, self._frames)
            known = self._updates[of, id(shown)] = Update(frame, signatures)
        return known

    def _class_of(self, viewer: Viewer) -> _Class | None:
        """All that a viewer's screen depends on; None for who may not look."""
        room = self.room
        if not may_see(room, viewer.user_pk, viewer.invited):
            return None
        table, seat = room.table, room.seat_of(viewer.user_pk)
        tongue = voice(viewer.language, table.edition)
        if seat is not None:
            return tongue, seat.number, viewer.origin
        return tongue, viewer.user_pk is not None, viewer.user_pk == table.host_id

    def _panels_for(self, of: _Class, viewer: Viewer) -> tuple[dict[str, Panel], Shown]:
        known = self._panels.get(of)
        if known is None:
            tongue = of[0]
            scene, public = public_panels(self.room, tongue)
            is_gathering = self.room.game is None
            address = invite_url(self.room.table, viewer.origin) if is_gathering else ""
            own = private_panels(scene, viewer.user_pk, tongue, invite_url=address, made=self._made)
            panels = public | own
            known = self._panels[of] = panels, tuple(p.signature for p in panels.values())
        return known


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
            updates.append(Update(_frame(panels, signatures, shown, frames), signatures))
        return updates

    async def pause(self) -> None:
        await asyncio.sleep(_LOBBY_EVERY)


class Hub:
    """One for each event loop, which is one for a process."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._tables: dict[int, TableWatch] = {}
        self._lobby: LobbyWatch | None = None
        self._people: dict[int, set[Line]] = {}
        # How many here want to hear of a group, and the groups that the layer knows of.
        self._wanted: dict[str, int] = {}
        self._followed: set[str] = set()
        self._channel = ""
        self._outbox: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {}
        self._has_post = asyncio.Event()
        self._tasks = [
            asyncio.create_task(work())
            for work in (self._listen, self._send_on, self._sweep, self._recheck)
        ]
        live.carry_by(self._carry)

    # Sockets come and go -----------------------------------------------------------------

    async def join_table(self, line: Line, table_pk: int) -> Watch:
        watch = self._tables.get(table_pk)
        if watch is None:
            watch = self._tables[table_pk] = TableWatch(table_pk)
        await self._join(line, watch)
        return watch

    async def join_lobby(self, line: Line) -> Watch:
        if self._lobby is None:
            self._lobby = LobbyWatch()
        await self._join(line, self._lobby)
        return self._lobby

    async def leave(self, line: Line, watch: Watch) -> None:
        if line not in watch.lines:
            return
        watch.forget(line)
        await self._unfollow(watch.group)
        is_left = isinstance(watch, TableWatch) and not watch.lines
        if is_left and self._tables.get(watch.table_pk) is watch:
            del self._tables[watch.table_pk]
        user = line.viewer.user_pk
        if user is not None:
            lines = self._people.get(user, set())
            lines.discard(line)
            if not lines:
                self._people.pop(user, None)
            await self._unfollow(live.person_group(user))

    @property
    def lines(self) -> list[Line]:
        """Every socket that is open here."""
        watches: list[Watch] = [*self._tables.values()]
        if self._lobby is not None:
            watches.append(self._lobby)
        return [line for watch in watches for line in watch.lines]

    async def _join(self, line: Line, watch: Watch) -> None:
        watch.lines.add(line)
        user = line.viewer.user_pk
        if user is not None:
            self._people.setdefault(user, set()).add(line)
            await self._follow(live.person_group(user))
        # Subscribe first, then compare: nothing falls between the two.
        if await self._follow(watch.group) and isinstance(watch, TableWatch):
            watch.heard = None

    # Hints -------------------------------------------------------------------------------

    def _carry(self, group: str, message: dict[str, Any]) -> bool:
        """Takes a hint from any thread of this process; it reaches the others on its own way."""
        if self._loop.is_closed() or not self._loop.is_running():
            return False
        self._loop.call_soon_threadsafe(self._take_and_post, group, message)
        return True

    def _take_and_post(self, group: str, message: dict[str, Any]) -> None:
        self._take(message)
        # The newest hint of a kind says all that the ones before it said.
        kind = f"{message['type']} {message.get('session', '')}"
        self._outbox[group, kind] = (group, message)
        self._has_post.set()

    def _take(self, message: dict[str, Any]) -> None:
        match message:
            case {"type": "table.changed", "table": int(pk), "version": int(v), "length": int(n)}:
                if pk in self._tables:
                    self._tables[pk].hear(Version(v, n))
            case {"type": "lobby.changed"}:
                if self._lobby is not None:
                    self._lobby.poke()
            case {"type": "person.signed_out", "user": int(user), "session": mark}:
                leaving = [
                    line
                    for line in self._people.get(user, ())
                    if live.session_mark(line.viewer.session_key) == mark
                ]
                self._end(leaving)
            case {"type": "person.changed", "user": int(user)}:
                lines = list(self._people.get(user, ()))
                asyncio.create_task(self._check(lines))  # noqa: RUF006  it ends by itself

    def _end(self, lines: Iterable[Line]) -> None:
        for line in lines:
            asyncio.create_task(line.end(SIGNED_OUT))  # noqa: RUF006  it ends by itself

    # The layer ---------------------------------------------------------------------------

    async def _follow(self, group: str) -> bool:
        """Notes that one more here wants to hear of a group; answers whether it is the first."""
        self._wanted[group] = self._wanted.get(group, 0) + 1
        if self._wanted[group] > 1:
            return False
        await self._subscribe(group)
        return True

    async def _unfollow(self, group: str) -> None:
        self._wanted[group] = self._wanted.get(group, 1) - 1
        if self._wanted[group]:
            return
        del self._wanted[group]
        if group in self._followed:
            self._followed.discard(group)
            with suppress(Exception):
                await get_channel_layer().group_discard(group, self._channel)

    async def _subscribe(self, group: str) -> None:
        if not self._channel or group in self._followed:
            return
        try:
            await get_channel_layer().group_add(group, self._channel)
        except Exception:
            # The sweep tries again; until then it brings what the hints would have.
            logger.warning("the live layer does not take a subscription")
        else:
            if group in self._wanted:
                self._followed.add(group)

    async def _listen(self) -> None:
        layer = get_channel_layer()
        while True:
            try:
                self._channel = await layer.new_channel()
                self._followed.clear()
                for group in list(self._wanted):
                    await self._subscribe(group)
                for watch in self._tables.values():
                    watch.ask_anew()
                while True:
                    self._take(await layer.receive(self._channel))
            except asyncio.CancelledError:
                raise
            except Exception:
                logger.warning("the live layer is gone; trying again")
                self._channel = ""
                await asyncio.sleep(_RETRY)

    async def _send_on(self) -> None:
        layer = get_channel_layer()
        while True:
            await self._has_post.wait()
            self._has_post.clear()
            posts, self._outbox = self._outbox, {}
            for group, message in posts.values():
                try:
                    await layer.group_send(group, message)
                except Exception:
                    # The action is committed; the sweeps of the others bring it to everybody.
                    logger.warning("the live layer did not take a hint")

    # The clock ---------------------------------------------------------------------------

    async def _sweep(self) -> None:
        """What a lost hint would have said, and what nobody moved in time."""
        lobby_at = 0.0
        while True:
            await asyncio.sleep(settings.SOCKET_SWEEP_SECONDS)
            for group in self._wanted.keys() - self._followed:
                await self._subscribe(group)
            if self._lobby is not None and monotonic() - lobby_at >= _LOBBY_ANYWAY:
                lobby_at = monotonic()
                self._lobby.poke()
            watched = list(self._tables)
            if not watched:
                continue
            try:
                versions = await in_thread(lambda watched=watched: _versions(watched))
            except Exception:
                logger.exception("the watched tables could not be looked up")
                continue
            for pk, (version, is_overdue) in versions.items():
                watch = self._tables.get(pk)
                if watch is None:
                    continue
                watch.hear(version)
                if is_overdue:
                    watch.poke()

    async def _recheck(self) -> None:
        """Who you are is checked again while the socket is open, hints or none."""
        while True:
            await asyncio.sleep(settings.SOCKET_RECHECK_SECONDS)
            lines = self.lines
            for start in range(0, len(lines), 100):
                await self._check(lines[start : start + 100])

    async def _check(self, lines: list[Line]) -> None:
        viewers = [line.viewer for line in lines]
        try:
            answers = await in_thread(lambda: still_signed_in(viewers))
        except Exception:
            logger.exception("the sockets' sessions could not be looked up")
            return
        self._end(line for line, is_allowed in zip(lines, answers, strict=True) if not is_allowed)


_hubs: dict[asyncio.AbstractEventLoop, Hub] = {}


def hub() -> Hub:
    """The hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        # Tests run one loop after another.
        for gone in [other for other in _hubs if other.is_closed()]:
            del _hubs[gone]
        _hubs[loop] = Hub()
    return _hubs[loop]


async def in_thread(work: Callable[[], Any]) -> Any:
    """Runs work that reads the database or renders, off the event loop."""

    def with_connections() -> Any:
        close_old_connections()
        try:
            return work()
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_RENDERERS, with_connections)


def _frame(
    panels: dict[str, Panel],
    signatures: Shown,
    shown: Shown,
    frames: dict[tuple[object, ...], Frame],
) -> Frame | None:
    lacking = {
        name: old
        for name, new, old in zip(panels, signatures, shown, strict=True)
        if old is None or old.digest != new.digest
    }
    if not lacking:
        return None
    # Who lacks the same gets the same, whatever else they have.
    key = tuple((panels[name].digest, old and old.digest) for name, old in lacking.items())
    if key not in frames:
        new = difference({name: panels[name] for name in lacking}, lacking)
        frames[key] = Frame(
            json.dumps({"html": new.html, "panels": new.digests}, ensure_ascii=False)
        )
    return frames[key]


def _versions(tables: list[int]) -> dict[int, tuple[Version, bool]]:
    overdue = timezone.now() - _OVERDUE
    rows = Table.objects.filter(pk__in=tables).values_list(
        "pk", "version", "game__length", "game__wakes_at"
    )
    return {
        pk: (
            Version(version, -1 if length is None else length),
            wakes_at is not None and wakes_at <= overdue,
        )
        for pk, version, length, wakes_at in rows
    }
