"""The ASGI application: HTTP through Django, the tables' sockets through Channels."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django_application = get_asgi_application()

# After Django is set up.
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402

from config.health import Health, register  # noqa: E402
from config.required import check_serving_settings  # noqa: E402
from config.sockets import WatchedSockets  # noqa: E402
from games.consumers import SameOrigin  # noqa: E402
from games.routing import websocket_urlpatterns  # noqa: E402

check_serving_settings()
register()

application = ProtocolTypeRouter(
    {
        "http": Health(django_application),
        "websocket": WatchedSockets(SameOrigin(CookieMiddleware(URLRouter(websocket_urlpatterns)))),
    }
)
