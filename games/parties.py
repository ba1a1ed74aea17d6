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

    At a blind table a moderator may learn from a refusal that some friend is there, though not
    behind which name: a judge who must not judge has to be told so.
    """
    tables = company(table)
    mine = {user_pk} | Friendship.objects.friends_of(user_pk)
    return (
        Sat.objects.filter(user__in=mine, table__in=tables).exists()
        or Substitute.objects.filter(user__in=mine, table=table).exists()
    )
