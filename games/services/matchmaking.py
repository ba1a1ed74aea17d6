"""Finding the best free table with one click."""

from accounts.models import User
from games.models import Table
from games.selectors.open_tables import ListedTable, TableFilters, friends_of, read_open_tables
from games.services import tables
from games.wording.refusals import Refusal, Refused


def find_seat(
    *, user: User, filters: TableFilters, language: str, contribution_hash: str = ""
) -> Table:
    """Seat `user` at the matching public table that is nearest to full. Opens no new table.

    Tables whose languages do not include `language` are only considered if `filters` asks for
    another language. Raises Refused: NO_TABLE, GAMES_ENOUGH.
    """
    friends = friends_of([user.pk])[user.pk] if filters.friends else frozenset()
    fitting = [
        table
        for table in read_open_tables().gathering
        if table.has_room and user.pk not in table.people and table.fits(filters, friends)
    ]
    if not filters.language:
        fitting = [table for table in fitting if not table.languages or language in table.languages]
    for found in sorted(fitting, key=lambda table: _rank(table, filters.language or language)):
        table = Table(pk=found.pk, code=found.code)
        try:
            tables.join_table(table=table, user=user, contribution_hash=contribution_hash)
        except Refused as refused:
            if refused.refusal == Refusal.GAMES_ENOUGH:
                # Every other table would refuse too.
                raise
            # The seat was taken meanwhile, or is reserved for others: try the next table.
            continue
        return table
    raise Refused(Refusal.NO_TABLE)


def _rank(table: ListedTable, language: str) -> tuple[int, bool, int]:
    """Sort by most people, then tables that list the language, then the oldest table."""
    return -len(table.people), language not in table.languages, table.pk
