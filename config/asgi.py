"""The ASGI application: Django serves HTTP, Channels serves the WebSockets."""

import os
import sys
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

# After Django is set up.
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import resolve  # noqa: E402

from accounts.profiles.names import is_reserved  # noqa: E402
from config.observability.health import Health, register  # noqa: E402
from config.observability.sockets import WatchedSockets  # noqa: E402
from config.serving.handler import ThreadedHandler  # noqa: E402
from config.serving.required_settings import check_serving_settings  # noqa: E402
from games.live.consumers import SameOrigin  # noqa: E402
from games.live.heartbeat import start_heartbeat  # noqa: E402
from games.live.hub import hub  # noqa: E402
from games.live.presence import start_presence  # noqa: E402
from games.live.routing import websocket_urlpatterns  # noqa: E402

check_serving_settings()
register()
start_heartbeat()
start_presence()

# What takes long to build is built now. Otherwise all threads would build it at the same time, each
# for itself, at the first requests: the addresses of all views, and the letters that look alike.
resolve("/")
is_reserved("anybody")

# A thread that computes keeps the interpreter's lock for as long as this when others want it. A
# request wants it again after each SQL statement, and the event loop after each wait: with the
# default of five milliseconds two busy requests make every other request several times slower.
sys.setswitchinterval(0.001)

_router = ProtocolTypeRouter(
    {
        "http": Health(ThreadedHandler(threads=settings.WEB_THREADS, queue=settings.WEB_QUEUE)),
        "websocket": WatchedSockets(SameOrigin(CookieMiddleware(URLRouter(websocket_urlpatterns)))),
    }
)


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    # From the first request on, hints leave by the event loop, so no web thread waits for Redis.
    hub()
    await _router(scope, receive, send)
