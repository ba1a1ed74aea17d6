"""Words that say what to leave out in the search for finished games."""

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
        ("en", "chaos without veto", ("without veto",), ("chaos",)),
        ("en", "chaos without the veto", ("without the veto",), ("chaos",)),
        ("en", "no chaos, veto", ("no chaos",), ("veto",)),
        ("en", "chaos without anna", ("without anna",), ("chaos",)),
        ("en", "veto not hitler elected", ("not hitler elected",), ("veto",)),
        ("ru", "хаос без вето", ("без вето",), ("chaos",)),
        ("pl", "chaos bez weta", ("bez weta",), ("chaos",)),
        ("ja", "カオス、拒否権なし", ("拒否権なし",), ("chaos",)),
        ("it", "caos senza veto", ("senza veto",), ("chaos",)),
    ],
)
def test_what_is_to_be_left_out_is_not_understood_and_filters_nothing(
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
        ("no clock", GameFilters(pace="untimed")),
        ("no liberal policies", GameFilters(moments=("no_liberal_policy",))),
        ("7-player", GameFilters(players="7")),
        ("veto - chaos", GameFilters(moments=("veto", "chaos"))),
        ("2026-10", GameFilters(since=date(2026, 10, 1), until=date(2026, 10, 31))),
        (
            "1 October 2026 – 10 October 2026",
            GameFilters(since=date(2026, 10, 1), until=date(2026, 10, 10)),
        ),
    ],
)
def test_terms_that_begin_with_no_and_dashes_between_numbers_leave_nothing_out(text, filters):
    answer = ask(text)
    assert answer.context["unknown"] == () and answer.context["clashes"] == []
    assert answer.context["filters"] == filters


def test_a_range_of_players_keeps_its_dash():
    assert ask("5-6 players").context["filters"] == GameFilters(players="5-6")
