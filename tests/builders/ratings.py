"""Rated games that have ended, made without playing them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from django.utils import timezone

from games.models import Game, RatedGame, RatedTempo, Rating, RatingPlayer, Table
from games.rating import SIGMA, Side, season_of
from tests.builders.tables import person

BEGINNING = datetime(2026, 1, 5, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def player(name: str) -> RatingPlayer:
    return RatingPlayer.objects.get_or_create(user=person(name))[0]


def rated_game(
    liberals: Sequence[str],
    fascists: Sequence[str],
    *,
    winner: str = "liberal",
    at: datetime = BEGINNING,
    tempo: str = RatedTempo.LIVE,
    edition: str = "en",
    language: str = "",
    devices: Sequence[tuple[str, str]] = (),
    thrown: int = 0,
) -> RatedGame:
    """Create a game that waits to be counted."""
    table = Table.objects.create(host=None, stage="over", edition=edition, is_rated=True)
    names = [*liberals, *fascists]
    game = Game.objects.create(table=table, players=len(names), winner=winner, ended_at=at)
    sides = [[player(name).pk, str(Side.LIBERAL)] for name in liberals]
    sides += [[player(name).pk, str(Side.FASCIST)] for name in fascists]
    return RatedGame.objects.create(
        game=game,
        tempo=tempo,
        ended_at=at,
        season=season_of(at),
        state=RatedGame.State.WAITING,
        edition=edition,
        players=len(names),
        language=language,
        winner=winner,
        facts={
            "sides": sides,
            "devices": [[player(one).pk, player(other).pk, 1] for one, other in devices],
            "thrown": thrown,
        },
    )


def stands(name: str, shown: int) -> None:
    """Give the user a public rating as a liberal."""
    Rating.objects.create(
        player=player(name),
        tempo="live",
        side="liberal",
        season=season_of(timezone.now()),
        mu=(shown - 1500) / 24,
        sigma=SIGMA / 2,
        shown=shown,
        games=10,
        at=timezone.now(),
    )
