"""The search for finished games between people, by keyset pages.

A viewer finds the games of public tables with spectators, and those at which they sat: the rule of
`panels/profile.last_games`. A player's games are found if the player's page shows its games to the
viewer. Of any other player a viewer finds the games at which both sat, because the list names the
player there; if there are none, the answer is that of an unknown name. Several players are found
where all of them sat.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.utils import timezone

from accounts.models import Friendship, User
from accounts.profiles.names import LONGEST_COMPARED, name_key
from games.analysis.moments import POWER_MOMENTS, Moment
from games.models import ArchivedGame, ArchivedMoment, ArchivedSeat
from games.rules.phases import Ending
from games.selectors.audiences import shows_games
from games.selectors.game_filters import LONGEST_FIRST, GameFilters

GAMES_ON_A_PAGE: Final = 20
# The search says how many games it found, up to this number.
MOST_COUNTED: Final = 100
# Digits of the numbers in a cursor. The times of so many microseconds are times of the calendar.
_LONGEST_NUMBER: Final = 17
_MICROSECOND: Final = timedelta(microseconds=1)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
# How many names complete one, and of how many players they are chosen.
_MOST_COMPLETED: Final = 8
_MOST_READ: Final = 50
_SHORTEST_BEGUN: Final = 2
_MOST_TELLING: Final = 2
# What the end of a game says already.
_SAID_BY_ENDING: Final[Mapping[str, Moment]] = {
    Ending.HITLER_ELECTED: Moment.HITLER_ELECTED,
    Ending.HITLER_EXECUTED: Moment.HITLER_EXECUTED,
}
# The search for several moments begins with the rarest one.
_RAREST_FIRST: Final = (
    Moment.NO_FASCIST_POLICY,
    Moment.NO_LIBERAL_POLICY,
    Moment.HONEST_ACCUSER_IGNORED,
    Moment.VETO_REFUSED,
    Moment.LIBERAL_SHOT_HITLER,
    Moment.CHAOS,
    Moment.VETO,
    Moment.HITLER_EXECUTED,
    Moment.HITLER_ELECTED,
    Moment.LIBERAL_SHOT_LIBERAL,
    Moment.PEEK,
    Moment.SPECIAL_ELECTION,
    Moment.INVESTIGATION,
    Moment.EXECUTION,
)


@dataclass(frozen=True, slots=True, order=True)
class Cursor:
    """A place between two games: by the microseconds since 1970 of their ends, or their seconds."""

    place: int
    game: int

    @classmethod
    def at(cls, end: datetime, game: int) -> "Cursor":
        return cls((end - _EPOCH) // _MICROSECOND, game)

    @classmethod
    def read(cls, text: str) -> "Cursor | None":
        """Read what `str` writes; None if the text is no cursor."""
        parts = text.split("-") if len(text) <= 2 * _LONGEST_NUMBER + 1 else []
        if len(parts) != 2 or not all(
            0 < len(part) <= _LONGEST_NUMBER and part.isascii() and part.isdigit() for part in parts
        ):
            return None
        return cls(*map(int, parts))

    def __str__(self) -> str:
        return f"{self.place}-{self.game}"


@dataclass(frozen=True, slots=True)
class FoundPlayer:
    """A player whose page shows the game to the viewer, or whom the viewer sat with."""

    number: int
    key: str
    name: str
    role: str
    has_won: bool


@dataclass(frozen=True, slots=True)
class FoundGame:
    """A finished game as the list shows it."""

    pk: int
    code: str
    edition: str
    is_custom: bool
    players: int
    # How many of the players were people.
    people: int
    winner: str
    ending: str
    pace: str
    # A code, or "" for a table of several languages or of any.
    language: str
    rounds: int
    ended_at: datetime
    lasted: timedelta
    is_public: bool
    moments: tuple[str, ...]
    named: tuple[FoundPlayer, ...] = ()
    # The players who were searched for.
    searched: tuple[FoundPlayer, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.named)

    @property
    def bots(self) -> int:
        return self.players - self.people

    @property
    def telling_moments(self) -> tuple[str, ...]:
        """The rarest moments that tell the game from others with the same ending, two at most."""
        said = {*POWER_MOMENTS.values(), _SAID_BY_ENDING.get(self.ending)}
        telling = [moment for moment in _RAREST_FIRST if moment not in said]
        return tuple(moment.value for moment in telling if moment in self.moments)[:_MOST_TELLING]


@dataclass(frozen=True, slots=True)
class FoundGames:
    games: tuple[FoundGame, ...] = ()
    # Where the pages before this one and behind it begin; None if there are none.
    newer: Cursor | None = None
    older: Cursor | None = None
    # How many games there are: MOST_COUNTED + 1 for more; None if they were not counted.
    counted: int | None = None


def find_games(
    filters: GameFilters,
    viewer: User | None,
    *,
    before: Cursor | None = None,
    after: Cursor | None = None,
    most: int | None = None,
    is_counted: bool = False,
) -> FoundGames:
    """Return a page of the games that `viewer` may find; `viewer` None is an anonymous one.

    `before` is the end of the page before, so what follows is listed; `after` lists what comes
    before. `is_counted` also counts the games of all pages, and needs neither place. At most seven
    queries: friends, players, one or two searches, games, seats, and moments.
    """
    friends = _friends(viewer)
    given = filters.given
    players: list[User] = []
    if names := given.get("player", ()):
        known = {
            owner.name_key: owner
            for owner in _findable(Q(name_key__in={_key(name) for name in names}), viewer, friends)
        }
        keys = list(dict.fromkeys(map(_key, names)))
        if not all(key in known for key in keys):
            return FoundGames(counted=0 if is_counted else None)
        players = [known[key] for key in keys]
    most = most or GAMES_ON_A_PAGE
    is_backwards = before is None and after is not None
    read = max(most, MOST_COUNTED) if is_counted else most
    found = [
        place
        for source in _sources(filters, players, viewer, friends)
        for place in _places(source, given.get("sort", ""), before, after, read + 1)
    ]
    found.sort(reverse=not is_backwards)
    shown, has_more = found[:most], len(found) > most
    if is_backwards:
        shown.reverse()
    rows = ArchivedGame.objects.in_bulk([place.game for place in shown])
    listed = [rows[place.game] for place in shown if place.game in rows]
    games = _listed(listed, players, viewer, friends)
    counted = min(len(found), MOST_COUNTED + 1) if is_counted else None
    if not games:
        return FoundGames(counted=counted)
    newer, older = (has_more, True) if is_backwards else (before is not None, has_more)
    return FoundGames(
        games,
        newer=shown[0] if newer else None,
        older=shown[-1] if older else None,
        counted=counted,
    )


def names_beginning(begun: str, viewer: User | None) -> list[str]:
    """Return names that begin like this, of players with games that the viewer may find.

    Two queries, of which one is for the viewer's friends.
    """
    key = _key(begun)
    if len(key) < _SHORTEST_BEGUN:
        return []
    seats = ArchivedSeat.objects.filter(user=OuterRef("pk"), people__gt=1)
    begins = Q(name_key__startswith=key) & Q(Exists(seats.filter(archived__is_public=True)))
    friends = _friends(viewer)
    players = _findable(begins, viewer, friends, most=_MOST_READ)
    # A companion who hides their games, or has another name by now, is not named.
    shown = [player.username for player in players if shows_games(player, viewer, friends)]
    return shown[:_MOST_COMPLETED]


def find_public_game(code: str) -> FoundGame | None:
    """Return the game with this code as everyone may find it, or None. Three queries."""
    games = ArchivedGame.objects.filter(code=code, is_public=True, people__gt=1)
    found = _listed(list(games), (), None, set())
    return found[0] if found else None


def telling_moments_of(game: int) -> tuple[str, ...]:
    """Return the moments that tell a game, by its primary key, from others.

    Powers are left out, because most games have them. A game outside the archive has no moments.
    """
    found = set(ArchivedMoment.objects.filter(archived=game).values_list("moment", flat=True))
    found -= set(POWER_MOMENTS.values())
    return tuple(moment.value for moment in Moment if moment in found)


def _friends(viewer: User | None) -> Set[int]:
    return Friendship.objects.friends_of(viewer.pk) if viewer is not None else set()


def _findable(
    condition: Q, viewer: User | None, friends: Set[int], most: int | None = None
) -> list[User]:
    """Return the players whom the viewer may search for, among those that match the condition.

    Their pages show their games to the viewer, or both have sat at a table.
    """
    # The time lets the database find the viewer's seat by its index.
    beside = ArchivedSeat.objects.filter(
        user=viewer, ended_at=OuterRef("ended_at"), archived=OuterRef("archived")
    )
    seats = ArchivedSeat.objects.filter(Exists(beside), user=OuterRef("pk"))
    is_companion: Any = Value(False) if viewer is None else Exists(seats)
    owners = User.objects.annotate(is_companion=is_companion).filter(condition)
    return [
        owner
        for owner in owners.order_by("name_key")[:most]
        if owner.is_companion or shows_games(owner, viewer, friends)
    ]


def _key(name: str) -> str:
    """Return the name's key; for a text that is too long for a name a key that no name has."""
    return name_key(name.strip()) if len(name) <= LONGEST_COMPARED else ""


