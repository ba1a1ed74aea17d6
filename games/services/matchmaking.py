"""Finding the best free table with one click."""

from itertools import islice
from typing import Final

from accounts.models import User
from games.models import Table
from games.selectors.open_tables import ListedTable, TableFilters, friends_of, read_open_tables
from games.services import tables
from games.services.joining import check_may_join, check_standing
from games.services.presence import tables_with_host
from games.wording.refusals import Refusal, Refused

# Of so many tables in other languages the first is offered that the user may join.
_ELSEWHERE_LOOKED_THROUGH: Final = 10


def find_seat(
    *, user: User, filters: TableFilters, language: str, contribution_hash: str = ""
) -> Table:
    """Seat `user` at the matching public table that is nearest to full. Opens no new table.

    Tables whose host is not connected come after all others.

    Tables whose languages do not include `language` are only considered if `filters` asks for
    another language. Raises Refused: NO_TABLE, GAMES_ENOUGH.
    """
    fitting = _fitting(user, filters)
    if not filters.language:
        fitting = [table for table in fitting if _speaks(table, language)]
    for found in _ranked(fitting, filters.language or language):
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


def best_elsewhere(*, user: User, filters: TableFilters, language: str) -> ListedTable | None:
    """Return the best table that `find_seat` leaves out only for its languages; None if none."""
    if filters.language:
        return None
    others = [table for table in _fitting(user, filters) if not _speaks(table, language)]
    for found in islice(_ranked(others, language), _ELSEWHERE_LOOKED_THROUGH):
        table = Table.objects.filter(pk=found.pk).first()
        if table is None:
            continue
        try:
            check_may_join(table=table, user=user)
            check_standing(table=table, user=user)
        except Refused:
            continue
        return found
    return None


def _fitting(user: User, filters: TableFilters) -> list[ListedTable]:
    friends = friends_of([user.pk])[user.pk] if filters.friends else frozenset()
    return [
        table
        for table in read_open_tables().gathering
        if table.has_room and user.pk not in table.people and table.fits(filters, friends)
    ]


def _speaks(table: ListedTable, language: str) -> bool:
    """Return whether a table lists the language, or no language at all."""
    return not table.languages or language in table.languages


def _ranked(found: list[ListedTable], language: str) -> list[ListedTable]:
    """Sort by whether the host is connected, then by most people, the language and the oldest.

    At a blind table no one may learn when someone comes and goes, so its host counts as connected.
    """
    hosted = tables_with_host([table.pk for table in found])
    return sorted(
        found,
        key=lambda table: (
            not table.is_blind and table.pk not in hosted,
            -len(table.people),
            language not in table.languages,
            table.pk,
        ),
    )
