"""Turns views into panels of HTML; `table` says which secrets go into which panels."""

from games.state import game_log, rooms

from . import chat, film, pieces, table
from .chat import (
    MessageRow,
    hearing_part,
    hears_gallery,
    message_row,
    message_rows,
    names_by_seat,
    talk_panels,
)
from .film import Film, Still, film_of
from .later import opening, rest
from .lobby import (
    Crowd,
    OwnTables,
    PublicTables,
    as_panels,
    lobby_panels,
    own_tables,
    public_tables,
    seats_of,
)
from .newness import added_policies, with_new_marked
from .phrasebook import Chosen
from .pieces import (
    Difference,
    Panel,
    Part,
    Piece,
    Signature,
    difference,
    framed,
    locale_for,
    signature_of,
    with_csrf,
    without_gaps,
)
from .private import Choice
from .replay import EVERYONE, Eyes, Replay, replay_of
from .scene import LogRound, Scene
from .table import PANELS, leave_pieces, private_panels, public_panels, table_panels
from .tutorial import lesson_panels

__all__ = [
    "EVERYONE",
    "PANELS",
    "Choice",
    "Chosen",
    "Crowd",
    "Difference",
    "Eyes",
    "Film",
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
    "Still",
    "added_policies",
    "as_panels",
    "difference",
    "film_of",
    "forget_all",
    "framed",
    "hearing_part",
    "hears_gallery",
    "leave_pieces",
    "lesson_panels",
    "lobby_panels",
    "locale_for",
    "message_row",
    "message_rows",
    "names_by_seat",
    "opening",
    "own_tables",
    "private_panels",
    "public_panels",
    "public_tables",
    "replay_of",
    "rest",
    "seats_of",
    "signature_of",
    "table_panels",
    "talk_panels",
    "with_csrf",
    "with_new_marked",
    "without_gaps",
]


def forget_all() -> None:
    """Empty this process's caches; tests that reuse primary keys need it."""
    for memory in (game_log, rooms, pieces, table, chat, film):
        memory.forget_all()
