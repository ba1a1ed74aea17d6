"""The search for finished games between people, newest first, by keyset pages.

A viewer finds the games of public tables with spectators, and those at which they sat: the rule of
`panels/profile.last_games`. A player's games are found if the player's page shows its games to the
viewer. Of any other player a viewer finds the games at which both sat, because the list names the
player there; if there are none, the answer is that of an unknown name. Several players are found
where all of them sat.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import Friendship, User
from accounts.profiles.names import LONGEST_COMPARED, name_key
from games.analysis.moments import POWER_MOMENTS, Moment
from games.models import ArchivedGame, ArchivedMoment, ArchivedSeat
from games.rules.phases import Ending
from games.selectors.audiences import shows_games
from games.selectors.game_filters import GameFilters

GAMES_ON_A_PAGE: Final = 20
# The search says how many games it found, up to this number.
MOST_COUNTED: Final = 100
# In seconds.
_FOUND_FOR: Final = 24 * 3600
_NOT_FOUND_FOR: Final = 10 * 60
# More digits than any number in a cursor has.
_LONGEST_NUMBER: Final = 18
_MICROSECOND: Final = timedelta(microseconds=1)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
# What the end of a game says already.
SAID_BY_ENDING: Final[Mapping[str, Moment]] = {
    Ending.HITLER_ELECTED: Moment.HITLER_ELECTED,
    Ending.HITLER_EXECUTED: Moment.HITLER_EXECUTED,
}
_MOST_TELLING: Final = 2
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


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place between two games in the order of their ends."""

    ended_at: datetime
    game: int

    @classmethod
    def read(cls, text: str) -> "Cursor | None":
        """Read what `str` writes; None if the text is no cursor."""
        parts = text.split("-") if len(text) <= 2 * _LONGEST_NUMBER + 1 else []
        if len(parts) != 2 or not all(
            0 < len(part) <= _LONGEST_NUMBER and part.isascii() and part.isdigit() for part in parts
        ):
            return None
        moment, game = map(int, parts)
        try:
            return cls(_EPOCH + moment * _MICROSECOND, game)
        except OverflowError:
            return None

    def __str__(self) -> str:
        return f"{(self.ended_at - _EPOCH) // _MICROSECOND}-{self.game}"


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
        said = {*POWER_MOMENTS.values(), SAID_BY_ENDING.get(self.ending)}
        telling = [moment for moment in _RAREST_FIRST if moment not in said]
        return tuple(moment.value for moment in telling if moment in self.moments)[:_MOST_TELLING]

    @property
    def cursor(self) -> Cursor:
        return Cursor(self.ended_at, self.pk)


