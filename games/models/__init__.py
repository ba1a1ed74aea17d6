"""What is kept: tables, who sits at them, and each game as its list of actions."""

from games.models.games import Game, GameAction, Interruption
from games.models.looks import Look, LookIsKept
from games.models.pulse import Pulse
from games.models.tables import (
    Chat,
    Joiners,
    Pace,
    Sat,
    Seat,
    Starts,
    Table,
    Visibility,
    new_code,
    new_contribution,
    new_invitation,
    new_seed,
)
from games.models.talk import Guest, Message, Mute

__all__ = [
    "Chat",
    "Game",
    "GameAction",
    "Guest",
    "Interruption",
    "Joiners",
    "Look",
    "LookIsKept",
    "Message",
    "Mute",
    "Pace",
    "Pulse",
    "Sat",
    "Seat",
    "Starts",
    "Table",
    "Visibility",
    "new_code",
    "new_contribution",
    "new_invitation",
    "new_seed",
]
