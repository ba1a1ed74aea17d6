"""The statistics of all games of the site."""

import re
from datetime import UTC, date, datetime

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import ArchivedGame, ArchivedSeat, Game, Table
from games.panels.statistics import site_statistics
from games.panels.tallies import Tally
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
    """Create this many games in the archive, played by two users to the end.

    Each game has the seats of `seats`, dictionaries of columns.
    """
    people = terms.pop("people", 2)
    ended_at = terms.pop("ended_at", timezone.now())
    numbers = {"seconds": terms.pop("seconds", 600), "rounds": terms.pop("rounds", 8)}
    seats = terms.pop("seats", ())
    for _ in range(number):
        table = Table.objects.create(host=None, stage="over", **{"edition": "en"} | terms)
        game = Game.objects.create(
            table=table,
            players=players,
            winner=winner,
            ending=f"{winner}_policies",
            ended_at=ended_at,
        )
        row = ArchivedGame.objects.create(
            game=game,
            code=table.code,
            ended_at=game.ended_at,
            **numbers,
            edition=table.edition,
            is_custom=table.is_custom,
            players=players,
            people=people,
            winner=winner,
            ending=game.ending,
            pace=table.pace,
            is_public=True,
        )
        ArchivedSeat.objects.bulk_create(
            ArchivedSeat(archived=row, ended_at=ended_at, people=people, **seat) for seat in seats
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
    few = page()
    assert "100%" not in few
    # Why is said before the first dash, and the chart explains the bar that it has.
    assert few.index("We show percentages after ten games") < few.index("<table")
    assert [name in few.split("<figcaption>")[1] for name in ("month-key few", 'month-key"')] == [
        True,
        False,
    ]

    cache.clear()
    over(1)
    many = page()
    assert "100%" in many.partition("<h2>")[0]
    assert "month-key few" not in many and 'class="month-key"' in many


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


def test_it_is_counted_in_two_statements_and_then_kept():
    over(3)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            site_statistics()
        counts.append(len(queries))
    assert counts == [2, 0]


def test_lies_and_votes_are_told_by_role():
    seat = {"number": 0, "role": "fascist", "has_won": True, "sights": 4, "claims": 3}
    over(10, seats=[seat | {"lies": 2, "lies_caught": 1, "ballots": 5, "right_ballots": 4}])
    over(9, seats=[{"number": 1, "role": "hitler", "has_won": True, "claims": 1, "lies": 1}])

    conduct = {each.role: each for each in site_statistics().conduct}
    fascist = conduct["fascist"]
    assert (fascist.lies, fascist.claims) == (20, 30)
    assert (fascist.lie_share, fascist.caught_share) == (2 / 3, 1 / 2)
    assert fascist.right_share == 4 / 5
    shown = table_rows(page())
    assert ["67% 20/30", "50% 10/20", "80% 40/50"] in shown
    # Nine games are too few.
    assert ["–", "–", "–"] in shown


def test_the_chart_shows_each_month_and_divides_only_those_with_ten_games():
    over(10, ended_at=datetime(2026, 3, 2, tzinfo=UTC))
    over(10, winner="fascist", ended_at=datetime(2026, 3, 31, 23, tzinfo=UTC))
    over(9, ended_at=datetime(2026, 5, 1, tzinfo=UTC))

    chart = site_statistics().months
    assert [(each.month, each.tally) for each in chart.months] == [
        (date(2026, 3, 1), Tally(20, 10)),
        (date(2026, 4, 1), Tally()),
        (date(2026, 5, 1), Tally(9, 9)),
    ]
    march, april, may = chart.months
    assert march.won_height == march.lost_height == march.height / 2
    assert (april.height, may.height) == (0, round(march.height * 9 / 20, 1))
    shown = page()
    assert shown.count('class="won"') == shown.count('class="lost"') == 1
    assert shown.count('class="few"') == 1
    assert rows_of(shown)["March 2026"] == ["20", "50%", "50%"]
    assert rows_of(shown)["May 2026"] == ["9", "–", "–"]


def table_rows(page: str) -> list[list[str]]:
    """Return the text of each cell of each row of the page's tables."""
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    return [
        [
            " ".join(re.sub(r"<[^>]+>", "", cell).split())
            for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        ]
        for row in rows
    ]


def rows_of(page: str) -> dict[str, list[str]]:
    return {name: cells for name, *cells in table_rows(page)}
