"""The addresses of sockets."""

from typing import Final

from django.urls import path

from games.consumers import LobbyConsumer, TableConsumer, UnknownSocket

websocket_urlpatterns: Final = [
    path("live/lobby/", LobbyConsumer.as_asgi()),
    path("live/tables/<slug:code>/", TableConsumer.as_asgi()),
    path("<path:unknown>", UnknownSocket.as_asgi()),
    path("", UnknownSocket.as_asgi()),
]
