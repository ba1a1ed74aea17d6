"""WebSocket consumers: each keeps one viewer's panels of one screen up to date.

The hub decides what is new and for which viewers; a consumer talks to its client. Only a limited
number of frames may be unacknowledged. Beyond that, newer versions wait and only the newest is
sent, so a slow reader costs no memory.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone, translation
from django.utils.translation import gettext

from accounts.auth.middleware import is_session_key
from accounts.models import User
from config.http.bounds import read_json
from config.http.origin import is_same_origin, origin_of
from config.observability.sockets import Socket
from games.live.hub import BAD_MESSAGE, SIGNED_OUT, Frame, Shown, Subscription, hub, in_thread
from games.live.sessions import NoLongerAllowed, session_of, still_signed_in
from games.live.socket_limits import TOO_MUCH, Budget, CountedSocket, Place
from games.panels import signature_of
from games.selectors.open_tables import TableFilters
from games.selectors.viewer_settings import viewer_settings_of
from games.selectors.visible_tables import invited
from games.state.rooms import known_room
from games.state.viewer import Viewer, ViewerSettings
from games.views.table_access import find_room

_LONGEST_MESSAGE: Final = 2000
_LONGEST_QUERY: Final = 300
# Limits on unacknowledged frames. A client acknowledges at the latest after 64 frames or 64 KB.
_FRAMES_ON_THEIR_WAY: Final = 256
_BYTES_ON_THEIR_WAY: Final = 192 * 1024
# Limit in bytes on what this process buffers for a client that acknowledges frames without reading
# them from the socket.
_BYTES_WAITING: Final = 32 * 1024


class _TooMuch(Exception):
    """The address has opened too many sockets, or its sockets sent or asked for too much."""


class ScreenConsumer(AsyncWebsocketConsumer):
    """A socket that follows a screen. Implements `games.live.hub.Subscriber`."""

    place: Place
    budget: Budget
    subscription: Subscription | None = None
    # The close code, if the hub ended this subscriber while the socket was still being opened.
    ended: int | None = None

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Handle the client's messages, and nothing else.

        Channels' own loop also listens to the channel layer, with a task and a queue for each
        socket, and closes old database connections at every message. Here the hub listens for all
        sockets of the process, and only its threads read the database.
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
            # Also after an error: Channels does not call `disconnect` then.
            if self.subscription is not None:
                await hub().leave(self, self.subscription)

    def find_screen(self, user: User | None, session: Mapping[str, Any]) -> int:
        """Return the number of this screen. Raises NoLongerAllowed. Runs in a thread."""
        raise NotImplementedError

    def viewer_settings_at(self, user: User | None, screen: int) -> ViewerSettings:
        """Return the user's display settings for this screen. Runs in a thread."""
        return ViewerSettings()

    async def join(self, screen: int) -> Subscription:
        """Register this socket with the hub as a follower of the screen."""
        raise NotImplementedError

    async def connect(self) -> None:
        # Set by config.observability.sockets, the outermost ASGI application.
        self.socket: Socket = self.scope["socket"]
        self.wire = self.socket.wire
        self.shown: Shown | None = None
        self.is_asking = False
        self.is_behind = False
        # The number of frames sent, the length in characters of each unacknowledged frame, and the
        # sum of these lengths.
        self.sent = 0
        self.on_their_way: list[int] = []
        self.size_on_its_way = 0
        try:
            self.viewer, screen = await in_thread(self._open, at_the_door=True)
        except NoLongerAllowed:
            await self.close()
            return
        except _TooMuch:
            await self._show_out()
            return
        if not self.place.take_for(self.viewer.user_pk):
            await self._show_out()
            return
        subscription = await self.join(screen)
        # From here on the hub reports when the session ends; check whether it ended before.
        if self.viewer.user_pk is not None:
            [is_signed_in] = await in_thread(
                lambda: still_signed_in([self.viewer]), at_the_door=True
            )
            self.ended = self.ended if is_signed_in else SIGNED_OUT
        if self.ended is not None:
            await hub().leave(self, subscription)
            await self.accept()
            await self.close(self.ended)
            return
        self.subscription = subscription
        await self.accept()
        # The viewer is identified by now, so the cookies are not needed any more.
        self.scope["cookies"].clear()
        if self.wire is not None:
            self.wire.forget_request()

    async def _show_out(self) -> None:
        # A socket that never opened has no close code, so the client would retry at once.
        await self.accept()
        await self.close(TOO_MUCH)

    async def accept(self, *args: Any, **kwargs: Any) -> None:
        await super().accept(*args, **kwargs)
        self.socket.opened()

    async def close(self, code: int | None = None, reason: str | None = None) -> None:
        self.socket.closed(code or 1000)
        await super().close(code, reason)

    async def disconnect(self, code: int) -> None:
        self.socket.closed(code)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.subscription is None:
            return
        if not self.budget.take_message():
            await self.end(TOO_MUCH)
            return
        message = _parsed(text_data)
        if message is None:
            with translation.override(self.viewer.language):
                error = gettext(
                    "The site couldn’t read that message. Reload the page and try again."
                )
            await self.send(json.dumps({"error": error}))
            await self.end(BAD_MESSAGE)
        elif "have" in message:
            await self._compare(message["have"])
        elif "beat" in message:
            await self.deliver(None)
        else:
            self._acknowledge(message["ack"])

    async def _compare(self, have: Mapping[str, str]) -> None:
        assert self.subscription is not None
        digests = tuple(have.get(name) for name in self.subscription.panels)
        is_as_told = self.shown is not None and digests == tuple(s and s.digest for s in self.shown)
        if is_as_told and not self.is_behind:
            # The client shows what it was last sent; the hub sends anything newer by itself.
            await self.deliver(None)
            return
        if not self.budget.take_frame():
            await self.end(TOO_MUCH)
            return
        self.shown = tuple(None if digest is None else signature_of(digest) for digest in digests)
        self.is_asking = True
        if settings.REDIS_URL and not await in_thread(self.budget.take_frame_everywhere):
            await self.end(TOO_MUCH)
        if self.subscription is not None:
            self.subscription.look_at(self)

    def _acknowledge(self, frames: int) -> None:
        while self.on_their_way and self.sent - len(self.on_their_way) < frames:
            self.size_on_its_way -= self.on_their_way.pop(0)
        if self.is_behind and self.has_room and self.subscription is not None:
            self.subscription.look_at(self)

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
            # The page sets its clocks by the time.
            now = round(timezone.now().timestamp() * 1000)
            await self.send(f'{{"same": true, "now": {now}}}')
            return
        self.sent += 1
        self.on_their_way.append(len(frame.text))
        self.size_on_its_way += len(frame.text)
        if self.wire is None:
            await self.send(frame.text)
        else:
            self.wire.write(frame.framed)

    async def ring(self) -> None:
        if self.subscription is not None:
            await self.send('{"bell": true}')

    async def end(self, code: int) -> None:
        subscription, self.subscription = self.subscription, None
        if subscription is None:
            self.ended = code
            return
        await hub().leave(self, subscription)
        await self.close(code)

    def _open(self) -> tuple[Viewer, int]:
        if not self.place.may_connect():
            raise _TooMuch
        session_key = self.scope["cookies"].get(settings.SESSION_COOKIE_NAME, "")
        known_key = session_key if is_session_key(session_key) else None
        user, session = session_of(known_key)
        user_pk = None if user is None else user.pk
        self.budget = Budget(self.place.address, user_pk)
        if self.budget.is_spent:
            raise _TooMuch
        screen = self.find_screen(user, session)
        viewer = Viewer(
            user_pk=user_pk,
            language=_language(self.scope, user),
            invited=invited(session),
            origin=origin_of(self.scope),
            viewer_settings=self.viewer_settings_at(user, screen),
            session_key=known_key,
        )
        return viewer, screen


