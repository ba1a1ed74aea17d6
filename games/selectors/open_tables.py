"""The public tables: what the lobby lists, and the filters that users apply to the list."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from django.db.models import Count, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Friendship
from accounts.profiles.widgets import LanguageSelect
from games import wording
from games.models import IS_AHEAD, NOT_COUNTED, Pace, Seat, Table, Visibility
from games.selectors.filter_sets import (
    AddressFilters,
    ChoiceFilter,
    FilterForm,
    Given,
    SwitchFilter,
    edition_choices,
    language_choices,
    query_string,
)
from games.state.reliability import Reliability, reliability_of

# Numbers of players, grouped by the game's three boards.
SIZES: Final = {"5-6": (5, 6), "7-8": (7, 8), "9-10": (9, 10)}
# Only this many of the newest tables are searched; no one reads further.
_LOOKED_THROUGH: Final = 300
_OVER_LOOKED_THROUGH: Final = 60
# The digits of a page number: no list of the lobby has more pages.
_LONGEST_NUMBER: Final = 4

_COLUMNS: Final = (
    *("pk", "code", "host_id", "stage", "edition", "house_rules", "pace", "least_seats"),
    *("seats_wanted", "languages", "joiners", "joiners_least", "chat", "is_blind", "is_rated"),
    *("takes_programs", "empty_since", "starts", "game__winner"),
)


def size_choices() -> list[tuple[str, str]]:
    return [(size, wording.size_in_words(size)) for size in SIZES]


class TableFilterSet(AddressFilters):
    """Reads and shows the filters of the lobby's list."""

    edition = ChoiceFilter(label=_("Rules"), choices=edition_choices)
    size = ChoiceFilter(label=_("Players"), choices=size_choices)
    pace = ChoiceFilter(label=_("Pace"), choices=lambda: Pace.choices)
    language = ChoiceFilter(label=_("Language"), choices=language_choices, widget=LanguageSelect)
    free = SwitchFilter(label=_("With a free seat"))
    friends = SwitchFilter(label=_("With my friends"))

    class Meta:
        model = Table
        fields: list[str] = []
        form = FilterForm

    def __init__(self, given: Given, *, is_signed_in: bool) -> None:
        super().__init__(given)
        if not is_signed_in:
            del self.filters["friends"]


