"""The yardstick: a bare Channels echo on the same server and channel layer as the site.

A POST without session, CSRF or database sends one group message, and each socket of the group
answers with a fixed frame: `python -m daphne tests.bench.echo:application`, with REDIS_URL.
A socket sets the size of its frames in its URL: /live/tables/<code>/?<bytes>.
"""

import os
from functools import cache
from typing import Any

import django
from asgiref.sync import async_to_sync
from django.conf import settings

settings.configure(
    SECRET_KEY="not a secret",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    MIDDLEWARE=[],
    INSTALLED_APPS=[],
    CHANNEL_LAYERS={
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [os.environ["REDIS_URL"]]},
        }
    },
)
django.setup()

from channels.generic.websocket import AsyncWebsocketConsumer  # noqa: E402
from channels.layers import get_channel_layer  # noqa: E402
from channels.routing import ProtocolTypeRouter  # noqa: E402
from django.core.asgi import get_asgi_application  # noqa: E402
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.urls import path  # noqa: E402


def act(request: HttpRequest, code: str) -> HttpResponse:
    async_to_sync(get_channel_layer().group_send)(f"echo.{code}", {"type": "screen.changed"})
    return HttpResponse(headers={"Content-Length": "0"})


def home(request: HttpRequest) -> HttpResponse:
    return HttpResponse(headers={"Content-Length": "0"})


@cache
def frame_of(size: int) -> str:
    return "x" * size


class Echo(AsyncWebsocketConsumer):
    async def connect(self) -> None:
        code = self.scope["path"].strip("/").rpartition("/")[2]
        self.frame = frame_of(int(self.scope["query_string"] or b"100"))
        self.group = f"echo.{code}"
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def screen_changed(self, event: dict[str, Any]) -> None:
        await self.send(self.frame)


urlpatterns = [path("", home), path("tables/<slug:code>/act/", act)]
application = ProtocolTypeRouter({"http": get_asgi_application(), "websocket": Echo.as_asgi()})