class TableConsumer(CountedSocket, ScreenConsumer):
    def find_screen(self, user: User | None, session: Mapping[str, Any]) -> int:
        code = self.scope["url_route"]["kwargs"]["code"]
        room = find_room(code, None if user is None else user.pk, session)
        if room is None:
            raise NoLongerAllowed
        return room.table.pk

    def viewer_settings_at(self, user: User | None, screen: int) -> ViewerSettings:
        room = known_room(pk=screen)
        return (
            ViewerSettings()
            if room is None or user is None
            else viewer_settings_of(user.pk, room.table)
        )

    async def join(self, screen: int) -> Subscription:
        return await hub().join_table(self, screen)


class LobbyConsumer(CountedSocket, ScreenConsumer):
    def find_screen(self, user: User | None, session: Mapping[str, Any]) -> int:
        return 0

    async def join(self, screen: int) -> Subscription:
        query = dict(parse_qsl(self.scope["query_string"].decode("latin-1")[:_LONGEST_QUERY]))
        is_signed_in = self.viewer.user_pk is not None
        return await hub().join_lobby(self, TableFilters.read(query, is_signed_in=is_signed_in))


class UnknownSocket(AsyncWebsocketConsumer):
    """Refuses unknown addresses before the socket opens, like forbidden ones."""

    async def connect(self) -> None:
        await self.close()


class SameOrigin:
    """Lets a socket open only from a page of this site: scheme, host and port must be equal.

    Below settings.TOKEN_PATHS no cookie counts, and programs send no Origin.
    """

    def __init__(self, application: Callable[..., Awaitable[None]]) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        # A token is sent by the program itself, so no page of another site can make use of it.
        if scope["path"].startswith(settings.TOKEN_PATHS) or is_same_origin(scope):
            await self.application(scope, receive, send)
        else:
            await send({"type": "websocket.close"})


def _parsed(text: str | None) -> dict[str, Any] | None:
    """Return a message of the protocol, or None if it is not one.

    The messages are {"have": {name: digest}}, {"ack": number}, and {"beat": true} from a page
    without panels, which only asks whether the line still works.
    """
    if text is None or len(text) > _LONGEST_MESSAGE:
        return None
    try:
        message = read_json(text)
    except ValueError:
        return None
    if not isinstance(message, dict) or len(message) != 1:
        return None
    if type(message.get("ack")) is int or message.get("beat") is True:
        return message
    have = message.get("have")
    if isinstance(have, dict) and all(isinstance(value, str) for value in have.values()):
        return message
    return None


def _language(scope: dict[str, Any], user: User | None) -> str:
    """Return the language that LanguageMiddleware chooses for a page."""
    if user is not None and user.language:
        return user.language
    request = HttpRequest()
    request.COOKIES = scope["cookies"]
    for name, value in scope["headers"]:
        if name.lower() == b"accept-language":
            request.META["HTTP_ACCEPT_LANGUAGE"] = value.decode("latin-1")
    return translation.get_language_from_request(request).lower()
