"""The WebSocket of a program: its seat's view whenever it changes, and requests back.

`games/bots/README.md` describes the messages. The socket follows the table like a page's; the hub
says when something is new for this viewer, and the program gets its whole view, if it differs.
"""

import asyncio
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from django.conf import settings
from django.db import close_old_connections
from django.utils import translation
from django.utils.translation import gettext

from accounts.models import User
from accounts.services.bots import bot_with, digest_of
from accounts.throttling.limits import Limit, hit, too_many_requests_sentence
from config.http.bounds import read_json
from config.http.client_address import headers_of
from games.live.consumers import TableConsumer
from games.live.frames import GONE, Frame
from games.live.hub import BAD_MESSAGE, in_thread
from games.live.sessions import NoLongerAllowed
from games.live.socket_limits import TOO_MUCH
from games.services import presence
from games.views.api import SERVICES, serve
from games.views.seat_json import seat_json
from games.views.table_access import find_room

_LONGEST_MESSAGE: Final = 2000
_LONGEST_NAME: Final = 64
# Not the hub's threads, which only read: services write, and tell the hub.
_SERVANTS: Final = ThreadPoolExecutor(max_workers=2, thread_name_prefix="programs")
# What a program may ask for over its socket: joining comes before it.
_OFFERED: Final = frozenset(SERVICES) - {"join"}


class SeatConsumer(TableConsumer):
    """A program's socket at a table that its bot account may see."""

    user: User
    telling: asyncio.Task[None]

    async def connect(self) -> None:
        self.told = ""
        self.is_telling = self.has_news = False
        await super().connect()
        if self.subscription is not None:
            # The program shows no panels: the first look sends everything.
            self.shown = (None,) * len(self.subscription.panels)
            self.subscription.look_at(self)

    def signed_in(self) -> tuple[User | None, dict[str, Any], dict[str, str]]:
        given = headers_of(self.scope, "authorization")
        token = given[0].removeprefix("Bearer ") if len(given) == 1 else ""
        user = bot_with(token)
        if user is None:
            raise NoLongerAllowed
        self.user = user
        return user, {}, {"token_digest": digest_of(token)}

    @property
    def has_room(self) -> bool:
        return True

    async def deliver(self, frame: Frame | None) -> None:
        self.has_news = True
        if not self.is_telling:
            self.is_telling = True
            self.telling = asyncio.create_task(self._tell())

    async def ring(self) -> None:
        """Do nothing: a program has no bell."""

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.subscription is None:
            return
        if not self.budget.take_message():
            await self.end(TOO_MUCH)
            return
        message = _parsed(text_data)
        if message is None:
            await self.end(BAD_MESSAGE)
            return
        loop = asyncio.get_running_loop()
        await self.send(json.dumps(await loop.run_in_executor(_SERVANTS, self._answer, message)))

    def _answer(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Do what the program asks and return the answer. Runs in a thread."""
        close_old_connections()
        try:
            return self._served(message)
        finally:
            close_old_connections()

    def _served(self, message: Mapping[str, Any]) -> dict[str, Any]:
        asked = message["do"]
        head: dict[str, Any] = {"re": message["id"]} if "id" in message else {}
        posted = {key: value for key, value in message.items() if key not in ("do", "id")}
        with translation.override(self.viewer.language):
            limit = Limit(settings.LIMITS_OF_VIEWS.get(f"games:api_{asked}", "actions"))
            wait = hit(limit, f"user:{self.user.pk}")
            if wait is not None:
                why = too_many_requests_sentence(wait)
                return head | {"error": "too_many_requests", "message": why, "wait": wait}
            room = find_room(self.scope["url_route"]["kwargs"]["code"], self.user.pk, {})
            if room is None:
                return head | {"error": "not_found", "message": gettext("That didn’t work.")}
            error = serve(SERVICES[asked], room, self.user, lambda: posted)
        return head | ({"ok": True} if error is None else error)

    async def _tell(self) -> None:
        """Send the view if it differs from the last one, until there is no more news."""
        try:
            while self.has_news and self.subscription is not None:
                self.has_news = False
                told = await in_thread(self._view)
                if told is None:
                    await self.end(GONE)
                elif told != self.told:
                    self.told = told
                    await self.send(told)
        finally:
            self.is_telling = False

    def _view(self) -> str | None:
        room = find_room(self.scope["url_route"]["kwargs"]["code"], self.user.pk, {})
        if room is None:
            return None
        presence.register.glimpsed(self.user.pk, room.table.pk)
        with translation.override(self.viewer.language):
            return json.dumps({"view": seat_json(room, room.seat_of(self.user.pk))})


def _parsed(text: str | None) -> dict[str, Any] | None:
    """Return a message of the protocol, or None if it is not one."""
    if text is None or len(text) > _LONGEST_MESSAGE:
        return None
    try:
        message = read_json(text)
    except ValueError:
        return None
    if not isinstance(message, dict) or message.get("do") not in _OFFERED:
        return None
    name = message.get("id", "")
    return message if isinstance(name, str) and len(name) <= _LONGEST_NAME else None
