"""Leaderboards and the ratings on a person's page: who is shown, to whom, and from when."""

import html
import re
from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Friendship, User
from accounts.profiles.choices import Audience
from accounts.services import account_deletion
from games.models import Rating, RatingChange, RatingPlayer
from games.rating import season_of
from games.selectors import ratings as selector
from games.services import ratings
from tests.builders.cases import of, office, read, reported
from tests.builders.moderation import moderator, void
from tests.builders.ratings import rated_game, stands
from tests.builders.tables import NAMES, fresh, is_over, person, play_until, run_table

pytestmark = pytest.mark.django_db

LIBERALS, FASCISTS = NAMES[:3], NAMES[3:5]


@pytest.fixture(autouse=True)
def _small_pages(monkeypatch):
    monkeypatch.setattr(selector, "ROWS_ON_A_PAGE", 3)


def play_games(number: int, *, edition: str = "en", language: str = "") -> None:
    """Count this many games of the same five, which the liberals win twice out of three times."""
    now = timezone.now()
    for each in range(number):
        rated_game(
            LIBERALS,
            FASCISTS,
            winner="fascist" if each % 3 == 0 else "liberal",
            at=now - timedelta(minutes=number - each),
            edition=edition,
            language=language,
        )
    ratings.settle("live")


def viewer(name: str) -> Client:
    client = Client()
    client.force_login(person(name))
    return client


