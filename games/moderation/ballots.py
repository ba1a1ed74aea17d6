"""The ballots of a finished game that say something about who votes like whom."""

from games.rating.alike import JA, NEIN, SILENT
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot
from games.rules.record import Record

_BY_PLAYER = "player"


def ballots_of(record: Record) -> str:
    """Return a word for each election, with a letter for each seat: see `games.rating.alike`.

    A ballot may be cast again until the last is in; the last one counts. Officers vote for
    themselves, so their ballots are left out, as are those that the clock cast.
    """
    found: list[list[str]] = []
    officers: tuple[int, ...] = ()
    for entry in record.entries:
        action = entry.action
        if isinstance(action, Nominate):
            officers = (action.seat, action.target)
            found.append([SILENT] * len(record.seats))
        elif isinstance(action, Vote) and action.seat not in officers:
            letter = JA if action.ballot is Ballot.JA else NEIN
            is_own = entry.by in (None, _BY_PLAYER)
            found[-1][action.seat] = letter if is_own else SILENT
    return " ".join("".join(letters) for letters in found)
