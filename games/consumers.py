"""The sockets: each keeps one viewer's panels of one screen as a fresh page would show them.

The hub finds out what is new and for whom; a consumer speaks with its client. Frames that the
client has not acknowledged are few: when they are too many, newer versions wait and the newest
wins, so a slow reader costs no memory.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext

from accounts.middleware import is_session_key
from accounts.models import User
from config.origin import is_same_origin, origin_of
from config.sockets import Socket
from games.hub import NONSENSE, SIGNED_OUT, Frame, Shown, Watch, hub, in_thread
from games.listings import Wanted
from games.rooms import known_room
from games.screens import signature_of
from games.sessions import NoLongerAllowed, Viewer, Wishes, session_of, still_signed_in
from games.socket_limits import TOO_MUCH, CountedSocket, MessageBudget, Place
from games.views.seen import find_room, invited
from games.wishes import wishes_of

_LONGEST_MESSAGE: Final = 2000
_LONGEST_QUERY: Final = 300
# What may be on its way: a client acknowledges 64 frames or 64 KB at the latest.
_FRAMES_ON_THEIR_WAY: Final = 256
_BYTES_ON_THEIR_WAY: Final = 192 * 1024
# What this process keeps for a client that does not read, and that may acknowledge all the same.
_BYTES_WAITING: Final = 32 * 1024


class ScreenConsumer(AsyncWebsocketConsumer):
    """A socket that follows a screen. Implements `games.hub.Line`."""

    place: Place
    watch: Watch | None = None
    # What it must be closed with, said while it was still being opened.
    ended: int | None = None

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Reads what the client says, and nothing else.

        Channels' own loop listens to the layer too, with a task and a queue for each socket,
        and looks for old database connections at every message. Here the hub listens for all
        sockets of the process, and the database is read in its threads only.
        """
        self.scope, self.base_send = scope, send
        self.channel_layer = None
        handlers = {
            "websocket.connect": self.websocket_connect,
            "websocket.receive": self.websocket_receive,
            "websocket.disconnect": self.websocket_disconnect,
        }
        try:
            while True:
                message = await receive()
                await handlers[message["type"]](message)
        except StopConsumer:
            pass
        finally:
            # Also after something went wrong: nobody tells a consumer then that it ends.
            if self.watch is not None:
                await hub().leave(self, self.watch)

    def find_screen(self, user: User | None, session: Mapping[str, Any]) -> int:
        """Which screen this is. Raises NoLongerAllowed. Runs in a thread."""
        raise NotImplementedError

    def wishes_at(self, user: User | None, screen: int) -> Wishes:
        """What this person wishes of the screen. Runs in a thread."""
        return Wishes()

    async def join(self, screen: int) -> Watch:
        """Has the hub see to it that this screen is followed."""
        raise NotImplementedError

    async def connect(self) -> None:
        # Put there by config.sockets, which stands nearest to the server.
        self.socket: Socket = self.scope["socket"]
        self.wire = self.socket.wire
        self.shown: Shown | None = None
        self.is_asking = False
        self.is_behind = False
        # Frames, and characters in them, that were sent and that are not acknowledged.
        self.sent = 0
        self.on_their_way: list[int] = []
        self.size_on_its_way = 0
        try:
            self.viewer, screen = await in_thread(self._open, at_the_door=True)
        except NoLongerAllowed:
            await self.close()
            return
        if not self.place.take_for(self.viewer.user_pk):
            # A socket that was never open has no close code, and would be tried again at once.
            await self.accept()
            await self.close(TOO_MUCH)
            return
        self.budget = MessageBudget(self.viewer.user_pk)
        watch = await self.join(screen)
        # From here on the hub is told when the session ends; what happened before is looked up.
        if self.viewer.user_pk is not None:
            [is_signed_in] = await in_thread(
                lambda: still_signed_in([self.viewer]), at_the_door=True
            )
            self.ended = self.ended if is_signed_in else SIGNED_OUT
        if self.ended is not None:
            await hub().leave(self, watch)
            await self.accept()
            await self.close(self.ended)
            return
        self.watch = watch
        await self.accept()
        # Who is who is known by now.
        self.scope["cookies"].clear()
        if self.wire is not None:
            self.wire.forget_request()

    async def accept(self, *args: Any, **kwargs: Any) -> None:
        await super().accept(*args, **kwargs)
        self.socket.opened()

    async def close(self, code: int | None = None, reason: str | None = None) -> None:
        self.socket.closed(code or 1000)
        await super().close(code, reason)

    async def disconnect(self, code: int) -> None:
        self.socket.closed(code)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.watch is None:
            return
        if not self.budget.take():
            await self.end(TOO_MUCH)
            return
        message = _parsed(text_data)
        if message is None:
            with translation.override(self.viewer.language):
                error = gettext("This message is not one that the table knows.")
            await self.send(json.dumps({"error": error}))
            await self.end(NONSENSE)
        elif "have" in message:
            await self._compare(message["have"])
        else:
            self._acknowledge(message["ack"])

    async def _compare(self, have: Mapping[str, str]) -> None:
        digests = tuple(have.get(name) for name in self.watch.panels)
        is_as_told = self.shown is not None and digests == tuple(s and s.digest for s in self.shown)
        if is_as_told and not self.is_behind:
            # As it was told to show: the hub sends what is newer than that by itself.
            await self.deliver(None)
            return
        self.shown = tuple(None if digest is None else signature_of(digest) for digest in digests)
        self.is_asking = True
        self.watch.look_at(self)

    def _acknowledge(self, frames: int) -> None:
        while self.on_their_way and self.sent - len(self.on_their_way) < frames:
            self.size_on_its_way -= self.on_their_way.pop(0)
        if self.is_behind and self.has_room:
            self.watch.look_at(self)

    # The hub's side --------------------------------------------------------------------------

    @property
    def has_room(self) -> bool:
        return (
            self.size_on_its_way < _BYTES_ON_THEIR_WAY
            and len(self.on_their_way) < _FRAMES_ON_THEIR_WAY
            and (self.wire is None or self.wire.waiting < _BYTES_WAITING)
        )

    async def deliver(self, frame: Frame | None) -> None:
        if frame is None:
            await self.send('{"same": true}')
            return
        self.sent += 1
        self.on_their_way.append(len(frame.text))
        self.size_on_its_way += len(frame.text)
        if self.wire is None:
            await self.send(frame.text)
        else:
            self.wire.write(frame.framed)

    async def ring(self) -> None:
        if self.watch is not None:
            await self.send('{"bell": true}')

    async def end(self, code: int) -> None:
        watch, self.watch = self.watch, None
        if watch is None:
            self.ended = code
            return
        await hub().leave(self, watch)
        await self.close(code)

    def _open(self) -> tuple[Viewer, int]:
        key = self.scope["cookies"].get(settings.SESSION_COOKIE_NAME, "")
        key = key if is_session_key(key) else None
        user, session = session_of(key)
        screen = self.find_screen(user, session)
        viewer = Viewer(
            user_pk=None if user is None else user.pk,
            session_key=key,
            language=_language(self.scope, user),
            invited=invited(session),
            origin=origin_of(self.scope),
            wishes=self.wishes_at(user, screen),
        )
        return viewer, screen