# The searches. Each reads one index in the order of the list, and checks the other filters by
# primary key: joins would let SQLite, which knows no statistics, read and sort all matching games.


def _sources(
    filters: GameFilters, players: Sequence[User], viewer: User | None, friends: Set[int]
) -> list["QuerySet[Any]"]:
    """Return the queries whose games together are all that the viewer may find."""
    if players:
        first, *others = players
        condition = _visible_to(viewer, players, friends)
        return [_beside(others, _seats_of(first, filters, condition), filters)]
    sources = [_public(filters)]
    if viewer is not None:
        sources.append(_seats_of(viewer, filters, Q(is_public=False)))
    return sources


def _public(filters: GameFilters) -> "QuerySet[Any]":
    moments = sorted(filters.given.get("moment", ()), key=_RAREST_FIRST.index)
    if not moments:
        # Not `is_public=True`: Django writes that without a comparison, and SQLite then reads no
        # index.
        public = ArchivedGame.objects.filter(is_public__in=(True,), people__gt=1)
        return _within(filters.filter_queryset(public), filters)
    rows = _within(ArchivedMoment.objects.filter(moment=moments[0]), filters)
    games = ArchivedGame.objects.filter(pk=OuterRef("archived"), is_public=True, people__gt=1)
    return rows.filter(Exists(filters.filter_queryset(games)))


