"""The sockets: each asks `screens` for its own viewer's panels and sends those that changed.

A hint says only that something is new. A socket has at most one frame on its way: newer
versions wait for the client's acknowledgement and the newest wins, so a slow reader costs
no memory.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from time import monotonic
from typing import Any, Final

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils import translation
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext

from accounts.middleware import is_session_key
from config.origin import is_same_origin, origin_of
from games.models import Table
from games.screens import Panel, Person, as_fragment, changed, lobby_panels, table_panels
from games.services import play
from games.services.live import LOBBY_GROUP, person_group, session_mark, table_group
from games.views.seen import find_table, invite_url

# Close codes, of the range that applications may use.
GONE: Final = 4404
NONSENSE: Final = 4400
SIGNED_OUT: Final = 4401
TOO_MUCH: Final = 4429

_LONGEST_MESSAGE: Final = 2000
# A client compares every ten seconds and acknowledges frames; this is a table in a storm.
_MESSAGES_A_MINUTE: Final = 240
_RENDERERS: Final = ThreadPoolExecutor(max_workers=4, thread_name_prefix="screens")


class NoLongerAllowed(Exception):
    """The viewer may not see this screen, or is not who they were when the socket opened."""


class ScreenConsumer(AsyncWebsocketConsumer):
    """A socket that keeps one viewer's panels of one screen as a fresh page would show them."""

    def panels(self, person: Person, session: Mapping[str, Any]) -> dict[str, Panel]:
        """The viewer's panels as they stand. Raises NoLongerAllowed. Runs in a thread."""
        raise NotImplementedError

    def find_group(self, person: Person, session: Mapping[str, Any]) -> str:
        """The group whose hints this screen follows. Raises NoLongerAllowed. Runs in a thread."""
        raise NotImplementedError

    async def connect(self) -> None:
        self.have: dict[str, str] | None = None
        self.frame = 0
        self.is_frame_on_its_way = False
        self.is_something_new = False
        self.followed: list[str] = []
        self.minute, self.messages = monotonic(), 0
        key = self.scope["cookies"].get(settings.SESSION_COOKIE_NAME, "")
        self.session_key = key if is_session_key(key) else None
        try:
            person, group = await self._in_thread(self._open)
        except NoLongerAllowed:
            await self.close()
            return
        self.person_id = person.pk
        self.language = _language(self.scope, person)
        # Subscribe first, then compare: nothing falls between the two.
        await self._follow(group)
        if person.is_authenticated:
            await self._follow(person_group(person.pk))
        await self.accept()

    async def disconnect(self, code: int) -> None:
        for group in self.followed:
            await self.channel_layer.group_discard(group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self._is_too_much():
            await self.close(TOO_MUCH)
            return
        message = _parsed(text_data)
        if message is None:
            with translation.override(self.language):
                error = gettext("This message is not one that the table knows.")
            await self.send(json.dumps({"error": error}))
            await self.close(NONSENSE)
        elif "have" in message:
            # A frame on its way is an answer too; what it leaves out follows its acknowledgement.
            self.have = message["have"]
            self.is_something_new = True
            await self._send_what_is_new(answer_anyway=True)
        elif message["ack"] == self.frame:
            self.is_frame_on_its_way = False
            await self._send_what_is_new()

    def _is_too_much(self) -> bool:
        now = monotonic()
        if now - self.minute >= 60:
            self.minute, self.messages = now, 0
        self.messages += 1
        return self.messages > _MESSAGES_A_MINUTE

    async def screen_changed(self, event: dict[str, Any]) -> None:
        self.is_something_new = True
        await self._send_what_is_new()

    async def person_signed_out(self, event: dict[str, Any]) -> None:
        if event["session"] == session_mark(self.session_key):
            await self.close(SIGNED_OUT)

    async def _send_what_is_new(self, *, answer_anyway: bool = False) -> None:
        # The first compare tells what the client has; before it there is nothing to compare.
        if self.have is None or not self.is_something_new or self.is_frame_on_its_way:
            return
        self.is_something_new = False
        try:
            self.have, html = await self._in_thread(self._render)
        except NoLongerAllowed:
            await self.close(GONE)
            return
        if html:
            self.frame += 1
            self.is_frame_on_its_way = True
            await self.send(json.dumps({"frame": self.frame, "html": html}, ensure_ascii=False))
        elif answer_anyway:
            await self.send('{"same": true}')

    async def _follow(self, group: str) -> None:
        await self.channel_layer.group_add(group, self.channel_name)
        self.followed.append(group)

    async def _in_thread(self, work: Callable[[], Any]) -> Any:
        # Not Channels' one shared thread: sockets must not wait for each other.
        run = database_sync_to_async(work, thread_sensitive=False, executor=_RENDERERS)
        return await run()

    def _open(self) -> tuple[Person, str]:
        person, session = _viewer(self.session_key)
        return person, self.find_group(person, session)

    def _render(self) -> tuple[dict[str, str], str]:
        """The digests of all panels, and those that the client has not, as a fragment."""
        person, session = _viewer(self.session_key)
        if person.pk != self.person_id:
            raise NoLongerAllowed
        panels = self.panels(person, session)
        html = as_fragment(changed(panels, self.have or {}).values())
        return {name: panel.digest for name, panel in panels.items()}, html


class TableConsumer(ScreenConsumer):
    def find_group(self, person: Person, session: Mapping[str, Any]) -> str:
        return table_group(self._table(person, session))

    def panels(self, person: Person, session: Mapping[str, Any]) -> dict[str, Panel]:
        table = self._table(person, session)
        if play.is_due(table):
            play.settle(table.pk)
            table = self._table(person, session)
        return table_panels(table, person, self.language, invite_url=self._invite_url(table))

    def _table(self, person: Person, session: Mapping[str, Any]) -> Table:
        table = find_table(self.scope["url_route"]["kwargs"]["code"], person, session)
        if table is None:
            raise NoLongerAllowed
        return table

    def _invite_url(self, table: Table) -> str:
        return invite_url(table, origin_of(self.scope))


class LobbyConsumer(ScreenConsumer):
    def find_group(self, person: Person, session: Mapping[str, Any]) -> str:
        return LOBBY_GROUP

    def panels(self, person: Person, session: Mapping[str, Any]) -> dict[str, Panel]:
        return lobby_panels(person, self.language)


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


def _viewer(session_key: str | None) -> tuple[Person, dict[str, Any]]:
    """Whose session this is now, and its data. Raises NoLongerAllowed where it has ended."""
    if session_key is None:
        return AnonymousUser(), {}
    data = import_module(settings.SESSION_ENGINE).SessionStore(session_key).load()
    user_id = data.get(SESSION_KEY)
    if user_id is None:
        return AnonymousUser(), data
    user = get_user_model().objects.filter(pk=user_id, is_active=True).first()
    auth_hash = data.get(HASH_SESSION_KEY, "")
    if user is None or not constant_time_compare(auth_hash, user.get_session_auth_hash()):
        raise NoLongerAllowed
    return user, data


def _language(scope: dict[str, Any], person: Person) -> str:
    """As accounts.middleware.LanguageMiddleware chooses it for a page."""
    if person.is_authenticated and person.language:
        return person.language
    request = HttpRequest()
    request.COOKIES = scope["cookies"]
    for name, value in scope["headers"]:
        if name.lower() == b"accept-language":
            request.META["HTTP_ACCEPT_LANGUAGE"] = value.decode("latin-1")
    return translation.get_language_from_request(request).lower()
