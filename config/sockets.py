"""Counts the sockets, and keeps what goes wrong in one out of the server's own log."""

import logging
from time import monotonic
from typing import Any

import structlog
from django.conf import settings
from structlog.contextvars import bind_contextvars, clear_contextvars

from config.health import Application
from games.metrics import SOCKETS, SOCKETS_CLOSED

access = structlog.get_logger("access")
logger = logging.getLogger(__name__)

_ERROR = 1011


class WatchedSockets:
    """Around all that has to do with sockets."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        screen = "table" if scope["path"].startswith("/live/tables/") else "lobby"
        opened_at: float | None = None
        code: int | None = None

        async def sent(message: dict[str, Any]) -> None:
            nonlocal opened_at, code
            if message["type"] == "websocket.accept":
                opened_at = monotonic()
                SOCKETS.labels(screen).inc()
            elif message["type"] == "websocket.close":
                code = message.get("code", 1000)
            await send(message)

        async def received() -> dict[str, Any]:
            nonlocal code
            message: dict[str, Any] = await receive()
            if message["type"] == "websocket.disconnect" and code is None:
                code = message.get("code", 1006)
            return message

        clear_contextvars()
        bind_contextvars(screen=screen)
        try:
            await self.application(scope, received, sent)
        except Exception:
            # Daphne would log it with its words, which may be about a game.
            logger.exception("a socket failed")
            code = _ERROR
            await send({"type": "websocket.close", "code": _ERROR})
        finally:
            if opened_at is not None:
                SOCKETS.labels(screen).dec()
                SOCKETS_CLOSED.labels(_known(code)).inc()
                if settings.ACCESS_LOG:
                    access.info("socket", code=code, seconds=round(monotonic() - opened_at, 1))


def _known(code: int | None) -> str:
    """A client may send any of thousands."""
    is_ours = code in (1000, 1001, 1005, 1006, 1009, 1011, 1012) or 4400 <= (code or 0) < 4500
    return str(code) if is_ours else "other"