@dataclass(frozen=True, slots=True)
class TableFilters:
    """A user's lobby filters. Empty values do not filter."""

    edition: str = ""
    size: str = ""
    pace: str = ""
    language: str = ""
    friends: bool = False
    free: bool = False
    # The page of the tables that gather, of those that play, and of the reader's own.
    page: int = 1
    watch: int = 1
    mine: int = 1

    @classmethod
    def read(cls, given: Given, *, is_signed_in: bool) -> "TableFilters":
        """Read the filters from a page's query string; invalid values are ignored."""
        values = TableFilterSet(given, is_signed_in=is_signed_in).given
        values["page"] = _page_number(given.get("page"))
        values["watch"] = _page_number(given.get("watch"))
        values["mine"] = _page_number(given.get("mine")) if is_signed_in else 1
        return cls(**values)

    def __bool__(self) -> bool:
        """Return whether the reader looks for only some tables. A page number does not count."""
        return replace(self, page=1, watch=1, mine=1) != TableFilters()

    @property
    def query(self) -> str:
        """The filters as a query string: "?edition=en&free=on", or ""."""
        usual = {item.name: item.default for item in fields(self)}
        given = {name: getattr(self, name) for name in usual}
        return query_string({name: each for name, each in given.items() if each != usual[name]})

    def turned(self, pages: str, number: int) -> "TableFilters":
        """Return the same search at another page; `pages` is "page", "watch" or "mine"."""
        turned: dict[str, Any] = {pages: number}
        return replace(self, **turned)


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A public table with its players. `people` is for filtering and must never be displayed."""

    pk: int
    code: str
    host: int | None
    stage: str
    edition: str
    is_custom: bool
    pace: str
    least: int
    wanted: int
    languages: tuple[str, ...]
    joiners: str
    joiners_least: int
    chat: str
    is_blind: bool
    is_rated: bool
    takes_programs: bool
    # Whether none of its players is there; not told of a blind table.
    is_empty: bool
    starts: str
    winner: str
    # The players' names as used at the table, without the bots.
    names: tuple[str, ...] = ()
    # The host's name, if the host sits there; "" at a blind table.
    host_name: str = ""
    # Pairs of name and reliability, for players with enough games; only at a table that gathers
    # players and is not blind.
    reliable: tuple[tuple[str, Reliability], ...] = ()
    people: frozenset[int] = frozenset()
    seated: int = 0
    bots: int = 0

    @property
    def may_count(self) -> bool:
        """Whether its game can count for the ratings as the table is now."""
        return self.is_rated and not self.bots and not self.is_custom

    @property
    def has_room(self) -> bool:
        return self.stage == Table.Stage.OPEN and self.seated < self.wanted

    def speaks(self, language: str) -> bool:
        """Return whether it lists the language, or no language at all."""
        return not self.languages or language in self.languages

    def fits(self, filters: TableFilters, friends: Collection[int] = ()) -> bool:
        """Return whether it matches the filters of a user with these friends."""
        if filters.edition and filters.edition != self.edition:
            return False
        if filters.pace and filters.pace != self.pace:
            return False
        if filters.size:
            least, most = SIZES[filters.size]
            is_open = self.stage == Table.Stage.OPEN
            smallest, largest = (self.least, self.wanted) if is_open else (self.seated,) * 2
            if most < smallest or largest < least:
                return False
        if filters.language and not self.speaks(filters.language):
            return False
        if filters.free and self.stage == Table.Stage.OPEN and not self.has_room:
            return False
        # Users must not learn that a friend is at a blind table.
        has_friends = not self._hides_people and not self.people.isdisjoint(friends)
        return has_friends or not filters.friends

    @property
    def _hides_people(self) -> bool:
        return self.is_blind and self.stage != Table.Stage.OVER


@dataclass(frozen=True, slots=True)
class OpenTables:
    """The public tables by stage, newest first."""

    gathering: tuple[ListedTable, ...] = ()
    running: tuple[ListedTable, ...] = ()
    over: tuple[ListedTable, ...] = ()


def read_open_tables() -> OpenTables:
    """Read the public tables in five queries, whatever the filters."""
    public = Table.objects.filter(visibility=Visibility.PUBLIC)
    watched = public.filter(spectators=True)
    rows = [
        list(query.values_list(*_COLUMNS))
        for query in (
            public.filter(stage=Table.Stage.OPEN)
            .exclude(IS_AHEAD)
            .order_by("-created_at")[:_LOOKED_THROUGH],
            watched.filter(stage=Table.Stage.RUNNING).order_by("-created_at")[:_LOOKED_THROUGH],
            watched.filter(stage=Table.Stage.OVER, game__ended_at__isnull=False)
            .exclude(game__stopped__in=NOT_COUNTED)
            .order_by("-game__ended_at")[:_OVER_LOOKED_THROUGH],
        )
    ]
    seats: defaultdict[int, list[tuple[str, str, int | None]]] = defaultdict(list)
    tables = [row[0] for some in rows for row in some]
    for table, name, bot, user in (
        Seat.objects.filter(table__in=tables)
        .order_by("number")
        .values_list("table", "name", "bot", "user")
    ):
        seats[table].append((name, bot, user))
    blind = _COLUMNS.index("is_blind")
    known = reliability_of(
        {
            user
            for row in rows[0]
            if not row[blind]
            for _, _, user in seats[row[0]]
            if user is not None
        }
    )
    gathering, running, over = (
        tuple(_listed(row, seats[row[0]], some) for row in found)
        for found, some in zip(rows, (known, {}, {}), strict=True)
    )
    return OpenTables(gathering, running, over)


@dataclass(frozen=True, slots=True)
class Running:
    """How many games are running, and how many people sit in them."""

    games: int
    players: int


def count_running() -> Running:
    """Count all running games, listed or not. Two numbers of all tables together; one statement."""
    seats = Seat.objects.filter(table__stage=Table.Stage.RUNNING)
    found = seats.aggregate(
        games=Count("table", distinct=True), players=Count("user", distinct=True)
    )
    return Running(**found)


def friends_of(users: Iterable[int]) -> dict[int, frozenset[int]]:
    """Return the friends of each of these users; one query, none if there are no users."""
    users = set(users)
    found: defaultdict[int, set[int]] = defaultdict(set)
    if users:
        pairs = Friendship.objects.accepted().filter(Q(asked_by__in=users) | Q(asked__in=users))
        for one, other in pairs.values_list("asked_by", "asked"):
            found[one].add(other)
            found[other].add(one)
    return {user: frozenset(found[user]) for user in users}


def _page_number(given: str | None) -> int:
    """Return the number of a page; the first page for anything that is no number."""
    if not given or len(given) > _LONGEST_NUMBER or not (given.isascii() and given.isdigit()):
        return 1
    return max(1, int(given))


def _listed(
    row: Sequence[object],
    seats: list[tuple[str, str, int | None]],
    known: Mapping[int, Reliability],
) -> ListedTable:
    values: dict[str, Any] = dict(zip(_COLUMNS, row, strict=True))
    return ListedTable(
        pk=values["pk"],
        code=values["code"],
        host=values["host_id"],
        stage=values["stage"],
        edition=values["edition"],
        is_custom=bool(values["house_rules"]),
        pace=values["pace"],
        least=values["least_seats"],
        wanted=values["seats_wanted"],
        languages=tuple(values["languages"]),
        joiners=values["joiners"],
        joiners_least=values["joiners_least"],
        chat=values["chat"],
        is_blind=values["is_blind"],
        is_rated=values["is_rated"],
        takes_programs=values["takes_programs"],
        is_empty=values["empty_since"] is not None and not values["is_blind"],
        starts=values["starts"],
        winner=values["game__winner"] or "",
        names=tuple(name for name, bot, _ in seats if not bot),
        host_name=""
        if values["is_blind"]
        else next((name for name, _, user in seats if user and user == values["host_id"]), ""),
        reliable=()
        if values["is_blind"]
        else tuple((name, known[user]) for name, _, user in seats if user and user in known),
        people=frozenset(user for _, _, user in seats if user is not None),
        seated=len(seats),
        bots=sum(bool(bot) for _, bot, _ in seats),
    )
