"""Leaderboards, seasons, and how one player stands. Only finished games reach any of it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Friendship, User
from accounts.profiles.choices import Audience
from accounts.profiles.widgets import LanguageSelect
from games import wording
from games.models import RatedTempo, Rating, RatingChange, RatingPlayer, SeasonStanding
from games.rating import LEAST_GAMES, Side, Skill, next_season, rested, season_of
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS
from games.rules.editions import EDITIONS
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
from games.wording import SPOKEN

ROWS_ON_A_PAGE: Final = 50
# Points of one line of a chart.
_POINTS: Final = 200
_WEIGHED_SHOWN: Final = 10
# More digits than any number in a cursor has.
_LONGEST_NUMBER: Final = 18
_CURSOR_PARTS: Final = 3
SCOPES: Final = (
    "",
    *(f"edition:{edition}" for edition in EDITIONS),
    *(f"size:{players}" for players in range(LEAST_PLAYERS, MOST_PLAYERS + 1)),
    *(f"language:{code}" for code in SPOKEN),
)


def _scope_choices() -> list[tuple[Any, Any]]:
    sizes = range(LEAST_PLAYERS, MOST_PLAYERS + 1)
    kinds: tuple[tuple[str, str, list[tuple[Any, str]]], ...] = (
        (gettext("Rules"), "edition", edition_choices()),
        (gettext("Players"), "size", [(size, wording.players_counted(size)) for size in sizes]),
        (gettext("Language"), "language", language_choices()),
    )
    return [
        (label, [(f"{kind}:{value}", words) for value, words in values])
        for label, kind, values in kinds
    ]


class BoardFilterSet(AddressFilters):
    """Reads and shows which leaderboard is shown."""

    side = ChoiceFilter(
        label=_("Side"),
        choices=lambda: [
            (Side.LIBERAL.value, pgettext("rating", "Liberal play")),
            (Side.FASCIST.value, pgettext("rating", "Fascist play")),
        ],
        empty_label=None,
    )
    tempo = ChoiceFilter(
        label=_("Pace"),
        choices=lambda: [
            (RatedTempo.LIVE.value, pgettext("rating", "Live games")),
            (RatedTempo.DAYS.value, gettext("One day per move")),
        ],
        empty_label=None,
    )
    scope = ChoiceFilter(
        label=_("Games"),
        choices=_scope_choices,
        empty_label=_("All games"),
        widget=LanguageSelect,
    )
    season = ChoiceFilter(label=_("Season"), choices=list, empty_label=None)
    friends = SwitchFilter(label=_("Only my friends and me"))

    class Meta:
        model = Rating
        fields: list[str] = []
        form = FilterForm

    def __init__(self, given: Given, *, seasons: Sequence[int], is_signed_in: bool = True) -> None:
        super().__init__(given)
        if seasons:
            names = [(str(season), wording.season_name(season)) for season in seasons]
            self.filters["season"].extra["choices"] = lambda: [("0", _("This season")), *names]
        else:
            del self.filters["season"]
        if not is_signed_in:
            del self.filters["friends"]

    @property
    def narrowed(self) -> list[str]:
        """To which games and players the board is narrowed, in words."""
        return self.words_of("scope", "friends")


@dataclass(frozen=True, slots=True)
class BoardFilters:
    """Which leaderboard to show."""

    side: str = Side.LIBERAL.value
    tempo: str = RatedTempo.LIVE.value
    # "", or such as "edition:ru", "size:7", "language:ja": players with enough games of that kind.
    scope: str = ""
    # 0 is the running season.
    season: int = 0
    friends: bool = False

    @classmethod
    def read(cls, given: Given, *, seasons: Sequence[int]) -> "BoardFilters":
        """Read the filters from a query string; invalid values are ignored."""
        values = BoardFilterSet(given, seasons=seasons).given
        season = int(values.pop("season", 0))
        if season:
            # The archive keeps no scopes.
            values.pop("scope", None)
        return cls(**values, season=season)

    def query(self, **more: str) -> str:
        return query_string(asdict(self) | more)


@dataclass(frozen=True, slots=True)
class BoardRow:
    place: int
    name: str
    # The key of the player's page, which the viewer may see.
    key: str
    is_own: bool
    shown: int
    margin: int
    games: int


@dataclass(frozen=True, slots=True)
class Board:
    rows: tuple[BoardRow, ...]
    # Where the next page begins; "" on the last.
    after: str


@dataclass(frozen=True, slots=True)
class Standing:
    """How a player stands in one of the four ratings."""

    side: str
    tempo: str
    games: int
    # None until the player has enough games.
    skill: Skill | None

    @property
    def missing(self) -> int:
        return max(0, LEAST_GAMES - self.games)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A change that counted for less, and why."""

    code: str
    at: datetime
    weight: float
    # Triples of a sign, a number, and the name of another player or "".
    reasons: tuple[tuple[str, int, str], ...]


def archived_seasons() -> list[int]:
    """Return the seasons of the archive, newest first. Two queries by an index."""
    kept = SeasonStanding.objects.values_list("season", flat=True)
    first, last = kept.order_by("season").first(), kept.order_by("-season").first()
    if first is None or last is None:
        return []
    seasons = [first]
    while seasons[-1] < last:
        seasons.append(next_season(seasons[-1]))
    return seasons[::-1]