class TableConsumer(CountedSocket, ScreenConsumer):
    def find_screen(self, user: User | None, session: Mapping[str, Any]) -> int:
        code = self.scope["url_route"]["kwargs"]["code"]
        room = find_room(code, None if user is None else user.pk, session)
        if room is None:
            raise NoLongerAllowed
        return room.table.pk

    def wishes_at(self, user: User | None, screen: int) -> Wishes:
        room = known_room(pk=screen)
        return Wishes() if room is None or user is None else wishes_of(user.pk, room.table)

    async def join(self, screen: int) -> Watch:
        return await hub().join_table(self, screen)


class LobbyConsumer(CountedSocket, ScreenConsumer):
    def find_screen(self, user: User | None, session: Mapping[str, Any]) -> int:
        return 0

    async def join(self, screen: int) -> Watch:
        query = dict(parse_qsl(self.scope["query_string"].decode("latin-1")[:_LONGEST_QUERY]))
        is_signed_in = self.viewer.user_pk is not None
        return await hub().join_lobby(self, Wanted.read(query, is_signed_in=is_signed_in))


class UnknownSocket(AsyncWebsocketConsumer):
    """No such address: refused before it opens, like one that is forbidden."""

    async def connect(self) -> None:
        await self.close()


class SameOrigin:
    """Lets a socket open only from a page of this very site: scheme, host and port are equal."""

    def __init__(self, application: Callable[..., Awaitable[None]]) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if is_same_origin(scope):
            await self.application(scope, receive, send)
        else:
            await send({"type": "websocket.close"})


def _parsed(text: str | None) -> dict[str, Any] | None:
    """A message that the protocol knows: {"have": {name: digest}} or {"ack": number}; else None."""
    if text is None or len(text) > _LONGEST_MESSAGE:
        return None
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or len(message) != 1:
        return None
    if type(message.get("ack")) is int:
        return message
    have = message.get("have")
    if isinstance(have, dict) and all(isinstance(value, str) for value in have.values()):
        return message
    return None


def _language(scope: dict[str, Any], user: User | None) -> str:
    """As accounts.middleware.LanguageMiddleware chooses it for a page."""
    if user is not None and user.language:
        return user.language
    request = HttpRequest()
    request.COOKIES = scope["cookies"]
    for name, value in scope["headers"]:
        if name.lower() == b"accept-language":
            request.META["HTTP_ACCEPT_LANGUAGE"] = value.decode("latin-1")
    return translation.get_language_from_request(request).lower()
