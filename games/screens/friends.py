"""The page of friends: who is here, and where they may be found."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import Block, Friendship, User
from games.models import Seat, Table, Visibility


@dataclass(frozen=True, slots=True)
class FriendsTable:
    """A table at which a friend sits."""

    code: str
    edition: str
    stage: str


@dataclass(frozen=True, slots=True)
class Known:
    name: str
    # Of their page.
    key: str


@dataclass(frozen=True, slots=True)
class Friend(Known):
    is_here: bool
    tables: tuple[FriendsTable, ...]


@dataclass(frozen=True, slots=True)
class People:
    """Whom somebody knows here; each list by name."""

    friends: tuple[Friend, ...]
    # Who would like to be a friend.
    requests: tuple[Known, ...]
    blocked: tuple[Known, ...]


def friends_of(user: User) -> dict[int, Known]:
    """The friends of a person by primary key, in order of the names."""
    friends = User.objects.filter(
        pk__in=Friendship.objects.friends_of(user.pk), is_active=True
    ).order_by("name_key")
    rows = friends.values_list("pk", "username", "person_key")
    return {pk: Known(name, key) for pk, name, key in rows}


def people_of(user: User, friends: dict[int, Known], here: set[int]) -> People:
    """What somebody's page of friends shows; `here` are those friends who are here.

    Tables are those that everybody finds in the lobby and those at which both sit; never one
    where names are hidden.
    """
    found = _tables(user, set(friends))
    asking = Friendship.objects.filter(asked=user, accepted_at__isnull=True)
    return People(
        friends=tuple(
            Friend(friend.name, friend.key, pk in here, tuple(found.get(pk, ())))
            for pk, friend in friends.items()
        ),
        requests=_known(asking.order_by("asked_by__name_key"), "asked_by"),
        blocked=_known(Block.objects.filter(blocker=user).order_by("blocked__name_key"), "blocked"),
    )


def _known(rows: QuerySet[Any], who: str) -> tuple[Known, ...]:
    found = rows.values_list(f"{who}__username", f"{who}__person_key")
    return tuple(Known(name, key) for name, key in found)


def _tables(user: User, friends: set[int]) -> dict[int, list[FriendsTable]]:
    own = Seat.objects.filter(user=user).values("table")
    seats = (
        Seat.objects.filter(
            user__in=friends,
            table__is_blind=False,
            table__stage__in=(Table.Stage.OPEN, Table.Stage.RUNNING),
        )
        .filter(Q(table__visibility=Visibility.PUBLIC) | Q(table__in=own))
        .order_by("-table__created_at")
        .values_list("user", "table__code", "table__edition", "table__stage")
    )
    found: defaultdict[int, list[FriendsTable]] = defaultdict(list)
    for pk, code, edition, stage in seats:
        assert pk is not None
        found[pk].append(FriendsTable(code, edition, stage))
    return found
