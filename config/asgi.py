"""The ASGI application: HTTP through Django, the tables' sockets through Channels."""

import gc
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

# After Django is set up.
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402
from django.conf import settings  # noqa: E402

from config.handler import ThreadedHandler  # noqa: E402
from config.health import Health, register  # noqa: E402
from config.required import check_serving_settings  # noqa: E402
from config.sockets import WatchedSockets  # noqa: E402
from games.consumers import SameOrigin  # noqa: E402
from games.heartbeat import start_heartbeat  # noqa: E402
from games.presence import start_presence  # noqa: E402
from games.routing import websocket_urlpatterns  # noqa: E402

check_serving_settings()
register()
start_heartbeat()
start_presence()

# What is loaded by now stays: looking through it for garbage again and again is no use. The rest
# is looked through often and a little at a time: a pause stays under two milliseconds.
gc.collect()
gc.freeze()
gc.set_threshold(2_000, 10, 50)

application = ProtocolTypeRouter(
    {
        "http": Health(ThreadedHandler(threads=settings.WEB_THREADS, queue=settings.WEB_QUEUE)),
        "websocket": WatchedSockets(SameOrigin(CookieMiddleware(URLRouter(websocket_urlpatterns)))),
    }
)
