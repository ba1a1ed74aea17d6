"""The statistics of all games of the site."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import ArchivedGame, Game, Table
from games.panels.profile import Tally
from games.panels.statistics import site_statistics
from games.services import archive
from games.tasks import archive_games
from tests.builders.motions import stopped
from tests.builders.tables import is_over, play_until, run_table

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _counts_anew():
    cache.clear()
    yield
    cache.clear()


def over(number: int, *, players: int = 7, winner: str = "liberal", **terms: object) -> None:
    """Create this many games in the archive, played by two users to the end."""
    people = terms.pop("people", 2)
    for _ in range(number):
        table = Table.objects.create(host=None, stage="over", **{"edition": "en"} | terms)
        game = Game.objects.create(
            table=table,
            players=players,
            winner=winner,
            ending=f"{winner}_policies",
            ended_at=timezone.now(),
        )
        ArchivedGame.objects.create(
            game=game,
            code=table.code,
            ended_at=game.ended_at,
            seconds=600,
            rounds=8,
            edition=table.edition,
            is_custom=table.is_custom,
            players=players,
            people=people,
            winner=winner,
            ending=game.ending,
            pace=table.pace,
            is_public=True,
        )
    archive.recount_tallies()


def page() -> str:
    return Client().get("/statistics/").content.decode()


def test_who_wins_is_told_by_edition_and_by_players():
    over(6)
    over(4, winner="fascist", players=5)
    over(3, edition="ru")

    found = site_statistics()

    assert found.together.liberals == Tally(13, 9)
    assert {share.edition: share.liberals for share in found.by_edition} == {
        "en": Tally(10, 6),
        "ru": Tally(3, 3),
    }
    assert {share.players: share.liberals for share in found.by_players} == {
        5: Tally(4, 0),
        7: Tally(9, 9),
    }
    assert dict(found.endings) == {
        "fascist_policies": Tally(13, 4),
        "liberal_policies": Tally(13, 9),
    }
    assert "60%" in page() and "40%" in page()


def test_of_few_games_no_share_is_told():
    over(9)
    assert "100%" not in page().partition("<h2>")[0]

    cache.clear()
    over(1)
    assert "100%" in page().partition("<h2>")[0]


def test_house_rules_bots_and_games_that_were_stopped_do_not_count():
    over(1, house_rules={"veto_advances_tracker": False})
    over(1, people=1)
    over(1)
    game = Game.objects.order_by("pk").last()
    game.stopped = Game.Stopped.VOIDED
    game.save()
    archive.note_voided(game=game)
    stopped(run_table())
    run_table([f"{name}2" for name in "ABCDE"])
    archive_games()

    assert site_statistics().together.liberals == Tally()
    assert "No games between people" in page()


def test_a_game_counts_once_a_worker_has_archived_it():
    table = run_table()
    play_until(table, is_over)
    archive_games()

    assert site_statistics().together.liberals == Tally(1, 0)


def test_it_is_counted_in_one_statement_and_then_kept():
    over(3)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            site_statistics()
        counts.append(len(queries))
    assert counts == [1, 0]