def _seats_of(user: User, filters: GameFilters, condition: Q) -> "QuerySet[Any]":
    seats = _within(ArchivedSeat.objects.filter(user=user, people__gt=1), filters)
    games = ArchivedGame.objects.filter(condition, pk=OuterRef("archived"))
    return _played(seats, filters).filter(Exists(filters.filter_queryset(games)))


def _beside(
    others: Iterable[User], seats: "QuerySet[Any]", filters: GameFilters
) -> "QuerySet[Any]":
    """Return the seats of games in which all the others sat."""
    for other in others:
        # The time lets the database find the seat by its user's index.
        beside = ArchivedSeat.objects.filter(
            user=other, ended_at=OuterRef("ended_at"), archived=OuterRef("archived")
        )
        seats = seats.filter(Exists(_played(beside, filters)))
    return seats


def _played(seats: "QuerySet[Any]", filters: GameFilters) -> "QuerySet[Any]":
    """Return the seats with the result and the role that the filters ask of their players."""
    if result := filters.given.get("result"):
        seats = seats.filter(has_won=result == "won")
    if role := filters.given.get("role"):
        seats = seats.filter(role=role)
    return seats


def _visible_to(viewer: User | None, players: Sequence[User], friends: Set[int]) -> Q:
    """Return which games of these players the viewer may find as theirs."""
    if viewer is None:
        return Q(is_public=True)
    if viewer.pk in {player.pk for player in players}:
        return Q()
    together = Q(Exists(ArchivedSeat.objects.filter(user=viewer, archived=OuterRef("pk"))))
    if all(shows_games(player, viewer, friends) for player in players):
        return Q(is_public=True) | together
    return together


