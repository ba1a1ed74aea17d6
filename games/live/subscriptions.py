"""Watches: screens that sockets of this process follow, each rendered once for all of them."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock, local
from typing import Any, ClassVar, Final

from django.db import close_old_connections

from config.serving.in_flight import call_when_idle, requests_to
from games.live.composer import People, TableComposer
from games.live.frames import GONE, Frame, Shown, Subscriber, Update, lacked_frame
from games.panels import (
    Panel,
    Part,
    Piece,
    as_panels,
    leave_pieces,
    own_tables,
    public_tables,
    seats_of,
)
from games.panels.lobby import LOBBY_PANELS, Here, OwnTables, crowd_of
from games.panels.table import PANELS
from games.selectors.open_seats import seats_offered
from games.selectors.open_tables import TableFilters, friends_of, read_open_tables
from games.services import announcements, play, presence, timed_questions
from games.state.rooms import Room, Version, known_room, room_caught_up, room_with
from games.state.viewer import Viewer

# The lobby changes whenever a seat is taken anywhere; people read it more slowly than that.
_LOBBY_EVERY: Final = 1.0
_RENDERERS: Final = ThreadPoolExecutor(max_workers=4, thread_name_prefix="screens")
# A separate pool for opening sockets: when many clients connect at once, connected ones need not
# wait for the rest.
_DOORKEEPERS: Final = ThreadPoolExecutor(max_workers=2, thread_name_prefix="door")
# The longest time in seconds for which moves gather before they are shown together.
_GATHERED_FOR: Final = 0.1
# Render inline for at most this many viewer classes; leave more to the hub.
_MOST_CLASSES: Final = 40
_thread = local()

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class RenderedUpdates:
    """The rendered updates of some subscribers, to be sent."""

    subscribers: list[tuple[Subscriber, Shown]]
    updates: list[Update]
    # Whether all subscribers were rendered.
    is_stale: bool
    # The table's version, if the screen is a table, and the pieces of its private panels.
    version: Version | None = None
    pieces: dict[tuple[str, Part], Piece] = field(default_factory=dict)


class Subscription:
    """A screen that some sockets of this process follow."""

    # Panel names, in the order of `Shown`.
    panels: ClassVar[tuple[str, ...]]
    # The primary key of the table on the screen; None for the lobby.
    table_pk: int | None = None

    def __init__(self, group: str) -> None:
        self.group = group
        self.subscribers: set[Subscriber] = set()
        # Lines to look at although nothing is new.
        self.due: set[Subscriber] = set()
        self.is_stale = False
        self._task: asyncio.Task[None] | None = None
        # Events to set when what is being rendered has been sent.
        self._waiting: list[Event] = []

    def make(self, subscribers: Iterable[Subscriber], *, is_stale: bool) -> RenderedUpdates:
        """Render what these subscribers lack. Runs in a thread."""
        ready = [
            (subscriber, shown)
            for subscriber in subscribers
            if (shown := subscriber.shown) is not None
            and not (subscriber.is_behind and not subscriber.has_room)
        ]
        # A socket that only waits for the bell shows nothing.
        updates = (
            self.compose([(subscriber.viewer, shown) for subscriber, shown in ready])
            if ready
            else []
        )
        return RenderedUpdates(ready, updates, is_stale)

    def compose(self, subscribers: Sequence[tuple[Viewer, Shown]]) -> list[Update]:
        """Return the update of each of these subscribers. Runs in a thread."""
        raise NotImplementedError

    def note_made(self, made: RenderedUpdates) -> None:
        """Called just before `made` is sent."""

    def poke(self) -> None:
        """Record that something is new for all subscribers."""
        self.is_stale = True
        self.go_on()

    def look_at(self, subscriber: Subscriber) -> None:
        """Record that this subscriber may lack something."""
        self.due.add(subscriber)
        self.go_on()

    def forget(self, subscriber: Subscriber) -> None:
        self.subscribers.discard(subscriber)
        self.due.discard(subscriber)

    def go_on(self, made: RenderedUpdates | None = None) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._work(made))

    def tell_when_shown(self, shown: Event) -> None:
        """Set the event once the subscribers have what they lack now."""
        if self._task is None:
            shown.set()
        else:
            self._waiting.append(shown)

    @property
    def is_at_work(self) -> bool:
        return self._task is not None

    async def _work(self, made: RenderedUpdates | None) -> None:
        try:
            if made is not None:
                await self._hand_out(made)
                self._tell()
            while self.is_stale or self.due:
                is_stale, self.is_stale = self.is_stale, False
                subscribers, self.due = (self.subscribers if is_stale else self.due), set()
                await self._bring_up_to_date(subscribers & self.subscribers, is_stale=is_stale)
                self._tell()
                await self.pause()
        finally:
            self._task = None
            self._tell()

    def _tell(self) -> None:
        waiting, self._waiting = self._waiting, []
        for shown in waiting:
            shown.set()

    async def pause(self) -> None:
        """Wait, to gather hints before the next look."""

    async def _bring_up_to_date(self, subscribers: set[Subscriber], *, is_stale: bool) -> None:
        try:
            made = await in_thread(lambda: self.make(subscribers, is_stale=is_stale))
        except Exception:
            # The sweep and the clients' own requests will trigger another attempt.
            logger.exception("%s could not be shown", self.group)
            return
        self.note_made(made)
        await self._hand_out(made)

    async def _hand_out(self, made: RenderedUpdates) -> None:
        for (subscriber, shown), update in zip(made.subscribers, made.updates, strict=True):
            if subscriber.shown is not shown:
                # Meanwhile the client has reported that it shows something else.
                self.due.add(subscriber)
                continue
            # The next acknowledgement makes the subscription look at this subscriber again.
            subscriber.is_behind = not subscriber.has_room
            if subscriber.is_behind and update.shown is not None:
                continue
            try:
                await _hand_over(subscriber, update)
            except Exception:
                # One failing socket must not delay the others.
                logger.exception("a socket of %s took no frame", self.group)


async def _hand_over(subscriber: Subscriber, update: Update) -> None:
    if update.shown is None:
        await subscriber.end(GONE)
        return
    subscriber.shown = update.shown
    if update.frame is not None or subscriber.is_asking:
        subscriber.is_asking = False
        await subscriber.deliver(update.frame)


class TableSubscription(Subscription):
    panels = PANELS
    table_pk: int

    def __init__(self, table_pk: int) -> None:
        super().__init__(announcements.table_group(table_pk))
        self.table_pk = table_pk
        # The newest version that this process has heard of, and the newest shown to all its
        # subscribers.
        self.heard: Version | None = None
        self.seen: Version | None = None
        # Only one thread renders at a time; it may be a request's.
        self._composing = Lock()
        self._composer: TableComposer | None = None
        # Whether everything this process knows of the table may be out of date.
        self._must_ask = True
        # Viewer classes change only with the table's own version.
        self._people = People()
        self._people_at = -1
        self._gathering: asyncio.TimerHandle | None = None

    def forget(self, subscriber: Subscriber) -> None:
        super().forget(subscriber)
        self._people.forget(subscriber.viewer)

    def hear(self, version: Version, made: RenderedUpdates | None = None) -> None:
        """Note that this version exists; `made` is what its own request rendered."""
        if self.heard is not None:
            version = self.heard.with_what_is_newer_in(version)
        self.heard = version
        if self.seen is not None and not self.seen.is_older_than(version):
            return
        if made is None and self._gathering is not None:
            # Most likely the layer's echo of a move of this process.
            return
        if made is None or self.is_at_work:
            self.poke()
        else:
            self.note_made(made)
            self.go_on(made)
            if made.version is None or made.version.is_older_than(version):
                self.poke()

    def hear_with_more_to_come(self, version: Version) -> None:
        """Note that this version exists; a later one that is on its way shows it too."""
        self.heard = version if self.heard is None else self.heard.with_what_is_newer_in(version)
        if self._gathering is None:
            loop = asyncio.get_running_loop()
            self._gathering = loop.call_later(_GATHERED_FOR, self._show_gathered)
            call_when_idle(self._moves_path(), self._show_gathered)

    def _show_gathered(self) -> None:
        if self._gathering is None:
            return
        self._gathering.cancel()
        self._gathering = None
        if self.heard is not None and (self.seen is None or self.seen.is_older_than(self.heard)):
            self.poke()

    def has_more_to_come(self) -> bool:
        """Return whether another move at this table waits in this process.

        Votes come together. If each were shown alone, the last viewers would wait for all of them
        to be rendered.
        """
        return requests_to(self._moves_path()) > 1

    def _moves_path(self) -> str:
        room = known_room(pk=self.table_pk)
        return "" if room is None else f"/tables/{room.table.code}/act/"

    def ask_anew(self) -> None:
        """Ask the database, because hints may have been missed."""
        self._must_ask = True
        self.poke()

    def made_by_who_moves(self, version: Version) -> RenderedUpdates | None:
        """Render what all subscribers lack in a request's thread; None if the hub should do it."""
        if self.is_at_work or self._must_ask or len(self._people.classes) > _MOST_CLASSES:
            return None
        room = known_room(pk=self.table_pk)
        if room is None or room.version.is_older_than(version):
            return None
        try:
            with _as_a_renderer():
                made = self.make(list(self.subscribers), is_stale=True)
                leave_pieces(room, made.pieces)
                return made
        except Exception:
            # The move is committed; the hub tries again.
            logger.exception("%s could not be shown by whoever moved", self.group)
            return None

    def make(self, subscribers: Iterable[Subscriber], *, is_stale: bool) -> RenderedUpdates:
        with self._composing:
            made = super().make(subscribers, is_stale=is_stale)
            composer, self._composer = self._composer, None
            if composer is not None:
                made.version, made.pieces = composer.room.version, composer.made
            return made

    def note_made(self, made: RenderedUpdates) -> None:
        version = made.version
        if version is None:
            return
        if made.is_stale:
            # Not after rendering only some subscribers: the others still lack this version, and the
            # hint that is on its way must find that out.
            self.seen = version
        heard = self.heard
        self.heard = version if heard is None else heard.with_what_is_newer_in(version)

    def compose(self, subscribers: Sequence[tuple[Viewer, Shown]]) -> list[Update]:
        room = self._room()
        if room is None:
            return [Update(None, None) for _ in subscribers]
        if room.table.version != self._people_at:
            self._people, self._people_at = People(), room.table.version
        self._composer = composer = TableComposer(room, self._people)
        return [composer.update(viewer, shown) for viewer, shown in subscribers]

    def _room(self) -> Room | None:
        must_ask, self._must_ask = self._must_ask, False
        heard, room = self.heard, known_room(pk=self.table_pk)
        if must_ask or heard is None or room is None:
            room = room_with(self.table_pk)
        elif room.version.is_older_than(heard):
            room = room_caught_up(room, heard)
        if room is not None and play.is_due(room):
            play.settle(self.table_pk)
            room = room_with(self.table_pk)
        if room is not None and timed_questions.is_due(room):
            timed_questions.settle(self.table_pk)
            room = room_with(self.table_pk)
        return room


