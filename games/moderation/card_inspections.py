"""What a table learns, after its game, about moderators who looked at its hidden cards."""

from dataclasses import dataclass
from datetime import datetime

from games.models import CardInspection, Table


@dataclass(frozen=True, slots=True)
class InspectionNote:
    """One look: when, in which round, who looked and why. The reason is text, not HTML."""

    at: datetime
    round: int
    # The moderator's office, never their name: they answer to the site, not to angry players.
    by: str
    reason: str


def inspection_notes(table: Table) -> tuple[InspectionNote, ...]:
    """Return the looks at the game of `table`, oldest first, for the people who played it.

    Empty while the game runs: that a player called a moderator, and when, would reveal something of
    what is hidden. One query if the game is over, otherwise none.
    """
    if table.stage != Table.Stage.OVER:
        return ()
    inspections = CardInspection.objects.filter(table=table).order_by("at")
    return tuple(
        InspectionNote(inspection.at, inspection.round, "moderator", inspection.reason)
        for inspection in inspections
    )
