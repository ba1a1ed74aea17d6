"""Statistics over all games of the site: which party wins, by edition and number of players."""

from dataclasses import dataclass
from typing import Final

from django.core.cache import cache
from django.db.models import Sum

from games.models import SiteTally
from games.panels.profile import Tally
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS
from games.rules.editions import EDITIONS

# Seconds. The newest games can wait.
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
    kinds = SiteTally.Dimension
    found: dict[str, dict[str, Tally]] = {str(kind): {} for kind in kinds}
    for dimension, value, games, won in rows:
        found[dimension][value] = Tally(games, won)
    together = found[kinds.ALL].get("", Tally())
    editions, players = found[kinds.EDITION], found[kinds.SIZE]
    endings = {ending: tally.games for ending, tally in found[kinds.ENDING].items()}
    return SiteStatistics(
        Share("", 0, together),
        tuple(Share(code, 0, editions[code]) for code in EDITIONS if code in editions),
        tuple(
            Share("", number, players[str(number)])
            for number in range(LEAST_PLAYERS, MOST_PLAYERS + 1)
            if str(number) in players
        ),
        tuple((ending, Tally(together.games, games)) for ending, games in sorted(endings.items())),
    )


def _counted() -> list[tuple[str, str, int, int]]:
    """Sum the months. The number of rows grows with the months, not with the games."""
    kinds = SiteTally.Dimension
    shown = (kinds.ALL, kinds.EDITION, kinds.SIZE, kinds.ENDING)
    rows = SiteTally.objects.filter(dimension__in=shown).values_list("dimension", "value")
    return list(rows.annotate(Sum("games"), Sum("won")).order_by())
