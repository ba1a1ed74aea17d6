"""The yardstick: a bare Channels echo on the same server and channel layer as the site.

What one socket says goes through the channel layer to all sockets of its table, and each of them
sends it on unchanged. No Django request, session, database or page is part of it:
`python -m tests.bench.serve tests.bench.echo:application`, with REDIS_URL.
"""

import os
from typing import Any

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="not a secret",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    MIDDLEWARE=[],
    INSTALLED_APPS=[],
    # The server reads these for every request.
    UPLOAD_PATHS=(),
    CHANNEL_LAYERS={
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [os.environ["REDIS_URL"]]},
        }
    },
)
django.setup()

from channels.generic.websocket import AsyncWebsocketConsumer  # noqa: E402
from channels.routing import ProtocolTypeRouter  # noqa: E402
from django.core.asgi import get_asgi_application  # noqa: E402
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.urls import path  # noqa: E402


def home(request: HttpRequest) -> HttpResponse:
    """Answer the rig, which asks whether the server is ready."""
    return HttpResponse(headers={"Content-Length": "0"})


class Echo(AsyncWebsocketConsumer):
    async def connect(self) -> None:
        code = self.scope["path"].strip("/").rpartition("/")[2]
        self.group = f"echo.{code}"
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        await self.channel_layer.group_send(self.group, {"type": "echo.said", "text": text_data})

    async def echo_said(self, event: dict[str, Any]) -> None:
        await self.send(event["text"])


urlpatterns = [path("", home)]
application = ProtocolTypeRouter({"http": get_asgi_application(), "websocket": Echo.as_asgi()})
