"""The ASGI application: HTTP through Django, the tables' sockets through Channels."""

import os

from config.handler import get_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django_application = get_application()

# After Django is set up.
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402
from django.conf import settings  # noqa: E402

from config.required import check_serving_settings  # noqa: E402
from config.threads import RequestThreads  # noqa: E402
from games.consumers import SameOrigin  # noqa: E402
from games.routing import websocket_urlpatterns  # noqa: E402

check_serving_settings()

application = ProtocolTypeRouter(
    {
        "http": RequestThreads(
            django_application, threads=settings.WEB_THREADS, queue=settings.WEB_QUEUE
        ),
        "websocket": SameOrigin(CookieMiddleware(URLRouter(websocket_urlpatterns))),
    }
)
