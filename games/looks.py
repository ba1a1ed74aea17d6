"""What a table may know, once its game is over, of moderators who looked behind its cards."""

from dataclasses import dataclass
from datetime import datetime

from games.models import Look, Table


@dataclass(frozen=True, slots=True)
class GlassNote:
    """One look: when, in which round, who looked and why. The reason is text, not HTML."""

    at: datetime
    round: int
    # The office and never the name: it answers to the house, not to angry players.
    by: str
    reason: str


def glass_notes(table: Table) -> tuple[GlassNote, ...]:
    """The looks at the game of `table`, oldest first: for the people who played it.

    Empty while the game runs: that somebody asked for a moderator, and when, would tell the
    table something of what is hidden. One statement where the game is over, otherwise none.
    """
    if table.stage != Table.Stage.OVER:
        return ()
    looks = Look.objects.filter(table=table).order_by("at")
    return tuple(GlassNote(look.at, look.round, "moderator", look.reason) for look in looks)
