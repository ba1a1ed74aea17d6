"""The database models: tables, their seats, and each game as its list of actions."""

from games.models.administration import Kick, Motion, Substitute
from games.models.archive import (
    ArchivedGame,
    ArchivedMoment,
    ArchivedSeat,
    UnarchivedGame,
)
from games.models.attendance import Attendance
from games.models.balance import Balance
from games.models.chat import Guest, Message, Mute
from games.models.dumps import Dump, DumpConsent, DumpPart
from games.models.game_requests import GameRequest
from games.models.games import NOT_COUNTED, Game, GameAction, Interruption
from games.models.notes import Note, Suspicion
from games.models.presence import Presence
from games.models.presets import Preset
from games.models.pulse import Pulse
from games.models.puzzles import Puzzle, PuzzleConsent, PuzzleSolution
from games.models.ratings import (
    RatedGame,
    RatedTempo,
    Rating,
    RatingChange,
    RatingLedger,
    RatingPlayer,
    SeasonStanding,
)
from games.models.records import UploadedRecord
from games.models.reports import BY_NAME, Case, CaseStep, Reason, Report
from games.models.results import Result
from games.models.rulings import Ruling
from games.models.seals import PreparedSeed, is_seal_frozen, published_seal, revealed_seal
from games.models.statistics import SiteTally, TallyLedger
from games.models.tables import (
    HERE_WITHIN,
    IS_AHEAD,
    LIVE_STAGES,
    BotsSay,
    Chat,
    Joiners,
    Level,
    Pace,
    Sat,
    Seat,
    Starts,
    Table,
    Tempo,
    Visibility,
    new_code,
    new_contribution,
    new_invitation,
    new_seed,
)
from games.models.terms import Terms
from games.models.vacations import Vacation

__all__ = [
    "BY_NAME",
    "HERE_WITHIN",
    "IS_AHEAD",
    "LIVE_STAGES",
    "NOT_COUNTED",
    "ArchivedGame",
    "ArchivedMoment",
    "ArchivedSeat",
    "Attendance",
    "Balance",
    "BotsSay",
    "Case",
    "CaseStep",
    "Chat",
    "Dump",
    "DumpConsent",
    "DumpPart",
    "Game",
    "GameAction",
    "GameRequest",
    "Guest",
    "Interruption",
    "Joiners",
    "Kick",
    "Level",
    "Message",
    "Motion",
    "Mute",
    "Note",
    "Pace",
    "PreparedSeed",
    "Presence",
    "Preset",
    "Pulse",
    "Puzzle",
    "PuzzleConsent",
    "PuzzleSolution",
    "RatedGame",
    "RatedTempo",
    "Rating",
    "RatingChange",
    "RatingLedger",
    "RatingPlayer",
    "Reason",
    "Report",
    "Result",
    "Ruling",
    "Sat",
    "SeasonStanding",
    "Seat",
    "SiteTally",
    "Starts",
    "Substitute",
    "Suspicion",
    "Table",
    "TallyLedger",
    "Tempo",
    "Terms",
    "UnarchivedGame",
    "UploadedRecord",
    "Vacation",
    "Visibility",
    "is_seal_frozen",
    "new_code",
    "new_contribution",
    "new_invitation",
    "new_seed",
    "published_seal",
    "revealed_seal",
]
