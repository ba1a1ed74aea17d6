"""Which of the listed tables would take a user: where the lobby offers a seat by one press.

The host's choice and the kind of the account are known here. The press itself is judged by
`services.joining`, which knows the rest: bans, sanctions and the number of games.
"""

from collections.abc import Collection, Iterable

from django.db.models import Count
from django.utils import timezone

from accounts.models import User
from games.models import NOT_COUNTED, Joiners, Seat, Table
from games.selectors.open_tables import ListedTable, friends_of


def seats_offered(
    gathering: Iterable[ListedTable], users: Iterable[int]
) -> dict[int, frozenset[int]]:
    """Return for each of these users the keys of the tables that have room and would take them.

    Guests are taken by no public table. One statement, and one more for each kind of choice that
    asks about the users; none without users or free seats.
    """
    with_room = [table for table in gathering if table.has_room]
    asked = set(users) if with_room else set()
    if not asked:
        return {}
    people = User.objects.filter(pk__in=asked, is_trial=False)
    joined = dict(people.values_list("pk", "date_joined"))
    choices = {table.joiners for table in with_room}
    friends = friends_of(joined if Joiners.FRIENDS in choices else ())
    finished = finished_games_of(joined if Joiners.PLAYED in choices else ())
    now = timezone.now()

    def takes(table: ListedTable, user: int) -> bool:
        if table.joiners == Joiners.FRIENDS:
            return table.host == user or table.host in friends.get(user, ())
        if table.joiners == Joiners.OLD:
            return (now - joined[user]).days >= table.joiners_least
        if table.joiners == Joiners.PLAYED:
            return finished.get(user, 0) >= table.joiners_least
        return True

    return {
        user: frozenset(table.pk for table in with_room if takes(table, user)) for user in joined
    }


def finished_games_of(users: Collection[int]) -> dict[int, int]:
    """Return in how many finished games that count each user had a seat at the end, if in any.

    One statement; none if there are no users.
    """
    if not users:
        return {}
    seats = Seat.objects.filter(user__in=users, table__stage=Table.Stage.OVER)
    seats = seats.exclude(table__game__stopped__in=NOT_COUNTED)
    counted = seats.order_by().values("user").annotate(games=Count("pk"))
    return dict(counted.values_list("user", "games"))
