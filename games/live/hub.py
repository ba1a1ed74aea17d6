"""The hub: all sockets of one process, grouped by the screen that they follow.

A process subscribes once to each table that a client here follows. On a hint it reads the new
version once (not at all if this process made the move), renders what is new once per viewer class,
and sends every socket the frame that it lacks.
"""

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from threading import Event
from time import monotonic
from typing import Any, Final

from channels.layers import get_channel_layer
from django.conf import settings
from django.dispatch import receiver
from django.utils import timezone

from games.live.frames import BAD_MESSAGE, GONE, RECONNECT, SIGNED_OUT, Frame, Shown, Subscriber
from games.live.sessions import still_signed_in
from games.live.subscriptions import (
    LobbySubscription,
    RenderedUpdates,
    Subscription,
    TableSubscription,
    in_thread,
    renders,
)
from games.models import Table
from games.selectors.open_tables import TableFilters
from games.services import announcements, presence
from games.state.rooms import Version

__all__ = [
    "BAD_MESSAGE",
    "GONE",
    "RECONNECT",
    "SIGNED_OUT",
    "Frame",
    "Hub",
    "Shown",
    "Subscriber",
    "Subscription",
    "hub",
    "in_thread",
]

_LOBBY_ANYWAY: Final = 10.0
# Celery normally moves overdue games; the hub does so when Celery does not.
_OVERDUE: Final = timedelta(seconds=1)
_RETRY: Final = 2.0
# Seconds that a request waits for viewers to be sent its change.
_SHOWN_FIRST: Final = 0.02
# The parts of a table's version; each grows independently.
_PARTS: Final = ("version", "length", "talk")

logger = logging.getLogger(__name__)


