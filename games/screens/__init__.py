"""Turns views into panels of HTML; `table` says which secrets go into which panels."""

from games import minutes, rooms

from . import pieces, table, talk
from .lobby import OwnTables, PublicTables, as_panels, lobby_panels, own_tables, public_tables
from .mine import Choice
from .phrasebook import Chosen
from .pieces import (
    Difference,
    Panel,
    Part,
    Piece,
    Signature,
    difference,
    framed,
    signature_of,
    voice,
    with_csrf,
)
from .replay import Replay, replay_of
from .scene import LogRound, Scene
from .table import PANELS, leave_pieces, private_panels, public_panels, table_panels
from .talk import MessageRow, hears_gallery, message_row, message_rows, names_by_seat, talk_panels

__all__ = [
    "PANELS",
    "Choice",
    "Chosen",
    "Difference",
    "LogRound",
    "MessageRow",
    "OwnTables",
    "Panel",
    "Part",
    "Piece",
    "PublicTables",
    "Replay",
    "Scene",
    "Signature",
    "as_panels",
    "difference",
    "forget_all",
    "framed",
    "hears_gallery",
    "leave_pieces",
    "lobby_panels",
    "message_row",
    "message_rows",
    "names_by_seat",
    "own_tables",
    "private_panels",
    "public_panels",
    "public_tables",
    "replay_of",
    "signature_of",
    "table_panels",
    "talk_panels",
    "voice",
    "with_csrf",
]


def forget_all() -> None:
    """Empty this process's caches; tests that reuse primary keys need it."""
    for memory in (minutes, rooms, pieces, table, talk):
        memory.forget_all()
