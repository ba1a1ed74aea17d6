"""The best free table, with one click."""

from accounts.models import User
from games.listings import Listed, Wanted, friends_of, listings
from games.models import Table
from games.refusals import Refusal, Refused
from games.services import tables


def find_seat(*, user: User, wanted: Wanted, language: str, contribution: str = "") -> Table:
    """Seats `user` at the public table that fits and is nearest to being full; opens none.

    Tables where other languages than the `language` of `user` are spoken are for those who ask
    for these. Raises Refused: NO_TABLE.
    """
    friends = friends_of([user.pk])[user.pk] if wanted.friends else frozenset()
    fitting = [
        table
        for table in listings().gathering
        if table.has_room and user.pk not in table.people and table.fits(wanted, friends)
    ]
    if not wanted.language:
        fitting = [table for table in fitting if not table.languages or language in table.languages]
    for found in sorted(fitting, key=lambda table: _rank(table, wanted.language or language)):
        table = Table(pk=found.pk, code=found.code)
        try:
            tables.join_table(table=table, user=user, contribution=contribution)
        except Refused:
            # Taken meanwhile, or for others: the next one.
            continue
        return table
    raise Refused(Refusal.NO_TABLE)


def _rank(table: Listed, language: str) -> tuple[int, bool, int]:
    """People count before empty seats, the language before whichever, and patience."""
    return -len(table.people), language not in table.languages, table.pk
