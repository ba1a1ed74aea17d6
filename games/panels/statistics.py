"""Statistics over all games of the site: which party wins, by edition and number of players."""

from dataclasses import dataclass
from typing import Final

from django.core.cache import cache
from django.db.models import Count, Exists, OuterRef

from games.models import Game, Result
from games.panels.profile import Tally
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS, Party
from games.rules.editions import EDITIONS

# Seconds. Counting covers all games, and the newest ones can wait.
_KEPT_FOR: Final = 600
_KEY: Final = "statistics-of-the-site"
# A share of fewer games means nothing, and could reveal too much about one evening's players.
LEAST_GAMES: Final = 10


@dataclass(frozen=True, slots=True)
class Share:
    """How often the liberals won; in the other games the fascists won."""

    # An edition; "" in a share by number of players.
    edition: str
    players: int
    liberals: Tally

    @property
    def is_told(self) -> bool:
        return self.liberals.games >= LEAST_GAMES

    @property
    def fascist_share(self) -> float:
        return 1 - self.liberals.share


@dataclass(frozen=True, slots=True)
class SiteStatistics:
    together: Share
    by_edition: tuple[Share, ...]
    by_players: tuple[Share, ...]
    # By ending: the number of all counted games, and of those that ended so.
    endings: tuple[tuple[str, Tally], ...]


def site_statistics() -> SiteStatistics:
    """Return the statistics of games between people that ended by the rules, without house rules.

    One query, or none while the result is cached.
    """
    rows = cache.get(_KEY)
    if rows is None:
        rows = _counted()
        cache.set(_KEY, rows, timeout=_KEPT_FOR)
    together = Tally()
    editions: dict[str, Tally] = {}
    players: dict[int, Tally] = {}
    endings: dict[str, int] = {}
    for edition, seats, winner, ending, games in rows:
        tally = Tally(games, games if winner == Party.LIBERAL else 0)
        together += tally
        editions[edition] = editions.get(edition, Tally()) + tally
        players[seats] = players.get(seats, Tally()) + tally
        endings[ending] = endings.get(ending, 0) + games
    return SiteStatistics(
        Share("", 0, together),
        tuple(Share(code, 0, editions[code]) for code in EDITIONS if code in editions),
        tuple(
            Share("", number, players[number])
            for number in range(LEAST_PLAYERS, MOST_PLAYERS + 1)
            if number in players
        ),
        tuple((ending, Tally(together.games, games)) for ending, games in sorted(endings.items())),
    )


def _counted() -> list[tuple[str, int, str, str, int]]:
    of_people = Result.objects.among_people().filter(game=OuterRef("pk"))
    counted = (
        Game.objects.filter(Exists(of_people), stopped="", table__house_rules={})
        .exclude(winner="")
        .values_list("table__edition", "players", "winner", "ending")
        .annotate(games=Count("pk"))
        .order_by()
    )
    return list(counted)