def board(filters: BoardFilters, viewer: User | None, after: str = "") -> Board:
    """Return a page of a leaderboard. At most two queries.

    It lists users with a public rating in the season, unless they chose not to be listed, or do not
    show their games and page to everyone. Friends see those who show them to friends.
    """
    now = timezone.now()
    rows: QuerySet[Any]
    if filters.season:
        rows = SeasonStanding.objects.filter(season=filters.season)
    else:
        rows = Rating.objects.filter(scope=filters.scope, season=season_of(now))
    rows = rows.filter(side=filters.side, tempo=filters.tempo, games__gte=LEAST_GAMES)
    rows = rows.filter(_may_be_seen(filters, viewer))
    place = 0
    if (cursor := read_board_cursor(after)) is not None:
        shown, player, place = cursor
        rows = rows.filter(Q(shown__lt=shown) | Q(shown=shown, player__lt=player))
    rows = rows.select_related("player__user").order_by("-shown", "-player")
    found = list(rows[: ROWS_ON_A_PAGE + 1])
    listed = tuple(
        _row(row, place + number, viewer, now)
        for number, row in enumerate(found[:ROWS_ON_A_PAGE], start=1)
    )
    if len(found) <= ROWS_ON_A_PAGE:
        return Board(listed, "")
    last = found[ROWS_ON_A_PAGE - 1]
    return Board(listed, f"{last.shown}.{last.player_id}.{listed[-1].place}")


def standings_of(user: User) -> tuple[Standing, ...]:
    """Return the user's ratings, those of live games first. One query."""
    now = timezone.now()
    rows = Rating.objects.filter(player__user=user, scope="")
    known = {(row.tempo, row.side): row for row in rows}
    return tuple(
        Standing(
            side.value,
            tempo,
            row.games,
            rested(row.skill, row.at, now) if row.games >= LEAST_GAMES else None,
        )
        for tempo in RatedTempo.values
        for side in Side
        if (row := known.get((tempo, side.value))) is not None
    )


def history_of(user: User, tempo: str) -> dict[str, list[tuple[datetime, Skill]]]:
    """Return the user's public ratings after each game, by side, oldest first. Two queries."""
    changes = RatingChange.objects.filter(
        player__user=user, tempo=tempo, games__gte=LEAST_GAMES
    ).order_by("-at", "-rated")
    return {
        side.value: [(row.at, row.skill) for row in reversed(changes.filter(side=side)[:_POINTS])]
        for side in Side
    }


def weighed_down(user_pk: int) -> tuple[Weighed, ...]:
    """Return the user's newest changes that counted for less. Two queries."""
    changes = RatingChange.objects.filter(player__user=user_pk, weight__lt=1)
    rows = list(changes.select_related("rated__game__table").order_by("-at")[:_WEIGHED_SHOWN])
    others = {other for row in rows for _, _, other in row.reasons if other is not None}
    people = RatingPlayer.objects.filter(pk__in=others, user__isnull=False)
    names = dict(people.values_list("pk", "user__username"))
    return tuple(
        Weighed(
            row.rated.game.table.code,
            row.at,
            row.weight,
            tuple((sign, number, names.get(other, "")) for sign, number, other in row.reasons),
        )
        for row in rows
    )


def most_rated_games(user: User) -> int:
    """Return how many games the user's rating with the most games counts; 0 without a rating."""
    return Rating.objects.filter(player__user=user).aggregate(most=Max("games"))["most"] or 0


def games_to_rating(filters: BoardFilters, viewer: User | None) -> int | None:
    """Return how many games towards a public rating the viewer has; None with a rating. One query.

    None for the archive, too: no more games can be played there.
    """
    if viewer is None or filters.season:
        return None
    mine = Rating.objects.filter(
        player__user=viewer, side=filters.side, tempo=filters.tempo, scope=filters.scope
    )
    games = mine.values_list("games", flat=True).first() or 0
    return games if games < LEAST_GAMES else None


def is_listed(user: User) -> bool:
    """Return whether the user wants to be on leaderboards. One query."""
    return not RatingPlayer.objects.filter(user=user, is_listed=False).exists()


def audience_of(user: User) -> Audience:
    """Return to whom the user's page lets leaderboards show them."""
    shown = {user.shows_page, user.shows_statistics}
    narrower = (each for each in (Audience.NOBODY, Audience.FRIENDS) if each in shown)
    return next(narrower, Audience.ALL)


def _may_be_seen(filters: BoardFilters, viewer: User | None) -> Q:
    seen = Q(player__user__is_active=True, player__user__closes_at=None, player__is_listed=True)
    if viewer is None or not filters.friends:
        return seen & Q(
            player__user__shows_page=Audience.ALL, player__user__shows_statistics=Audience.ALL
        )
    friends = Q(player__user__in=Friendship.objects.friends_of(viewer.pk))
    hidden = Q(player__user__shows_page=Audience.NOBODY)
    hidden |= Q(player__user__shows_statistics=Audience.NOBODY)
    return seen & (Q(player__user=viewer) | (friends & ~hidden))


def _row(row: Any, place: int, viewer: User | None, now: datetime) -> BoardRow:
    user = row.player.user
    skill = rested(row.skill, row.at, now) if isinstance(row, Rating) else row.skill
    return BoardRow(
        place=place,
        name=user.username,
        key=user.person_key,
        is_own=viewer is not None and viewer.pk == user.pk,
        shown=skill.shown,
        margin=skill.margin,
        games=row.games,
    )


def read_board_cursor(text: str) -> tuple[int, int, int] | None:
    """Read where a page begins; None if the text says nothing like it."""
    if len(text) > _CURSOR_PARTS * _LONGEST_NUMBER:
        return None
    parts = text.split(".")
    if len(parts) != _CURSOR_PARTS or any(
        len(part) > _LONGEST_NUMBER or not part.isascii() or not part.removeprefix("-").isdigit()
        for part in parts
    ):
        return None
    shown, player, place = (int(part) for part in parts)
    return shown, player, place
