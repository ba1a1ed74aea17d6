"""Counts and logs sockets, and keeps their errors out of the server's own log."""

import logging
from dataclasses import dataclass
from time import monotonic
from typing import Any

import structlog
from django.conf import settings

from config.observability.health import Application
from config.observability.metrics import SOCKETS, SOCKETS_CLOSED
from config.serving.transport import DirectTransport, direct_transport_of

access = structlog.get_logger("access")
logger = logging.getLogger(__name__)

_ERROR = 1011
_TABLES = ("/live/tables/", "/api/tables/")


@dataclass(slots=True)
class Socket:
    """The facts about one socket for log and metrics; its consumer updates `scope["socket"]`."""

    screen: str
    # The direct connection to the socket (config/serving/transport.py), or None if there is none.
    wire: DirectTransport | None
    opened_at: float | None = None
    code: int | None = None

    def opened(self) -> None:
        self.opened_at = monotonic()
        SOCKETS.labels(self.screen).inc()

    def closed(self, code: int) -> None:
        """Record the close code. Only the first counts: a later one only repeats our own close."""
        self.code = self.code or code


class WatchedSockets:
    """Wraps the whole WebSocket application.

    It does not wrap `receive` and `send`: an idle socket should cost little, and there are
    thousands of them.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        screen = "table" if scope["path"].startswith(_TABLES) else "lobby"
        socket = scope["socket"] = Socket(screen, direct_transport_of(send))
        try:
            await self.application(scope, receive, send)
        except Exception:
            # Daphne would log the exception's message, which may reveal secrets of a game.
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
    """Return a label for the code: a client may send any of thousands of codes."""
    is_ours = code in (1000, 1001, 1005, 1006, 1009, 1011, 1012) or 4400 <= (code or 0) < 4500
    return str(code) if is_ours else "other"
