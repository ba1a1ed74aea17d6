"""Who may not judge a table: people who sit, sat or wait there, and their friends.

A party must not judge the table. Another account that signed in from the same browser counts as a
friend.
"""

from accounts.models import Friendship
from accounts.services.signals import accounts_of_same_person
from games.models import Sat, Substitute, Table


def participants_of(table: Table) -> list[int]:
    """Return the table and the tables before it that are linked to it by "play again"."""
    found: list[int] = []
    here: int | None = table.pk
    while here is not None and here not in found:
        found.append(here)
        here = Table.objects.filter(next_table=here).values_list("pk", flat=True).first()
    return found


def is_party(user_pk: int, table: Table) -> bool:
    """Return whether the user or a friend is a party to the table or a table before it.

    That is, whether one of them plays or has played at `table` or, if "play again" made it, at a
    table before it.

    For acts: a moderator who must not judge is refused, even where the refusal reveals that some
    friend sits at a blind table, though not under which name.
    """
    mine = {user_pk, *accounts_of_same_person(user_pk)}
    return _is_any_party(mine | Friendship.objects.friends_of(user_pk), table)


def seems_party(user_pk: int, table: Table) -> bool:
    """Return what `is_party` returns, but without friends at a blind table that is not over.

    For pages: otherwise every page without a moderator's buttons would reveal that a friend is
    there.
    """
    if table.is_blind and table.is_live:
        return _is_any_party({user_pk}, table)
    return is_party(user_pk, table)


def _is_any_party(mine: set[int], table: Table) -> bool:
    tables = participants_of(table)
    return (
        Sat.objects.filter(user__in=mine, table__in=tables).exists()
        or Substitute.objects.filter(user__in=mine, table=table).exists()
    )
