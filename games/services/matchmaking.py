"""Finding the best free table with one click."""

from collections.abc import Sequence
from itertools import islice
from typing import Final

from accounts.models import User
from games.models import Table
from games.selectors.open_tables import ListedTable, TableFilters, friends_of, read_open_tables
from games.services import tables
from games.services.hosting import refuse_kicked
from games.services.joining import check_may_join, check_standing
from games.services.presence import tables_with_host
from games.wording.refusals import Refusal, Refused

# Of so many tables the first is offered that the user may join.
_LOOKED_THROUGH: Final = 10


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
        fitting = [table for table in fitting if table.speaks(language)]
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
    others = [table for table in _fitting(user, filters) if not table.speaks(language)]
    return _first_for(user, _ranked(others, language))


def best_for_search(
    *, user: User, filters: TableFilters, languages: Sequence[str]
) -> ListedTable | None:
    """Return the best table for a user who looks for a game in one of `languages`, if any is there.

    Its rules are an edition's, like those of the games that are begun for such users.
    """
    fitting = [
        table
        for table in _fitting(user, filters)
        if not table.is_custom
        and (not languages or any(table.speaks(language) for language in languages))
    ]
    return _first_for(user, _ranked(fitting, languages[0] if languages else ""))


def _first_for(user: User, ranked: Sequence[ListedTable]) -> ListedTable | None:
    """Return the first table that the user may join."""
    for found in islice(ranked, _LOOKED_THROUGH):
        table = Table.objects.filter(pk=found.pk).first()
        if table is None:
            continue
        try:
            refuse_kicked(table=table, user=user)
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
