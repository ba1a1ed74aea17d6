"""The page that compares the deals of all finished games with chance."""

import pytest
from django.core.management import call_command
from django.test import Client

from games.models import FairnessReport
from games.services.fairness import against_chance, chance_of, rebuild_fairness
from tests.builders.tables import NAMES, fresh, is_over, play_until, position, run_table


@pytest.mark.parametrize(
    ("chi", "freedom", "chance"),
    # From printed tables of the chi-square distribution.
    [(3.841, 1, 0.05), (5.991, 2, 0.05), (11.070, 5, 0.05), (16.919, 9, 0.05), (32.0, 16, 0.01)],
)
def test_the_chances_are_those_of_the_printed_tables(chi, freedom, chance):
    assert chance_of(chi, freedom) == pytest.approx(chance, abs=0.0005)


def test_a_seat_that_is_always_first_stands_out_and_equal_seats_do_not():
    assert against_chance(5, [100, 0, 0, 0, 0])["p"] < 1e-9
    assert against_chance(5, [20, 20, 20, 20, 20])["p"] == 1


def test_several_cards_of_one_deal_are_no_more_even_than_chance():
    # Two fascists among five seats of 100 games: places of one deal repel each other.
    alone = against_chance(5, [50, 40, 40, 40, 30])["chi"]
    assert against_chance(5, [50, 40, 40, 40, 30], drawn=100)["chi"] == pytest.approx(alone * 4 / 3)


@pytest.mark.django_db
def test_finished_games_are_counted_and_running_ones_are_not():
    table = run_table()
    play_until(table, is_over)
    run_table(NAMES[:7])

    report = rebuild_fairness()

    deal = position(fresh(table)).chance.deal(table.options, 5)
    assert report.games == 1
    [first] = report.counts["tests"]["first"]
    assert first["counts"] == [int(seat == deal.first_candidate) for seat in range(5)]
    liberals = [int(card == "liberal") for card in deal.draw_pile]
    assert report.counts["deck"]["counts"] == liberals


@pytest.mark.django_db
def test_the_page_tells_the_newest_count_and_counts_nothing_itself():
    assert "No finished games have been counted yet" in Client().get("/fairness/").content.decode()
    table = run_table()
    play_until(table, is_over)
    call_command("rebuild_fairness")
    call_command("rebuild_fairness")
    assert FairnessReport.objects.count() == 1

    page = Client().get("/fairness/").content.decode()

    assert "1 finished game<" in page
    assert "Too few games to judge." in page
    assert table.code not in page
