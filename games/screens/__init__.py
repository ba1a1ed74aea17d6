"""Views become panels of HTML here, and nowhere else: see `table` for which secrets go where."""

from .lobby import LobbyRow, lobby_panels
from .mine import Choice, Mine, seat_of
from .panels import Panel, Person, as_fragment, changed, voice, with_csrf
from .scene import Scene, SeatCard
from .table import forget_all, table_panels

__all__ = [
    "Choice",
    "LobbyRow",
    "Mine",
    "Panel",
    "Person",
    "Scene",
    "SeatCard",
    "as_fragment",
    "changed",
    "forget_all",
    "lobby_panels",
    "seat_of",
    "table_panels",
    "voice",
    "with_csrf",
]
