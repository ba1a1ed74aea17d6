"""Bad addresses of everything that concerns finished games: each gets a page, none a failure.

What an uploaded record can have wrong stands in `test_uploads`, and what a withdrawn name leaves in
the tests of dumps, search and the API.
"""

import pytest
from django.test import Client

from games.models import Table
from tests.builders.person import Person
from tests.builders.tables import person, run_table

pytestmark = pytest.mark.django_db


def page(path: str) -> str:
    answer = Person(person("Ada"), Table()).get(path)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize(
    ("path", "told", "back"),
    [
        ("/games/?before=1", "There are no more games here.", 'href="/games/"'),
        ("/archive/?before=1-1", "There are no more games here.", 'href="/archive/"'),
        ("/ratings/?after=-99999.1.5", "There are no more players here.", 'href="/ratings/'),
    ],
)
def test_a_page_beyond_the_last_says_so_and_leads_back(path: str, told: str, back: str):
    shown = page(path)
    assert told in shown
    assert back in shown.split("</h1>")[1]


def test_the_api_answers_with_an_empty_page_beyond_the_last():
    answer = Client().get("/api/v1/leaderboards/", {"after": "-99999.1.5"})
    assert answer.status_code == 200
    assert (answer.json()["rows"], answer.json()["next"]) == ([], None)


def test_while_a_game_runs_none_of_its_pages_exists_not_even_for_its_players():
    table = run_table()
    for part in ("replay", "truth", "proof", "record"):
        path = f"/tables/{table.code}/{part}/"
        assert Client().get(path).status_code == 404
        assert Person(person("Ada"), table).get(path).status_code == 404
    assert Client().get(f"/api/v1/games/{table.code}/").status_code == 404
    assert Client().get(f"/api/v1/games/{table.code}/record/").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/archive/?player=",
        "/archive/feed/?player=",
        "/games/?company=",
        "/ratings/?scope=",
        "/statistics/?x=",
        "/dumps/?x=",
        "/api/v1/games/?player=",
        "/api/v1/leaderboards/?scope=",
    ],
)
def test_a_query_of_64_kb_is_too_long(path: str):
    assert Client().get(path + "x" * 65_536).status_code == 413


@pytest.mark.parametrize("token", [None, "wrong"])
def test_the_api_of_bots_refuses_who_has_no_right(token: str | None):
    table = run_table()
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    for path in ("/api/tables/", f"/api/tables/{table.code}/"):
        answer = Client().get(path, headers=headers)
        assert answer.status_code == 401
        assert "no-store" in answer["Cache-Control"]