class Hub:
    """The sockets of one event loop, of which each process has one."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._tables: dict[int, TableSubscription] = {}
        self._lobby: LobbySubscription | None = None
        self._people: dict[int, set[Subscriber]] = {}
        # How often each group is wanted here, and the groups subscribed to at the channel layer.
        self._wanted: dict[str, int] = {}
        self._followed: set[str] = set()
        self._channel = ""
        self._outbox: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {}
        self._has_post = asyncio.Event()
        self._tasks = [
            asyncio.create_task(work())
            for work in (self._listen, self._send_on, self._sweep, self._recheck)
        ]

    # Sockets come and go -----------------------------------------------------------------

    async def join_table(self, subscriber: Subscriber, table_pk: int) -> Subscription:
        subscription = self._tables.get(table_pk)
        if subscription is None:
            subscription = self._tables[table_pk] = TableSubscription(table_pk)
        await self._join(subscriber, subscription)
        return subscription

    async def join_lobby(self, subscriber: Subscriber, filters: TableFilters) -> Subscription:
        if self._lobby is None:
            self._lobby = LobbySubscription()
        if filters != TableFilters():
            self._lobby.filters[subscriber.viewer] = filters
        await self._join(subscriber, self._lobby)
        return self._lobby

    async def leave(self, subscriber: Subscriber, subscription: Subscription) -> None:
        if subscriber not in subscription.subscribers:
            return
        subscription.forget(subscriber)
        await self._unfollow(subscription.group)
        if (
            isinstance(subscription, TableSubscription)
            and not subscription.subscribers
            and self._tables.get(subscription.table_pk) is subscription
        ):
            del self._tables[subscription.table_pk]
        user = subscriber.viewer.user_pk
        if user is not None:
            subscribers = self._people.get(user, set())
            subscribers.discard(subscriber)
            if not subscribers:
                self._people.pop(user, None)
            presence.register.went(user, subscription.table_pk)
            await self._unfollow(announcements.person_group(user))

    @property
    def subscribers(self) -> list[Subscriber]:
        """All open sockets of this process."""
        subscriptions: list[Subscription] = [*self._tables.values()]
        if self._lobby is not None:
            subscriptions.append(self._lobby)
        return [
            subscriber for subscription in subscriptions for subscriber in subscription.subscribers
        ]

    async def _join(self, subscriber: Subscriber, subscription: Subscription) -> None:
        subscription.subscribers.add(subscriber)
        user = subscriber.viewer.user_pk
        if user is not None:
            self._people.setdefault(user, set()).add(subscriber)
            presence.register.came(user, subscription.table_pk)
            await self._follow(announcements.person_group(user))
        # Subscribe first, then compare, so no change is missed between the two.
        if await self._follow(subscription.group) and isinstance(subscription, TableSubscription):
            subscription.ask_anew()

    # Hints -------------------------------------------------------------------------------

    def carry(self, group: str, message: dict[str, Any]) -> bool:
        """Take a hint from any thread of this process; `_send_on` passes it on to other processes.

        After a change to a table, the request renders the missing panels for viewers on this
        process, and waits a moment until they have been sent. Only one thread of a process runs at
        a time and each switch costs time, and most of the request's own answer consists of what is
        rendered for the viewers.

        Return False if the event loop is not running.
        """
        if self._loop.is_closed() or not self._loop.is_running():
            return False
        version = _version_in(message)
        subscription = None if version is None or renders() else self._tables.get(message["table"])
        if subscription is None or version is None:
            self._loop.call_soon_threadsafe(self._take_and_post, group, message)
            return True
        if subscription.has_more_to_come():
            self._loop.call_soon_threadsafe(self._gather_and_post, group, message, version)
            return True
        made, shown = subscription.made_by_who_moves(version), Event()
        self._loop.call_soon_threadsafe(self._take_and_post, group, message, made, shown)
        shown.wait(_SHOWN_FIRST)
        return True

    def _gather_and_post(self, group: str, message: dict[str, Any], version: Version) -> None:
        subscription = self._tables.get(message["table"])
        if subscription is not None:
            subscription.hear_with_more_to_come(version)
        self._post(group, message)

    def _take_and_post(
        self,
        group: str,
        message: dict[str, Any],
        made: RenderedUpdates | None = None,
        shown: Event | None = None,
    ) -> None:
        self._take(message, made)
        if shown is not None:
            subscription = self._tables.get(message["table"])
            if subscription is None:
                shown.set()
            else:
                subscription.tell_when_shown(shown)
        self._post(group, message)

    def _post(self, group: str, message: dict[str, Any]) -> None:
        """Leave a hint for `_send_on`."""
        # The newest hint of a kind includes everything that earlier ones said.
        kind = f"{message['type']} {message.get('session', '')}"
        _, before = self._outbox.get((group, kind), (group, {}))
        newest = {name: max(message[name], before[name]) for name in _PARTS if name in before}
        self._outbox[group, kind] = (group, message | newest)
        self._has_post.set()

    def _take(self, message: dict[str, Any], made: RenderedUpdates | None = None) -> None:
        match message:
            case {"type": "table.changed", "table": int(pk)} if pk in self._tables:
                version = _version_in(message)
                if version is not None:
                    self._tables[pk].hear(version, made)
            case {"type": "lobby.changed"}:
                if self._lobby is not None:
                    self._lobby.poke()
            case {"type": "person.signed_out", "user": int(user), "session": mark}:
                leaving = [
                    subscriber
                    for subscriber in self._people.get(user, ())
                    if announcements.session_mark(subscriber.viewer.session_key) == mark
                ]
                self._end(leaving)
            case {"type": "person.rung", "user": int(user)}:
                for subscriber in self._people.get(user, ()):
                    asyncio.create_task(subscriber.ring())  # noqa: RUF006  it ends by itself
            case {"type": "person.changed", "user": int(user)}:
                subscribers = list(self._people.get(user, ()))
                asyncio.create_task(self._check(subscribers))  # noqa: RUF006  it ends by itself

            case {"type": "person.viewer_settings", "user": int(user)}:
                self._end(list(self._people.get(user, ())), RECONNECT)

    def _end(self, subscribers: Iterable[Subscriber], code: int = SIGNED_OUT) -> None:
        for subscriber in subscribers:
            asyncio.create_task(subscriber.end(code))  # noqa: RUF006  it ends by itself

    # The layer ---------------------------------------------------------------------------

    async def _follow(self, group: str) -> bool:
        """Count one more follower of a group; return whether it is the first on this process."""
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
            # The sweep tries again; until then it also finds the changes that hints would announce.
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
                for subscription in self._tables.values():
                    subscription.ask_anew()
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
                    # The action is committed; the sweeps of the other processes will find it.
                    logger.warning("the live layer did not take a hint")

    # The clock ---------------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Find changes whose hints were lost, and games that are overdue."""
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
                versions = await in_thread(partial(_versions, watched))
            except Exception:
                logger.exception("the watched tables could not be looked up")
                continue
            for pk, (version, is_overdue) in versions.items():
                subscription = self._tables.get(pk)
                if subscription is None:
                    continue
                subscription.hear(version)
                if is_overdue:
                    subscription.poke()

    async def _recheck(self) -> None:
        """Check the sessions of open sockets regularly, even without a hint."""
        while True:
            await asyncio.sleep(settings.SOCKET_RECHECK_SECONDS)
            subscribers = self.subscribers
            for start in range(0, len(subscribers), 100):
                await self._check(subscribers[start : start + 100])

    async def _check(self, subscribers: list[Subscriber]) -> None:
        viewers = [subscriber.viewer for subscriber in subscribers]
        try:
            answers = await in_thread(lambda: still_signed_in(viewers))
        except Exception:
            logger.exception("the sockets' sessions could not be looked up")
            return
        self._end(
            subscriber
            for subscriber, is_allowed in zip(subscribers, answers, strict=True)
            if not is_allowed
        )


_hubs: dict[asyncio.AbstractEventLoop, Hub] = {}


def hub() -> Hub:
    """Return the hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        # Tests run one loop after another.
        for gone in [other for other in _hubs if other.is_closed()]:
            del _hubs[gone]
        _hubs[loop] = Hub()
    return _hubs[loop]


@receiver(announcements.hint_offered, dispatch_uid="games.live.carry")
def _carry(group: str, message: dict[str, Any], **kwargs: Any) -> bool:
    """Carry a hint to the sockets; return False if no event loop of this process runs."""
    return any(each.carry(group, message) for each in list(_hubs.values()))


def _version_in(message: dict[str, Any]) -> Version | None:
    """Return the version that a hint names; None if the hint is not about a table."""
    match message:
        case {"type": "table.changed", "table": int(), "version": int(v), "length": int(n)}:
            # A process of the previous release sends no `talk`.
            return Version(v, n, message.get("talk", 0))
    return None


def _versions(tables: list[int]) -> dict[int, tuple[Version, bool]]:
    overdue = timezone.now() - _OVERDUE
    rows = Table.objects.filter(pk__in=tables).values_list(
        *("pk", "version", "talk", "game__length", "frozen_at", "game__wakes_at", "asked_until")
    )
    return {
        pk: (
            Version(version, -1 if length is None else length, talk),
            frozen_at is None
            and any(moment is not None and moment <= overdue for moment in moments),
        )
        for pk, version, talk, length, frozen_at, *moments in rows
    }