def page(query: str = "", client: Client | None = None) -> str:
    answer = (client or Client()).get(f"/ratings/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def listed(query: str = "", client: Client | None = None) -> Sequence[str]:
    answer = (client or Client()).get(f"/ratings/{query}")
    return [row.name for row in answer.context["board"].rows]


def profile(name: str, client: Client | None = None) -> str:
    key = User.objects.get(username=name).person_key
    return (client or Client()).get(f"/people/{key}/").content.decode()


def test_a_rating_is_public_from_the_tenth_game_on():
    play_games(9)
    assert listed() == []
    assert "1 more game to a first rating" in profile("Ada")
    play_games(1)
    assert set(listed()) == set(LIBERALS)
    assert set(listed("?side=fascist")) == set(FASCISTS)
    assert "more game" not in profile("Ada")


def test_the_uncertainty_is_shown():
    stands("Ada", 1540)
    assert "1540</b>" in page()
    assert "± 100" in page()
    assert "± 100" in profile("Ada")


def test_pages_follow_each_other_without_gaps_or_repeats():
    for number in range(8):
        stands(f"P{number}", 1500 + number // 2)
    names, query, places = [], "", []
    while True:
        answer = Client().get(f"/ratings/{query}")
        rows = answer.context["board"].rows
        names += [row.name for row in rows]
        places += [row.place for row in rows]
        query = answer.context["next"]
        if not query:
            break
    assert sorted(names) == [f"P{number}" for number in range(8)]
    assert places == [*range(1, 9)]


@pytest.mark.parametrize(
    "query",
    [
        "?after=x",
        "?after=1.2",
        "?after=--1.2.3",
        f"?after={'9' * 500}",
        "?season=19",
        "?scope=size:99",
    ],
)
def test_a_bad_query_shows_the_beginning(query):
    stands("Ada", 1600)
    assert listed(query) == ["Ada"]


def test_leaderboards_by_edition_size_and_language_need_ten_such_games():
    play_games(10, edition="ja", language="ja")
    for scope in ("edition:ja", "size:5", "language:ja"):
        assert set(listed(f"?scope={scope}")) == set(LIBERALS)
    for scope in ("edition:en", "size:6", "language:en"):
        assert listed(f"?scope={scope}") == []


def test_a_board_of_friends_shows_friends_and_oneself():
    for name in ("Ada", "Boris", "Chika"):
        stands(name, 1500)
    Friendship.objects.create(
        asked_by=person("Ada"), asked=person("Boris"), accepted_at=timezone.now()
    )
    assert set(listed("?friends=on", viewer("Ada"))) == {"Ada", "Boris"}
    assert len(listed("?friends=on")) == 3


def test_who_does_not_want_to_be_listed_is_not():
    stands("Ada", 1500)
    client = viewer("Ada")
    answer = client.post("/ratings/listing/", {"listed": "no"})
    assert (answer.status_code, listed(), listed("", client)) == (303, [], [])
    client.post("/ratings/listing/", {"listed": "yes"})
    assert listed() == ["Ada"]


def test_leaving_and_joining_leads_back_to_the_leaderboard_that_one_looks_at():
    client = viewer("Ada")
    chosen = "?side=fascist&tempo=days&scope=edition%3Apl&friends=on"
    form = client.get(f"/ratings/{chosen}").content.decode()
    (action,) = re.findall(r'<form method="post" action="(/ratings/listing/[^"]*)"', form)
    answer = client.post(html.unescape(action), {"listed": "no"})
    assert answer.url == f"/ratings/{chosen}"
    # The way back comes first then.
    shown = html.unescape(client.get(answer.url).content.decode())
    before, _, board = shown.partition('id="board-shown"')
    assert "You’ve taken yourself off the leaderboards." in before
    assert "Put me on the leaderboards" in before and "board-listing" not in board


@pytest.mark.parametrize("part", ["shows_page", "shows_statistics"])
def test_leaderboards_show_no_more_than_the_persons_page(part):
    stands("Ada", 1500)
    User.objects.filter(username="Ada").update(**{part: Audience.FRIENDS})
    assert listed() == []
    assert "1500</b>" not in profile("Ada")
    Friendship.objects.create(
        asked_by=person("Ada"), asked=person("Boris"), accepted_at=timezone.now()
    )
    assert listed("?friends=on", viewer("Boris")) == ["Ada"]
    User.objects.filter(username="Ada").update(**{part: Audience.NOBODY})
    assert listed("?friends=on", viewer("Boris")) == []


def test_an_account_that_leaves_takes_its_name_from_every_board():
    stands("Ada", 1500)
    account_deletion.erase_account(user=person("Ada"))
    assert "Ada" not in page()
    assert RatingPlayer.objects.get().user is None


def test_an_ended_season_stays_in_the_archive():
    play_games(12)
    later = timezone.now() + timedelta(days=100)
    assert ratings.archive_seasons(later) == 1
    season = season_of(timezone.now())
    RatingChange.objects.all().delete()
    Rating.objects.all().delete()
    assert listed() == []
    assert set(listed(f"?season={season}")) == set(LIBERALS)


def test_moves_of_a_running_game_change_no_rating_page():
    play_games(12)
    table = run_table(is_rated=True)

    def shown() -> list[str]:
        ratings.settle("live")
        pages = [page(), page("?side=fascist"), profile("Ada"), profile("Dario")]
        # The head holds a new nonce each time.
        return [html.partition("<main")[2] for html in pages]

    before = shown()
    steps = 0

    def soon(state: object) -> bool:
        nonlocal steps
        steps += 1
        return steps > 20

    play_until(table, soon)
    assert shown() == before
    play_until(table, is_over)
    assert fresh(table).stage == "over"
    assert shown() != before


def test_a_blind_table_shows_no_ratings_until_its_end():
    stands("Boris", 1777)
    table = run_table(is_rated=True, is_blind=True)
    client = viewer("Ada")
    assert "1777" not in client.get(table.get_absolute_url()).content.decode()
    assert client.get(f"{table.get_absolute_url()}seats/1/").status_code == 404


def test_a_leaderboard_takes_the_same_statements_for_any_number_of_players():
    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            page()
        return len(queries)

    stands("Ada", 1500)
    page()
    before = statements()
    for number in range(9):
        stands(f"P{number}", 1400 + number)
    assert statements() == before


def test_moderators_read_in_a_case_why_games_count_for_less():
    play_games(12)
    table = run_table()
    mira, case = office("Mira"), reported(table)
    about = case.person.username
    html = read(mira, of(case))
    assert about in LIBERALS + FASCISTS
    assert "Rated games that count for less" in html
    assert "on average they were at 100% of the recent games" in html


def test_a_voided_game_is_soon_gone_from_every_page():
    table = run_table(is_rated=True)
    play_until(table, is_over)
    before = profile("Ada")
    ratings.settle("live")
    assert profile("Ada").count("to a first rating") == 1 + before.count("to a first rating")
    void(table, moderator())
    ratings.settle("live")
    assert "to a first rating" not in profile("Ada")
