"""Counts the sockets, and keeps what goes wrong in one out of the server's own log."""

import logging
from dataclasses import dataclass
from time import monotonic
from typing import Any

import structlog
from django.conf import settings

from config.health import Application
from games.metrics import SOCKETS, SOCKETS_CLOSED
from games.wire import Wire, wire_of

access = structlog.get_logger("access")
logger = logging.getLogger(__name__)

_ERROR = 1011


@dataclass(slots=True)
class Socket:
    """What is told of a socket; whoever serves it notes what happens (`scope["socket"]`)."""

    screen: str
    # The short way to it, where there is one.
    wire: Wire | None
    opened_at: float | None = None
    code: int | None = None

    def opened(self) -> None:
        self.opened_at = monotonic()
        SOCKETS.labels(self.screen).inc()

    def closed(self, code: int) -> None:
        """The first word counts: who closes is told of their own close."""
        self.code = self.code or code


class WatchedSockets:
    """Around all that has to do with sockets.

    It takes no part in what goes to and fro: a socket that is open and silent should cost
    little, and thousands are.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        screen = "table" if scope["path"].startswith("/live/tables/") else "lobby"
        socket = scope["socket"] = Socket(screen, wire_of(send))
        try:
            await self.application(scope, receive, send)
        except Exception:
            # Daphne would log it with its words, which may be about a game.
            logger.exception("a socket failed")
            socket.closed(_ERROR)
            await send({"type": "websocket.close", "code": _ERROR})
        finally:
            if socket.opened_at is not None:
                SOCKETS.labels(screen).dec()
                SOCKETS_CLOSED.labels(_known(socket.code)).inc()
                if settings.ACCESS_LOG:
                    seconds = round(monotonic() - socket.opened_at, 1)
                    access.info("socket", screen=screen, code=socket.code, seconds=seconds)


def _known(code: int | None) -> str:
    """A client may send any of thousands."""
    is_ours = code in (1000, 1001, 1005, 1006, 1009, 1011, 1012) or 4400 <= (code or 0) < 4500
    return str(code) if is_ours else "other"
