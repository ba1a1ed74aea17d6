"""What is kept: tables, who sits at them, and each game as its list of actions."""

from games.models.affairs import Kick, Motion, Substitute
from games.models.balance import Balance
from games.models.games import NOT_COUNTED, Game, GameAction, Interruption
from games.models.looks import Look, LookIsKept
from games.models.notes import Note, Suspicion
from games.models.presence import Presence
from games.models.presets import Preset
from games.models.pulse import Pulse
from games.models.reports import Case, CaseStep, Reason, Report
from games.models.results import Result
from games.models.rulings import Ruling
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
from games.models.talk import Guest, Message, Mute
from games.models.terms import Terms

__all__ = [
    "NOT_COUNTED",
    "Balance",
    "Case",
    "CaseStep",
    "Chat",
    "Game",
    "GameAction",
    "Guest",
    "Interruption",
    "Joiners",
    "Kick",
    "Look",
    "LookIsKept",
    "Message",
    "Motion",
    "Mute",
    "Note",
    "Pace",
    "Presence",
    "Preset",
    "Pulse",
    "Reason",
    "Report",
    "Result",
    "Ruling",
    "Sat",
    "Seat",
    "Showing",
    "Starts",
    "Substitute",
    "Suspicion",
    "Table",
    "Terms",
    "Visibility",
    "new_code",
    "new_contribution",
    "new_invitation",
    "new_seed",
]
