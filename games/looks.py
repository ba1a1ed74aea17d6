"""What a table may know, once its game is over, of moderators who looked behind its cards."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from games.models import Look, Table


@dataclass(frozen=True, slots=True)
class GlassNote:
    """One look: when, in which round, who looked and why. The reason is text, not HTML."""

    at: datetime
    round: int
    # The office and never the name: it answers to the house, not to angry players.
    by: str
    reason: str


def glass_notes(table: Table, person: AbstractBaseUser | AnonymousUser) -> tuple[GlassNote, ...]:
    """The looks at the game of `table`, oldest first, for those who have sat there.

    Empty for everybody while the game runs: that somebody asked for a moderator, and when,
    would tell the table something of what is hidden. Empty for spectators afterwards: a
    reason may speak of a player, and is for those whom it concerns. One statement where the
    game is over and `person` is signed in, otherwise none.
    """
    if table.stage != Table.Stage.OVER or not person.is_authenticated:
        return ()
    looks = Look.objects.filter(table=table, table__sat__user=person.pk)
    return tuple(
        GlassNote(look.at, look.round, "moderator", look.reason) for look in looks.order_by("at")
    )
