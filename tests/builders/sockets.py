"""A browser's socket, and moves made while it is open."""

import re

from channels.db import database_sync_to_async
from channels.routing import URLRouter
from channels.sessions import CookieMiddleware
from channels.testing import WebsocketCommunicator

from config.observability.sockets import WatchedSockets
from games.live.consumers import SameOrigin
from games.live.routing import websocket_urlpatterns
from games.models import Table
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot
from tests.builders.person import Person
from tests.builders.tables import act

PANELS = {
    "banner", "seats", "tracks", "rules", "administration", "log", "history", "conflicts",
    "you", "action", "administration_mine", "say", "phrasebook", "hearing", "talk",
}  # fmt: skip
SITE = "http://testserver"
# Seconds that an answer may take on a machine that does much else.
IN_TIME = 20


class Socket:
    """A browser's socket, used as live.js uses it."""

    def __init__(
        self,
        viewer: Person,
        path: str | None = None,
        origins: tuple[str, ...] = (SITE,),
        host: str | None = "testserver",
        scheme: str = "ws",
        token: str = "",
    ) -> None:
        self.frames = 0
        cookies = "; ".join(f"{name}={c.value}" for name, c in viewer.client.cookies.items())
        headers = [
            (b"cookie", cookies.encode()),
            (b"accept-language", viewer.language.encode()),
            *((b"origin", origin.encode("latin-1")) for origin in origins),
        ]
        if host is not None:
            headers.append((b"host", host.encode()))
        if token:
            headers.append((b"authorization", f"Bearer {token}".encode()))
        self.line = WebsocketCommunicator(
            # The same stack as in config/asgi.py, which needs a complete environment to import.
            WatchedSockets(SameOrigin(CookieMiddleware(URLRouter(websocket_urlpatterns)))),
            path or f"/live{viewer.url}",
            headers=headers,
        )
        self.line.scope["scheme"] = scheme

    async def opens(self) -> bool:
        is_open, _ = await self.line.connect(timeout=IN_TIME)
        return is_open

    async def send(self, **message: object) -> None:
        await self.line.send_json_to(message)

    async def answer(self) -> dict:
        return await self.line.receive_json_from(timeout=IN_TIME)

    async def frame(self) -> set[str]:
        """Receive the next frame, acknowledge it and return the panels that it updates."""
        answer = await self.answer()
        self.frames += 1
        await self.send(ack=self.frames)
        return set(answer["panels"])

    async def catches_up(self) -> "Socket":
        """Open the socket and bring it to the state of a fresh page."""
        assert await self.opens()
        await self.send(have={})
        assert await self.frame() == PANELS
        return self

    async def closes_with(self) -> int:
        message = await self.line.receive_output(timeout=IN_TIME)
        assert message["type"] == "websocket.close"
        return message["code"]

    async def stays_silent(self) -> bool:
        return await self.line.receive_nothing(timeout=0.1)


def panels_of(html: str) -> set[str]:
    return set(re.findall(r'data-panel="(\w+)"', html))


does = database_sync_to_async


async def nominate(table: Table, target: int = 2) -> None:
    await does(act)(table, Nominate(0, target))


async def vote(table: Table, seat: int, ballot: Ballot = Ballot.JA) -> None:
    await does(act)(table, Vote(seat, ballot))
