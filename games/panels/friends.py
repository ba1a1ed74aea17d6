"""The friends page: friends, who of them is online, and the tables where they sit."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.core.paginator import Page, Paginator
from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from accounts.models import Friendship, User
from accounts.services.friends import blocked_names
from games.models import LIVE_STAGES, Seat, Visibility

# How many rows each list on a page has.
ROWS: Final = 50
TABLES_OF_A_FRIEND: Final = 5


@dataclass(frozen=True, slots=True)
class FriendsTable:
    """A table at which a friend sits."""

    code: str
    edition: str
    stage: str


@dataclass(frozen=True, slots=True)
class Known:
    name: str
    # The key of the person's page, or "" if only the name is known: it may belong to no one.
    key: str

    @property
    def fits_an_address(self) -> bool:
        """Return whether the name can be part of a path; a typed name may be any text."""
        return "/" not in self.name and bool(self.name.strip("."))


@dataclass(frozen=True, slots=True)
class Friend(Known):
    is_here: bool
    tables: tuple[FriendsTable, ...]


@dataclass(frozen=True, slots=True)
class People:
    """The people that a user knows here: a page of each list, by name."""

    friends: "Page[Any]"
    # Users who have sent a friend request.
    requests: "Page[Any]"
    blocked: "Page[Any]"


def people_of(
    user: User, here_of: Callable[[set[int]], set[int]], asked: Mapping[str, str]
) -> People:
    """Return what the friends page of `user` shows. `here_of` tells which friends are here;
    `asked` names the page of each list that is wanted: "page", "requests", "blocked".

    `here_of` returns which of the given friends are online. `asked` holds the page numbers of the
    lists: "page", "requests", "blocked".

    The tables are those in the public lobby and those at which both sit; never one that hides
    names. A page number that is too high gives the last page.
    """
    friends = User.objects.filter(
        pk__in=Friendship.objects.friends_of(user.pk), is_active=True
    ).order_by("name_key")
    asking = Friendship.objects.filter(asked=user, accepted_at__isnull=True)
    page = _page(friends.values_list("pk", "username", "person_key"), asked.get("page"))
    known = {pk: Known(name, key) for pk, name, key in page.object_list}
    here, found = here_of(set(known)), _tables(user, set(known))
    page.object_list = tuple(
        Friend(friend.name, friend.key, pk in here, tuple(found.get(pk, ())))
        for pk, friend in known.items()
    )
    return People(
        friends=page,
        requests=_known(asking, "asked_by", asked.get("requests")),
        blocked=_blocked(user, asked.get("blocked")),
    )


def _known(rows: QuerySet[Any], who: str, number: str | None) -> "Page[Any]":
    found = rows.order_by(f"{who}__name_key")
    page = _page(found.values_list(f"{who}__username", f"{who}__person_key"), number)
    page.object_list = tuple(Known(name, key) for name, key in page.object_list)
    return page


def _blocked(user: User, number: str | None) -> "Page[Any]":
    page = _page(blocked_names(user), number)
    page.object_list = tuple(Known(name, key) for name, key in page.object_list)
    return page


def _page(rows: QuerySet[Any] | list[Any], number: str | None) -> "Page[Any]":
    return Paginator(rows, ROWS).get_page(number)


def _tables(user: User, friends: set[int]) -> dict[int, list[FriendsTable]]:
    """Return the newest tables of each of these friends."""
    own = Seat.objects.filter(user=user).values("table")
    seats = (
        Seat.objects.filter(
            user__in=friends,
            table__is_blind=False,
            table__stage__in=LIVE_STAGES,
        )
        .filter(Q(table__visibility=Visibility.PUBLIC) | Q(table__in=own))
        .annotate(
            place=Window(
                RowNumber(),
                partition_by=F("user"),
                order_by=[F("table__created_at").desc(), F("table").desc()],
            )
        )
        .filter(place__lte=TABLES_OF_A_FRIEND)
        .order_by("place")
        .values_list("user", "table__code", "table__edition", "table__stage")
    )
    found: defaultdict[int, list[FriendsTable]] = defaultdict(list)
    for pk, code, edition, stage in seats:
        assert pk is not None
        found[pk].append(FriendsTable(code, edition, stage))
    return found
