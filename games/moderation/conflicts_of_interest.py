"""Who may not judge a table: people who sit, sat or wait there, and their friends.

A party must not judge the table. Another account of the same person counts as a friend.
"""

from accounts.models import Friendship
from accounts.services.signals import accounts_of_same_person
from games.models import Sat, Substitute, Table


def is_party(user_pk: int, table: Table) -> bool:
    """Return whether the user or a friend has had a seat at the table or one before it, or waits.

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
    tables = _with_tables_before(table)
    return (
        Sat.objects.filter(user__in=mine, table__in=tables).exists()
        or Substitute.objects.filter(user__in=mine, table=table).exists()
    )


def _with_tables_before(table: Table) -> list[int]:
    """Return the table and those from which "play again" led to it, by primary key."""
    found: list[int] = []
    here: int | None = table.pk
    while here is not None and here not in found:
        found.append(here)
        here = Table.objects.filter(next_table=here).values_list("pk", flat=True).first()
    return found
