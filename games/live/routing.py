"""URL patterns of the WebSockets."""

from typing import Final

from django.urls import path, re_path

from games.live.consumers import LobbyConsumer, TableConsumer, UnknownSocket

websocket_urlpatterns: Final = [
    path("live/lobby/", LobbyConsumer.as_asgi()),
    path("live/tables/<slug:code>/", TableConsumer.as_asgi()),
    re_path(r"(?s).*", UnknownSocket.as_asgi()),
]
