"""Who is no judge of a table: whoever sits, sat or waits there, or has a friend who does."""

from accounts.models import Friendship
from games.models import Sat, Substitute, Table


def company(table: Table) -> list[int]:
    """The table and those before it, from which its people came by "play again"."""
    found: list[int] = []
    here: int | None = table.pk
    while here is not None and here not in found:
        found.append(here)
        here = Table.objects.filter(next_table=here).values_list("pk", flat=True).first()
    return found


def is_party(user_pk: int, table: Table) -> bool:
    """Whether this person, or a friend of theirs, plays or has played at `table` or, where it
    was gathered by "play again", at one of those before it.

    For acts: a judge who must not judge is refused, also where the refusal tells a moderator
    that some friend sits at a blind table, though not behind which name.
    """
    return _is_any_party({user_pk} | Friendship.objects.friends_of(user_pk), table)


def seems_party(user_pk: int, table: Table) -> bool:
    """The same for pages. At a blind table that is not over friends do not count, or each page
    without a moderator's buttons would say that one of them is there."""
    if table.is_blind and table.stage in (Table.Stage.OPEN, Table.Stage.RUNNING):
        return _is_any_party({user_pk}, table)
    return is_party(user_pk, table)


def _is_any_party(mine: set[int], table: Table) -> bool:
    tables = company(table)
    return (
        Sat.objects.filter(user__in=mine, table__in=tables).exists()
        or Substitute.objects.filter(user__in=mine, table=table).exists()
    )