@dataclass(frozen=True, slots=True)
class FoundGames:
    games: tuple[FoundGame, ...] = ()
    # Where the pages of newer and of older games begin; None if there are none.
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

    `before` is the end of the page of newer games, so older ones are listed; `after` lists newer
    ones. `is_counted` also counts the games of all pages, and needs neither place. At most seven
    queries: friends, players, one or two searches, games, seats, and moments.
    """
    friends = Friendship.objects.friends_of(viewer.pk) if viewer is not None else set()
    players: list[User] = []
    if filters.names:
        known = _known(filters.names, viewer, friends)
        keys = [_key(name) for name in filters.names]
        if not all(key in known for key in keys):
            return FoundGames()
        players = [known[key] for key in dict.fromkeys(keys)]
    most = most or GAMES_ON_A_PAGE
    is_backwards = before is None and after is not None
    read = max(most, MOST_COUNTED) if is_counted else most
    found = [
        place
        for source in _sources(filters, players, viewer, friends)
        for place in _places(source, before, after, read + 1)
    ]
    found.sort(reverse=not is_backwards)
    shown, has_more = found[:most], len(found) > most
    if is_backwards:
        shown.reverse()
    rows = ArchivedGame.objects.in_bulk([pk for _, pk in shown])
    games = _listed([rows[pk] for _, pk in shown if pk in rows], players, viewer, friends)
    if not games:
        return FoundGames(counted=0 if is_counted else None)
    newer, older = (has_more, True) if is_backwards else (before is not None, has_more)
    return FoundGames(
        games,
        newer=games[0].cursor if newer else None,
        older=games[-1].cursor if older else None,
        counted=min(len(found), MOST_COUNTED + 1) if is_counted else None,
    )


def findable_names(names: Iterable[str], viewer: User | None) -> dict[str, str]:
    """Return the names among these that `viewer` may search for, as their owners write them.

    A hidden name is left out like an unknown one. One query, and one for the viewer's friends.
    """
    friends = Friendship.objects.friends_of(viewer.pk) if viewer is not None else set()
    names = list(names)
    known = _known(names, viewer, friends)
    return {name: known[_key(name)].username for name in names if _key(name) in known}


def find_public_game(code: str) -> FoundGame | None:
    """Return the game with this code as everyone may find it, or None. Three queries."""
    games = ArchivedGame.objects.filter(code=code, is_public=True, people__gt=1)
    found = _listed(list(games), (), None, set())
    return found[0] if found else None


def finds_public_games(filters: GameFilters) -> bool:
    """Return whether everyone finds a game with these filters. Cached: at most one query."""
    key = f"finds-public-games{filters.query()}"
    known: bool | None = cache.get(key)
    if known is None:
        known = _public(filters).exists()
        # Games stay, unless they are hidden; the first one may come soon.
        cache.set(key, known, _FOUND_FOR if known else _NOT_FOUND_FOR)
    return known


def telling_moments_of(game: int) -> tuple[str, ...]:
    """Return the moments that tell a game, by its primary key, from others.

    Powers are left out, because most games have them. A game outside the archive has no moments.
    """
    found = set(ArchivedMoment.objects.filter(archived=game).values_list("moment", flat=True))
    found -= set(POWER_MOMENTS.values())
    return tuple(moment.value for moment in Moment if moment in found)


def _known(names: Iterable[str], viewer: User | None, friends: Set[int]) -> dict[str, User]:
    """Return the users of these names whom the viewer may search for, by key.

    Their pages show their games to the viewer, or both have sat at a table.
    """
    owners = User.objects.filter(name_key__in={_key(name) for name in names})
    companions: set[int] = set()
    if viewer is not None:
        # The time lets the database find the viewer's seat by its index.
        beside = ArchivedSeat.objects.filter(
            user=viewer, ended_at=OuterRef("ended_at"), archived=OuterRef("archived")
        )
        seats = ArchivedSeat.objects.filter(Exists(beside), user=OuterRef("pk"))
        owners = owners.annotate(is_companion=Exists(seats))
        companions = {owner.pk for owner in owners if owner.is_companion}
    return {
        owner.name_key: owner
        for owner in owners
        if owner.pk in companions or shows_games(owner, viewer, friends)
    }


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
    moments = sorted(filters.moments, key=_RAREST_FIRST.index)
    if not moments:
        # Not `is_public=True`: Django writes that without a comparison, and SQLite then reads no
        # index.
        public = ArchivedGame.objects.filter(is_public__in=(True,), people__gt=1)
        games = _matching(public, filters)
        return _within(games, filters)
    rarest, *others = moments
    rows = _within(ArchivedMoment.objects.filter(moment=rarest), filters)
    games = ArchivedGame.objects.filter(pk=OuterRef("archived"), is_public=True, people__gt=1)
    rows = rows.filter(Exists(_matching(games, replace(filters, moments=()))))
    return _with_moments(rows, others, "archived")


def _seats_of(user: User, filters: GameFilters, condition: Q) -> "QuerySet[Any]":
    seats = _within(ArchivedSeat.objects.filter(user=user, people__gt=1), filters)
    seats = _played(seats, filters)
    games = ArchivedGame.objects.filter(condition, pk=OuterRef("archived"))
    seats = seats.filter(Exists(_matching(games, replace(filters, moments=()))))
    return _with_moments(seats, filters.moments, "archived")


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
    if filters.names and filters.result:
        seats = seats.filter(has_won=filters.result == "won")
    if filters.names and filters.role:
        seats = seats.filter(role=filters.role)
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


def _matching(games: "QuerySet[Any]", filters: GameFilters) -> "QuerySet[Any]":
    if filters.edition:
        games = games.filter(edition=filters.edition)
    sizes = filters.sizes
    if len(sizes) == 1:
        games = games.filter(players=sizes[0])
    elif sizes:
        # A sum has no index: that of the column would give the games in the order of their sizes.
        games = games.alias(size=F("players") + 0).filter(size__in=sizes)
    if filters.company:
        games = games.alias(bots=F("players") - F("people"))
        games = games.filter(bots=0) if filters.company == "people" else games.filter(bots__gt=0)
    if filters.winner:
        games = games.filter(winner=filters.winner)
    if filters.ending:
        games = games.filter(ending=filters.ending)
    if filters.length:
        least, limit = filters.seconds
        games = games.filter(seconds__gte=least)
        if limit is not None:
            games = games.filter(seconds__lt=limit)
    if filters.pace:
        games = games.filter(pace=filters.pace)
    if filters.language:
        games = games.filter(language=filters.language)
    return _with_moments(games, filters.moments, "pk")


def _with_moments(rows: "QuerySet[Any]", moments: Iterable[str], pk: str) -> "QuerySet[Any]":
    for moment in moments:
        rows = rows.filter(
            Exists(ArchivedMoment.objects.filter(archived=OuterRef(pk), moment=moment))
        )
    return rows


def _within(rows: "QuerySet[Any]", filters: GameFilters) -> "QuerySet[Any]":
    # No game ended on the calendar's first day, which has no time in UTC in eastern zones.
    if filters.since is not None and filters.since > date.min:
        rows = rows.filter(ended_at__gte=_midnight(filters.since))
    if filters.until is not None and filters.until < date.max:
        rows = rows.filter(ended_at__lt=_midnight(filters.until + timedelta(days=1)))
    return rows


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))


def _places(
    source: "QuerySet[Any]", before: Cursor | None, after: Cursor | None, most: int
) -> list[tuple[datetime, int]]:
    """Return the ends of the games next to the cursor, with their primary keys. One query."""
    key = "game" if source.model is ArchivedGame else "archived"
    order = ("-ended_at", f"-{key}")
    # The first condition is the range of the index, the second one leaves out what it begins with.
    if before is not None:
        source = source.filter(ended_at__lte=before.ended_at).filter(
            Q(ended_at__lt=before.ended_at) | Q(**{f"{key}__lt": before.game})
        )
    elif after is not None:
        order = ("ended_at", key)
        source = source.filter(ended_at__gte=after.ended_at).filter(
            Q(ended_at__gt=after.ended_at) | Q(**{f"{key}__gt": after.game})
        )
    return list(source.order_by(*order).values_list("ended_at", key)[:most])


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
