"""Words behind a minus in the search for finished games."""

from datetime import date

import pytest
from django.test import Client

from accounts.models import User
from games.selectors.game_filters import GameFilters
from tests.builders.archive import archived_game

pytestmark = pytest.mark.django_db


def ask(text: str, language: str = "en"):
    client = Client(headers={"Accept-Language": language})
    return client.get("/archive/", {"q": text}, follow=True)


@pytest.mark.parametrize(
    ("language", "text", "unknown", "moments"),
    [
        ("en", "-chaos", ("-chaos",), ()),
        ("en", "chaos -veto", ("-veto",), ("chaos",)),
        ("en", "-hitler elected, veto", ("-hitler elected",), ("veto",)),
        ("en", "-hitler", ("-hitler",), ()),
        ("en", "--chaos", ("--chaos",), ()),
        ("en", "veto -“Anna”", ('-"Anna"',), ("veto",)),
        ("ru", "хаос -вето", ("-вето",), ("chaos",)),
        ("ja", "−拒否権", ("−拒否権",), ()),
    ],
)
def test_words_behind_a_minus_are_not_understood_and_filter_nothing(
    language, text, unknown, moments
):
    archived_game("Anna", "Boris", moments=("veto", "chaos"))
    User.objects.update(shows_games="all")
    answer = ask(text, language)
    assert answer.context["unknown"] == unknown
    assert answer.context["filters"] == GameFilters(moments=moments)
    assert answer.context["meant"] == [] and answer.context["wide"] == []
    assert bool(answer.context["found"].games) == bool(moments)
    assert answer.context["was"] == text


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ("7-player", GameFilters(players=7)),
        ("veto - chaos", GameFilters(moments=("veto", "chaos"))),
        ("2026-10", GameFilters(since=date(2026, 10, 1), until=date(2026, 10, 31))),
        (
            "1 October 2026 – 10 October 2026",
            GameFilters(since=date(2026, 10, 1), until=date(2026, 10, 10)),
        ),
    ],
)
def test_a_dash_within_a_number_or_a_range_is_no_minus(text, filters):
    answer = ask(text)
    assert answer.context["unknown"] == () and answer.context["clashes"] == []
    assert answer.context["filters"] == filters


def test_a_range_of_players_keeps_its_dash():
    assert [wide.words for wide, _ in ask("5-6 players").context["wide"]] == ["5-6 players"]
