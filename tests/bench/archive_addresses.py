"""The addresses of all pages about finished games, for the archive's bench.

Each page stands for requests that are alike, so they need the same number of SQL statements: games
at which the viewer sat are another page than games of others, for example.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final
from urllib.parse import urlencode

Address = Callable[[], str]

# Pages of a game, below its table.
_OF_A_GAME: Final = {
    "truth": "truth/",
    "truth, as seat 1 saw it": "truth/?eyes=0",
    "replay, first step": "replay/",
    "replay, step 40": "replay/?move=40&eyes=",
    "replay, last step": "replay/?move=999&eyes=all",
    "replay, as seat 1 saw it": "replay/?move=30&eyes=0",
    "proof": "proof/",
    "record": "record/",
}
# Moments of which the smallest archives of the bench have games, too.
_MOMENTS: Final = ("hitler_elected", "hitler_executed", "veto", "chaos", "liberal_shot_liberal")
_SEVERAL: Final = ("liberal_shot_liberal", "chaos")


def pages_of(random: Random) -> dict[str, Address]:
    """Return the pages, each with a function that gives an address for the next request.

    The viewer is the first user, who has played the most.
    """
    return {
        **_games(random),
        **_own_games(random),
        **_searches(random),
        **_people(random),
        **_figures(random),
        **_programs(random),
        **_uploads(random),
    }


class _Games:
    """Chooses finished public games between people, evenly over time."""

    def __init__(self, random: Random) -> None:
        from accounts.models import User
        from games.models import ArchivedGame, ArchivedSeat

        self._random = random
        self.viewer = User.objects.order_by("pk")[0]
        self._public = ArchivedGame.objects.filter(is_public=True, people__gt=1).order_by("pk")
        self._seats = ArchivedSeat.objects
        pks = ArchivedGame.objects.order_by("pk").values_list("pk", flat=True)
        self.first, self.last = pks[0], pks.last() or pks[0]

    def code(self, *, is_own: bool) -> str:
        """Return the code of a game at which the viewer sat, or did not sit."""
        from django.db.models import Exists, OuterRef

        sat = Exists(self._seats.filter(archived=OuterRef("pk"), user=self.viewer))
        games = self._public.filter(sat if is_own else ~sat)
        first = self._random.randint(self.first, self.last)
        codes = games.values_list("code", flat=True)
        return codes.filter(pk__gte=first).first() or codes[0]

    def cursor(self) -> str:
        """Return a place in the list of the search, far from both its ends."""
        from games.selectors.game_search import Cursor

        quarter = (self.last - self.first) // 4
        number = self._random.randint(self.first + quarter, self.last - quarter)
        game = self._public.filter(pk__gte=number)[0]
        return str(Cursor.at(game.ended_at, game.pk))


def _games(random: Random) -> dict[str, Address]:
    games = _Games(random)

    def of_game(path: str, *, is_own: bool) -> Address:
        return lambda: f"/tables/{games.code(is_own=is_own)}/{path}"

    return {
        **{name: of_game(path, is_own=False) for name, path in _OF_A_GAME.items()},
        "truth of an own game": of_game("truth/", is_own=True),
        "replay of an own game": of_game("replay/?move=30", is_own=True),
    }


def _own_games(random: Random) -> dict[str, Address]:
    games = _Games(random)
    return {
        "own games": lambda: "/games/",
        "own games, lost": lambda: "/games/?result=lost",
        "own games, few match": lambda: "/games/?edition=en&size=7&company=people",
        "own games, old": lambda: f"/games/?before={games.first + (games.last - games.first) // 2}",
    }


def _searches(random: Random) -> dict[str, Address]:
    from accounts.models import User

    games = _Games(random)
    player = games.viewer.username
    other = User.objects.order_by("pk")[1].username

    def search(path: str = "/archive/", **filters: object) -> Address:
        return lambda: f"{path}?{urlencode(filters, doseq=True)}"

    def deep(path: str = "/archive/", way: str = "before", **filters: object) -> Address:
        return lambda: f"{path}?{urlencode(filters | {way: games.cursor()}, doseq=True)}"

    half = games.cursor().partition("-")[0]
    from datetime import UTC, datetime

    day = datetime.fromtimestamp(int(half) / 1e6, UTC).date().isoformat()
    pages = {
        "search": search(),
        "search, deep": deep(),
        "search, deep, backwards": deep(way="after"),
        "search, edition": search(edition="ru"),
        "search, edition, deep": deep(edition="ru"),
        "search, size": search(players=7),
        "search, size, deep": deep(players=7),
        "search, ending": search(ending="hitler_elected"),
        "search, ending, deep": deep(ending="hitler_elected"),
        "search, longest": search(sort="longest"),
        "search, a player's longest": search(player=player, sort="longest"),
        "search, since": search(since=day),
        "search, until": search(until=day),
        "search, one day and later, deep": deep(until=day),
        "search, a player of many games": search(player=player),
        "search, a player of many games, deep": deep(player=player),
        "search, another player": search(player=other),
        "search, another player and a moment": search(player=other, moment="hitler_elected"),
        "search, edition, size and ending": search(
            edition="en", players=7, ending="hitler_elected"
        ),
        "search, edition, size and a moment": search(
            edition="en", players=7, moment="hitler_elected"
        ),
        "search, a name that no one has": search(player="No one of this name"),
        "API, several moments": search("/api/v1/games/", moment=_SEVERAL),
        "API, several moments, deep": deep("/api/v1/games/", moment=_SEVERAL),
    }
    for moment in _MOMENTS:
        pages[f"search, {moment}"] = search(moment=moment)
        pages[f"search, {moment}, deep"] = deep(moment=moment)
    return pages


def _people(random: Random) -> dict[str, Address]:
    from accounts.models import User
    from games.models import Rating
    from games.rating import LEAST_GAMES

    # Everyone may see the pages of the first twenty. Without a public rating there is no chart.
    first = list(User.objects.order_by("pk").values_list("pk", flat=True)[:20])
    rated = Rating.objects.filter(player__user__in=first, games__gte=LEAST_GAMES, scope="")
    users = User.objects.filter(pk__in=[first[0], *rated.values_list("player__user", flat=True)])
    keys = list(users.order_by("pk").values_list("person_key", flat=True))
    return {
        "own person page": lambda: f"/people/{keys[0]}/",
        "person": lambda: f"/people/{random.choice(keys[1:])}/",
        "person's feed": lambda: f"/people/{random.choice(keys)}/feed/",
        "API, person": lambda: f"/api/v1/people/{random.choice(keys)}/",
        "API, person's games": lambda: f"/api/v1/people/{random.choice(keys)}/games/",
    }


def _figures(random: Random) -> dict[str, Address]:
    from games.models import Dump
    from games.selectors.ratings import SCOPES, archived_seasons

    pages: dict[str, Address] = {
        "statistics": lambda: "/statistics/",
        "leaderboard": lambda: "/ratings/",
        "leaderboard, fascist play": lambda: "/ratings/?side=fascist",
        "leaderboard, below 1000": lambda: "/ratings/?after=1000.1.50",
        "leaderboard of friends": lambda: "/ratings/?friends=on",
        "leaderboards by scope": lambda: f"/ratings/?scope={random.choice(SCOPES)}",
        "dumps": lambda: "/dumps/",
    }
    season = next(iter(archived_seasons()), None)
    if season is not None:
        pages["leaderboard of the last season"] = lambda: f"/ratings/?season={season}"
    for dump in Dump.objects.filter(shown__isnull=False):
        pages["dump"] = partial("/dumps/{}/".format, dump)
    return pages


def _programs(random: Random) -> dict[str, Address]:
    games = _Games(random)
    return {
        "feed of games": lambda: "/archive/feed/",
        "feed of games with a moment": lambda: "/archive/feed/?moment=hitler_elected",
        "feed of dumps": lambda: "/dumps/feed/",
        "API, games": lambda: "/api/v1/games/?limit=100",
        "API, games, deep": lambda: f"/api/v1/games/?limit=100&before={games.cursor()}",
        "API, game": lambda: f"/api/v1/games/{games.code(is_own=False)}/",
        "API, record": lambda: f"/api/v1/games/{games.code(is_own=False)}/record/",
        "API, leaderboards": lambda: "/api/v1/leaderboards/",
        "API, seasons": lambda: "/api/v1/seasons/",
        "API, statistics": lambda: "/api/v1/statistics/",
        "API, dumps": lambda: "/api/v1/dumps/",
        "API, document": lambda: "/api/v1/openapi.json",
    }


def _uploads(random: Random) -> dict[str, Address]:
    from games.models import UploadedRecord

    codes = list(UploadedRecord.objects.values_list("code", flat=True))
    pages: dict[str, Address] = {"uploads": lambda: "/records/"}
    if codes:
        pages["uploaded replay"] = lambda: f"/records/{random.choice(codes)}/"
        pages["uploaded truth"] = lambda: f"/records/{random.choice(codes)}/truth/"
        pages["uploaded proof"] = lambda: f"/records/{random.choice(codes)}/proof/"
    return pages
