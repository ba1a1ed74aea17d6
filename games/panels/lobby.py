"""The lobby's panels: the public tables that match a user's filters, and the user's own."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Final

from django.db.models import Count, F, Q, Window
from django.db.models.functions import RowNumber

from games.models import LIVE_STAGES, Pace, Seat, Table, Visibility
from games.panels.pieces import Panel, Part, Piece
from games.selectors.open_seats import seats_offered
from games.selectors.open_tables import (
    ListedTable,
    OpenTables,
    TableFilters,
    count_running,
    friends_of,
    read_open_tables,
)
from games.state.reliability import Reliability
from games.state.rooms import public_views

LOBBY_ROWS = 50
# A page of the reader's own tables: by default as many rows as settings.RUNNING_GAMES allows.
OWN_ROWS: Final = 20
LOBBY_PANELS = ("tables", "mine", "here")
OVER_ROWS = 10
EVERYTHING = TableFilters()


@dataclass(frozen=True, slots=True)
class LobbyRow:
    """A table as the lobby lists it."""

    code: str
    stage: str
    edition: str
    is_custom: bool
    visibility: str
    pace: str
    people: tuple[str, ...]
    seated: int
    wanted: int
    # The host's name; "" at a blind table.
    host: str = ""
    # Whether the reader is the host.
    is_host: bool = False
    # Whether the reader may sit down by one press, as far as the list knows.
    takes_reader: bool = False
    # How many of those seated are bots.
    bots: int = 0
    my_turn: bool = False
    # Whether a bot plays for the reader, who was away.
    is_away: bool = False
    # When a move that may take a day is due.
    move_by: datetime | None = None
    # Reliability of players with enough games, at a table that gathers players and is not blind.
    reliable: tuple[tuple[str, Reliability], ...] = ()
    languages: tuple[str, ...] = ()
    chat: str = ""
    joiners: str = ""
    is_blind: bool = False
    is_rated: bool = False
    # Whether the table gathers players and none is there.
    is_empty: bool = False
    # "liberal" or "fascist" for a game that is over.
    winner: str = ""

    @property
    def humans(self) -> int:
        return self.seated - self.bots


@dataclass(frozen=True, slots=True)
class Pages:
    """The page of a list that is shown.

    The addresses are queries of the lobby's, or None if there is no such page.
    """

    number: int = 1
    all: int = 1
    earlier: str | None = None
    later: str | None = None


@dataclass(frozen=True, slots=True)
class PublicTables(Part):
    template: ClassVar[str] = "lobby_tables"
    noun: ClassVar[str] = "tables"

    gathering: tuple[LobbyRow, ...]
    running: tuple[LobbyRow, ...]
    over: tuple[LobbyRow, ...]
    # Whether the user has set filters.
    is_narrowed: bool
    gathering_pages: Pages = Pages()
    running_pages: Pages = Pages()
    # How many tables gather players, on all pages.
    waiting: int = 0
    # Whether a table of the viewer's gathers players, too: it stands in a list of its own.
    leaves_out: bool = False


@dataclass(frozen=True, slots=True)
class OwnTables(Part):
    template: ClassVar[str] = "lobby_mine"
    noun: ClassVar[str] = "mine"

    rows: tuple[LobbyRow, ...]
    pages: Pages = Pages()


@dataclass(frozen=True, slots=True)
class Here(Part):
    """The number of people online, and of the tables that gather players and match the filters."""

    template: ClassVar[str] = "lobby_here"
    noun: ClassVar[str] = "here"

    people: int
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class Crowd(Part):
    """What happens on the site now, for visitors."""

    template: ClassVar[str] = "lobby_crowd"
    noun: ClassVar[str] = "crowd"

    # The number of people online, of running games, and of people who sit in one.
    people: int
    games: int
    players: int


def lobby_panels(
    user_pk: int | None, language: str, filters: TableFilters, people_here: int
) -> dict[str, Panel]:
    """Return the lobby as a user may see it: the public tables they filter for, and their own.

    Visitors see what happens on the site, and users who is online.
    """
    users = [] if user_pk is None else [user_pk]
    friends = friends_of(users if filters.friends else ()).get(user_pk or 0, frozenset())
    found = read_open_tables()
    offered = seats_offered(found.gathering, users).get(user_pk or 0, frozenset())
    public = public_tables(found, filters, friends, seats_of(found, user_pk), offered, language)
    asked = {(user, filters) for user in users}
    own = own_tables(asked).get((user_pk, filters), OwnTables(()))
    # Users count themselves: their page has no socket yet, and the line must not come later.
    here = (
        Here(max(1, people_here), public.waiting) if user_pk is not None else crowd_of(people_here)
    )
    return as_panels(Panel("tables", Piece(public, language)), own, here, language)


def crowd_of(people_here: int) -> Crowd:
    """Return what visitors see of all games together; one statement."""
    running = count_running()
    return Crowd(people_here, running.games, running.players)


def as_panels(public: Panel, own: OwnTables, here: Here | Crowd, language: str) -> dict[str, Panel]:
    return {
        "tables": public,
        "mine": Panel("mine", Piece(own, language)),
        "here": Panel("here", Piece(here, language)),
    }


def seats_of(found: OpenTables, user_pk: int | None) -> frozenset[int]:
    """Return the keys of the tables at which this user sits: they stand in a list of their own."""
    if user_pk is None:
        return frozenset()
    tables = (*found.gathering, *found.running)
    return frozenset(table.pk for table in tables if user_pk in table.people)


def public_tables(
    found: OpenTables,
    filters: TableFilters = EVERYTHING,
    friends: Collection[int] = (),
    own: Collection[int] = (),
    offered: Collection[int] = (),
    language: str = "",
) -> PublicTables:
    """Return the public tables, without `own`, that match the filters of a user with `friends`.

    At the tables in `offered` the user may sit down by one press. Of the tables that gather, those
    where the reader's language is spoken come first, and those where no player is present last.
    """
    spoken = language.partition("-")[0]

    def fitting(tables: Iterable[ListedTable]) -> list[ListedTable]:
        return [table for table in tables if table.pk not in own and table.fits(filters, friends)]

    def rows(tables: Sequence[ListedTable]) -> tuple[LobbyRow, ...]:
        return tuple(listed_row(table, takes_reader=table.pk in offered) for table in tables)

    gathering, running = fitting(found.gathering), fitting(found.running)
    gathering.sort(key=lambda table: (table.is_empty, not table.speaks(spoken)))
    gathering_pages = _pages(len(gathering), LOBBY_ROWS, filters, "page")
    running_pages = _pages(len(running), LOBBY_ROWS, filters, "watch")
    return PublicTables(
        rows(_on_page(gathering, gathering_pages)),
        rows(_on_page(running, running_pages)),
        rows(fitting(found.over)[:OVER_ROWS]),
        is_narrowed=bool(filters),
        gathering_pages=gathering_pages,
        running_pages=running_pages,
        waiting=len(gathering),
        leaves_out=any(table.pk in own for table in found.gathering),
    )


def _pages(count: int, size: int, filters: TableFilters, name: str) -> Pages:
    """Return the page that is asked for, or the last one if that page does not exist."""
    last = max(1, -(-count // size))
    number = min(getattr(filters, name), last)
    return Pages(
        number,
        last,
        earlier=filters.turned(name, number - 1).query if number > 1 else None,
        later=filters.turned(name, number + 1).query if number < last else None,
    )


def _on_page(tables: Sequence[ListedTable], pages: Pages) -> Sequence[ListedTable]:
    return tables[(pages.number - 1) * LOBBY_ROWS :][:LOBBY_ROWS]


def own_tables(
    asked: Iterable[tuple[int, TableFilters]],
) -> dict[tuple[int | None, TableFilters], OwnTables]:
    """Return each person's page of their own tables that gather or play.

    Four statements, however many people and tables there are.
    """
    asked = set(asked)
    if not asked:
        return {}
    places = _places(asked)
    tables = (
        Table.objects.filter(pk__in={table for _, _, _, table in places})
        .select_related("game")
        .prefetch_related("seats")
        .in_bulk()
    )
    to_act = _to_act(tables.values())
    shown: dict[tuple[int | None, TableFilters], OwnTables] = {}
    for user, filters in asked:
        own = {place: (count, table) for pk, place, count, table in places if pk == user}
        if not own:
            continue
        [(count, _), *_] = own.values()
        pages = _pages(count, OWN_ROWS, filters, "mine")
        first = (pages.number - 1) * OWN_ROWS
        rows = [own[place][1] for place in range(first + 1, first + OWN_ROWS + 1) if place in own]
        # A table may end between two of the statements.
        found = [tables[pk] for pk in rows if pk in tables]
        shown[user, filters] = OwnTables(tuple(_own(table, user, to_act) for table in found), pages)
    return shown


def _places(asked: Collection[tuple[int, TableFilters]]) -> list[tuple[int, int, int, int]]:
    """Return the owner, place, count and primary key of each table on the requested pages.

    The place is among the owner's tables, newest first; the count is how many the owner has. One
    statement, which returns no rows of other pages. It also returns the last page, for readers
    who ask for a page beyond it.
    """
    users = {user for user, _ in asked}
    seats = Seat.objects.filter(user__in=users, table__stage__in=LIVE_STAGES)
    # These stand apart, with their dates.
    seats = seats.exclude(
        table__stage=Table.Stage.OPEN,
        table__scheduled_at__isnull=False,
        table__met_at__isnull=True,
    ).annotate(
        place=Window(
            RowNumber(),
            partition_by=F("user"),
            order_by=[F("table__created_at").desc(), F("table").desc()],
        ),
        count=Window(Count("pk"), partition_by=F("user")),
    )
    filters = Q(place__lte=OWN_ROWS)
    for user, mine in {(user, filters.mine) for user, filters in asked if filters.mine > 1}:
        first = (mine - 1) * OWN_ROWS
        is_on_page = Q(place__gt=first, place__lte=first + OWN_ROWS)
        is_last = Q(count__lte=first, place__gt=F("count") - OWN_ROWS)
        filters |= Q(user=user) & (is_on_page | is_last)
    return list(seats.filter(filters).order_by().values_list("user", "place", "count", "table"))


def _to_act(tables: Iterable[Table]) -> dict[int, tuple[int, ...]]:
    """Return the seats that each of these tables waits for, by primary key. One statement."""
    running = []
    for table in tables:
        game = getattr(table, "game", None)
        if game is not None and not table.is_frozen:
            game.table = table
            running.append((game, list(table.seats.all())))
    views = public_views(running)
    return {game.table_id: views[game.pk].to_act for game, _ in running}


def listed_row(table: ListedTable, *, takes_reader: bool) -> LobbyRow:
    """Return what a list says of a public table."""
    return LobbyRow(
        code=table.code,
        stage=table.stage,
        edition=table.edition,
        is_custom=table.is_custom,
        visibility=Visibility.PUBLIC,
        pace=table.pace,
        people=table.names,
        host=table.host_name,
        takes_reader=takes_reader,
        reliable=table.reliable,
        seated=table.seated,
        bots=table.bots,
        wanted=table.wanted,
        languages=table.languages,
        chat=table.chat,
        joiners=table.joiners,
        is_blind=table.is_blind,
        is_rated=table.may_count,
        is_empty=table.is_empty,
        winner=table.winner,
    )


def _own(table: Table, user: int, to_act: dict[int, tuple[int, ...]]) -> LobbyRow:
    seats = list(table.seats.all())
    own = next((seat for seat in seats if seat.user_id == user), None)
    is_away = own is not None and own.is_away and table.stage == Table.Stage.RUNNING
    my_turn = own is not None and not is_away and own.number in to_act.get(table.pk, ())
    return LobbyRow(
        code=table.code,
        stage=table.stage,
        edition=table.edition,
        is_custom=table.is_custom,
        visibility=table.visibility,
        pace=table.pace,
        people=tuple(seat.name for seat in seats if not seat.is_bot),
        host=""
        if table.is_blind or table.host_id is None
        else next((seat.name for seat in seats if seat.user_id == table.host_id), ""),
        is_host=not table.is_blind and table.host_id == user,
        seated=len(seats),
        bots=sum(seat.is_bot for seat in seats),
        wanted=table.seats_wanted,
        my_turn=my_turn,
        is_away=is_away,
        move_by=table.game.deadline if my_turn and table.pace == Pace.DAILY else None,
        is_blind=table.is_blind,
    )