class LobbySubscription(Subscription):
    panels = LOBBY_PANELS

    def __init__(self) -> None:
        super().__init__(announcements.LOBBY_GROUP)
        # The filters of viewers who have set any.
        self.filters: dict[Viewer, TableFilters] = {}

    def forget(self, subscriber: Subscriber) -> None:
        super().forget(subscriber)
        self.filters.pop(subscriber.viewer, None)

    def compose(self, subscribers: Sequence[tuple[Viewer, Shown]]) -> list[Update]:
        found, people = read_open_tables(), presence.people_here()
        is_visited = any(viewer.user_pk is None for viewer, _ in subscribers)
        crowd = crowd_of(people) if is_visited else None
        filters = {viewer: self.filters.get(viewer, TableFilters()) for viewer, _ in subscribers}
        own = own_tables(
            (viewer.user_pk, asked)
            for viewer, asked in filters.items()
            if viewer.user_pk is not None
        )
        friends = friends_of(
            viewer.user_pk
            for viewer, asked in filters.items()
            if asked.friends and viewer.user_pk is not None
        )
        offers = seats_offered(
            found.gathering, (viewer.user_pk for viewer in filters if viewer.user_pk is not None)
        )
        # Viewers with the same filters and language, the same seats that they may take, and the
        # same friends if they filter by friends, see the same tables, which are rendered once. A
        # viewer's own tables are left out.
        made: dict[tuple[object, ...], tuple[Panel, int]] = {}
        frames: dict[tuple[object, ...], Frame] = {}
        updates = []
        for viewer, shown in subscribers:
            asked = filters[viewer]
            known = friends.get(viewer.user_pk or 0, frozenset()) if asked.friends else frozenset()
            seats = seats_of(found, viewer.user_pk)
            offered = offers.get(viewer.user_pk or 0, frozenset())
            key = (asked, known, seats, offered, viewer.language)
            if key not in made:
                public = public_tables(found, asked, known, seats, offered, viewer.language)
                made[key] = Panel("tables", Piece(public, viewer.language)), public.waiting
            listed, waiting = made[key]
            mine = own.get((viewer.user_pk, asked), OwnTables(()))
            here = crowd if viewer.user_pk is None and crowd is not None else Here(people, waiting)
            panels = as_panels(listed, mine, here, viewer.language)
            signatures = tuple(panel.signature for panel in panels.values())
            updates.append(Update(lacked_frame(panels, signatures, shown, frames), signatures))
        return updates

    async def pause(self) -> None:
        await asyncio.sleep(_LOBBY_EVERY)


def renders() -> bool:
    """Return whether this thread is rendering for the hub."""
    return getattr(_thread, "renders", False)


@contextmanager
def _as_a_renderer() -> Iterator[None]:
    _thread.renders = True
    try:
        yield
    finally:
        _thread.renders = False


async def in_thread(work: Callable[[], Any], *, at_the_door: bool = False) -> Any:
    """Run work that reads the database or renders, off the event loop.

    `at_the_door`: for a socket that is being opened.
    """

    def with_connections() -> Any:
        close_old_connections()
        try:
            with _as_a_renderer():
                return work()
        finally:
            close_old_connections()

    threads = _DOORKEEPERS if at_the_door else _RENDERERS
    return await asyncio.get_running_loop().run_in_executor(threads, with_connections)