def _within(rows: "QuerySet[Any]", filters: GameFilters) -> "QuerySet[Any]":
    """Return the rows of games that ended on these days, which may stand in either order."""
    since, until = filters.given.get("since"), filters.given.get("until")
    if since and until:
        since, until = sorted((since, until))
    # No game ended on the calendar's first day, which has no time in UTC in eastern zones.
    if since and since > date.min:
        rows = rows.filter(ended_at__gte=_midnight(since))
    if until and until < date.max:
        rows = rows.filter(ended_at__lt=_midnight(until + timedelta(days=1)))
    return rows


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))


def _places(
    source: "QuerySet[Any]", sort: str, before: Cursor | None, after: Cursor | None, most: int
) -> list[Cursor]:
    """Return the places of the games next to the cursor. One query."""
    key = "game" if source.model is ArchivedGame else "archived"
    column = "ended_at"
    if sort == LONGEST_FIRST:
        column = "seconds"
        if key != "game":
            source = ArchivedGame.objects.filter(pk__in=source.values(key))
            key = "game"

    def value(cursor: Cursor) -> Any:
        if column == "seconds":
            return cursor.place
        return _EPOCH + cursor.place * _MICROSECOND

    order = (f"-{column}", f"-{key}")
    # The first condition is the range of the index, the second one leaves out what it begins with.
    if before is not None:
        source = source.filter(**{f"{column}__lte": value(before)}).filter(
            Q(**{f"{column}__lt": value(before)}) | Q(**{f"{key}__lt": before.game})
        )
    elif after is not None:
        order = (column, key)
        source = source.filter(**{f"{column}__gte": value(after)}).filter(
            Q(**{f"{column}__gt": value(after)}) | Q(**{f"{key}__gt": after.game})
        )
    rows = source.order_by(*order).values_list(column, key)[:most]
    if column == "seconds":
        return [Cursor(seconds, game) for seconds, game in rows]
    return [Cursor.at(end, game) for end, game in rows]


# The rows ---------------------------------------------------------------------------------------


def _listed(
    rows: list[ArchivedGame], players: Sequence[User], viewer: User | None, friends: Set[int]
) -> tuple[FoundGame, ...]:
    """Return the rows with the players that the viewer may know. Two queries."""
    pks = [row.pk for row in rows]
    moments: defaultdict[int, list[str]] = defaultdict(list)
    for archived, moment in ArchivedMoment.objects.filter(archived__in=pks).values_list(
        "archived", "moment"
    ):
        moments[archived].append(moment)
    seats: defaultdict[int, list[ArchivedSeat]] = defaultdict(list)
    taken = ArchivedSeat.objects.filter(archived__in=pks, user__isnull=False)
    for seat in taken.select_related("user").order_by("number"):
        seats[seat.archived_id].append(seat)
    return tuple(
        _found(row, moments[row.pk], seats[row.pk], players, viewer, friends) for row in rows
    )


def _found(
    row: ArchivedGame,
    moments: list[str],
    seats: list[ArchivedSeat],
    players: Sequence[User],
    viewer: User | None,
    friends: Set[int],
) -> FoundGame:
    sat = viewer is not None and any(seat.user_id == viewer.pk for seat in seats)
    named = {
        seat.user_id: FoundPlayer(
            seat.number, user.person_key, user.username, seat.role, seat.has_won
        )
        for seat in seats
        if (user := seat.user) is not None
        # Who sat there knows the others.
        and (sat or shows_games(user, viewer, friends))
    }
    return FoundGame(
        pk=row.pk,
        code=row.code,
        edition=row.edition,
        is_custom=row.is_custom,
        players=row.players,
        people=row.people,
        winner=row.winner,
        ending=row.ending,
        pace=row.pace,
        language=row.language,
        rounds=row.rounds,
        ended_at=row.ended_at,
        lasted=timedelta(seconds=row.seconds),
        is_public=row.is_public,
        moments=tuple(moment for moment in Moment if moment in moments),
        named=tuple(named.values()),
        searched=tuple(named[player.pk] for player in players if player.pk in named),
    )
