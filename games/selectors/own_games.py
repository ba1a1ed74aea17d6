"""A user's own finished games, newest first: those with bots alone, too."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from accounts.models import User
from games.models import Game, Result, Seat
from games.selectors.filter_sets import (
    AddressFilters,
    ChoiceFilter,
    FilterForm,
    company_choices,
    edition_choices,
)
from games.selectors.open_tables import SIZES, size_choices

GAMES_ON_A_PAGE: Final = 20
RESULTS: Final = ("won", "lost", "stopped")
COMPANIES: Final = ("people", "bots")
# More digits than any primary key has.
_LONGEST_NUMBER: Final = 18


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A finished game as its player's list shows it."""

    pk: int
    code: str
    edition: str
    is_custom: bool
    # "won", "lost" or "stopped".
    result: str
    # "" if the game was stopped: then roles have no result.
    role: str
    ending: str
    players: int
    # The other people, by their names at the table.
    people: tuple[str, ...]
    bots: int
    ended_at: datetime
    lasted: timedelta


class OwnGamesFilters(AddressFilters):
    """A user's filters for their own games."""

    result = ChoiceFilter(
        label=_("Result"),
        choices=lambda: [
            ("won", pgettext("games", "Won")),
            ("lost", pgettext("games", "Lost")),
            ("stopped", pgettext("games", "Ended early")),
        ],
        method="with_result",
    )
    edition = ChoiceFilter(label=_("Rules"), choices=edition_choices, field_name="table__edition")
    size = ChoiceFilter(label=_("Players"), choices=size_choices, method="of_size")
    company = ChoiceFilter(label=_("Company"), choices=company_choices, method="in_company")

    class Meta:
        model = Game
        fields: list[str] = []
        form = FilterForm

    def with_result(self, games: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        if value == "stopped":
            return games.exclude(stopped="")
        return games.filter(has_won=value == "won", stopped="")

    def of_size(self, games: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        return games.filter(players__in=SIZES[value])

    def in_company(self, games: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        bots = Exists(Seat.objects.exclude(bot="").filter(table=OuterRef("table")))
        return games.filter(Q(bots) if value == "bots" else ~Q(bots))


@dataclass(frozen=True, slots=True)
class OwnGames:
    games: tuple[OwnGame, ...]
    # Where the next page begins; None on the last.
    older: int | None = None


def own_games(
    user: User,
    filters: OwnGamesFilters | None = None,
    *,
    before: int | None = None,
    most: int = GAMES_ON_A_PAGE,
) -> OwnGames:
    """Return a user's finished games, newest first. Three queries.

    `before` is the primary key of a game: only games that began before it are listed.
    """
    # A game's end and its table's last stage are written together. A condition on the stage would
    # let SQLite begin with all tables that are over, not with the user's seats.
    seated = Seat.objects.filter(user=user).values("table")
    games = Game.objects.filter(table__in=seated, ended_at__isnull=False)
    if filters:
        own = Result.objects.filter(user=user, game=OuterRef("pk"))
        games = filters.filter_queryset(games.alias(has_won=Subquery(own.values("has_won"))))
    if before is not None:
        games = games.filter(pk__lt=before)
    found = list(games.select_related("table").order_by("-pk")[: most + 1])
    shown = found[:most]
    results = {row.game_id: row for row in Result.objects.filter(user=user, game__in=shown)}
    people: defaultdict[int, list[str]] = defaultdict(list)
    bots: defaultdict[int, int] = defaultdict(int)
    for seat in Seat.objects.filter(table__in=[game.table_id for game in shown]).order_by("number"):
        if seat.is_bot:
            bots[seat.table_id] += 1
        elif seat.user_id != user.pk:
            people[seat.table_id].append(seat.name)
    return OwnGames(
        tuple(
            _listed(game, results.get(game.pk), tuple(people[game.table_id]), bots[game.table_id])
            for game in shown
        ),
        older=shown[-1].pk if len(found) > most else None,
    )


def game_number(text: str) -> int | None:
    """Return the primary key that a query string gives, or None if it gives none."""
    if not text or len(text) > _LONGEST_NUMBER or not (text.isascii() and text.isdigit()):
        return None
    return int(text)


def _listed(game: Game, result: Result | None, people: tuple[str, ...], bots: int) -> OwnGame:
    table, ended_at = game.table, game.ended_at
    assert ended_at is not None
    is_stopped = bool(game.stopped) or result is None
    return OwnGame(
        pk=game.pk,
        code=table.code,
        edition=table.edition,
        is_custom=table.is_custom,
        result=RESULTS[2] if is_stopped or result is None else RESULTS[not result.has_won],
        role="" if is_stopped or result is None else result.role,
        ending="" if is_stopped else game.ending,
        players=game.players,
        people=people,
        bots=bots,
        ended_at=ended_at,
        lasted=ended_at - game.started_at,
    )
