"""What is kept: tables, who sits at them, and each game as its list of actions."""

from games.models.affairs import Kick, Motion, Substitute
from games.models.games import Game, GameAction, Interruption
from games.models.looks import Look, LookIsKept
from games.models.pulse import Pulse
from games.models.showings import Showing
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

__all__ = [
    "Chat",
    "Game",
    "GameAction",
    "Interruption",
    "Joiners",
    "Kick",
    "Look",
    "LookIsKept",
    "Motion",
    "Pace",
    "Pulse",
    "Sat",
    "Seat",
    "Showing",
    "Starts",
    "Substitute",
    "Table",
    "Visibility",
    "new_code",
    "new_contribution",
    "new_invitation",
    "new_seed",
]
