"""The ways to the search for finished games, from pages that tell of them."""

import html
import re
from datetime import date

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from games.models import ArchivedMoment, SiteTally
from games.tasks import archive_games
from tests.builders.tables import is_over, person, play_until, run_table

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_page_is_cached() -> None:
    cache.clear()


def links(path: str, name: str = "") -> dict[str, str]:
    """Return the label of each link of a page to the search, and its address."""
    client = Client()
    if name:
        client.force_login(person(name))
    answer = client.get(path)
    assert answer.status_code == 200
    pairs = re.findall(r'<a [^>]*?href="(/archive/[^"]*)"[^>]*>(.*?)</a>', answer.content.decode())
    return {re.sub("<.*?>", "", label): html.unescape(address) for address, label in pairs}


def test_statistics_lead_to_the_games_behind_each_row():
    for kind, value in (("", ""), ("edition", "pl"), ("size", "7"), ("ending", "hitler_elected")):
        SiteTally.objects.create(
            month=date(2026, 10, 1),
            dimension=kind or SiteTally.Dimension.ALL,
            value=value,
            games=12,
            won=5,
            rounds=80,
            seconds=9000,
        )
    found = links("/statistics/")
    assert found["All games"] == "/archive/"
    assert found["Polish rules"] == "/archive/?edition=pl"
    assert found["7"] == "/archive/?players=7"
    assert found["Hitler is elected Chancellor."] == "/archive/?ending=hitler_elected"
    assert found["October 2026"] == "/archive/?since=2026-10-01&until=2026-10-31"
    for address in found.values():
        assert Client().get(address).status_code == 200


def test_a_person_and_their_games_lead_to_all_of_them():
    table = run_table()
    play_until(table, is_over)
    archive_games()
    path = f"/people/{person('Ada').person_key}/"
    User.objects.filter(username="Ada").update(shows_games="friends", shows_statistics="all")
    assert "All public games of Ada" not in links(path)
    assert "English rules" not in links(path)
    User.objects.filter(username="Ada").update(shows_games="all")
    found = links(path)
    assert found["All public games of Ada"] == "/archive/?player=Ada"
    assert found["English rules"] == "/archive/?player=Ada&edition=en"
    assert table.code in Client().get(found["English rules"]).content.decode()
    own = links("/games/", "Ada")
    assert own["Search your games with people"] == "/archive/?player=Ada"


def test_the_truth_leads_to_games_with_the_same_moments_under_its_cover():
    table = run_table()
    play_until(table, is_over)
    archive_games()
    path = f"/tables/{table.code}/truth/"
    ArchivedMoment.objects.all().delete()
    assert "More games like this" not in Client().get(path).content.decode()
    for moment in ("veto", "chaos"):
        row = {"archived_id": table.game.pk, "ended_at": "2026-10-01T12:00Z"}
        ArchivedMoment.objects.create(moment=moment, **row)
    found = links(path)
    assert found["Veto"] == "/archive/?moment=veto"
    assert found["All of this"] == "/archive/?moment=veto&moment=chaos"
    page = Client().get(path).content.decode()
    cover = page.index('<details class="spoiler">', page.index("More games like this"))
    assert cover < page.index("/archive/?moment=veto")


def test_the_truth_leads_to_no_games_by_a_power_that_most_games_have():
    table = run_table()
    play_until(table, is_over)
    archive_games()
    ArchivedMoment.objects.all().delete()
    row = {"archived_id": table.game.pk, "ended_at": "2026-10-01T12:00Z"}
    ArchivedMoment.objects.create(moment="execution", **row)
    path = f"/tables/{table.code}/truth/"
    assert "More games like this" not in Client().get(path).content.decode()
    assert table.code in Client().get("/archive/?moment=execution").content.decode()


def test_a_running_game_changes_nothing_in_the_search():
    def answers() -> list[str]:
        pages = [Client().get(f"/archive/?{query}") for query in ("", "player=Ada", "moment=veto")]
        return [re.search("<main.*</main>", page.content.decode(), re.S)[0] for page in pages]

    person("Ada", shows_games="all")
    before = answers()
    table = run_table()
    play_until(table, lambda state: state.round == 3)
    archive_games()
    assert answers() == before


def test_the_lobby_leads_to_the_search():
    assert "/archive/" in links("/").values()
    assert "/archive/" in links("/", "Ada").values()
