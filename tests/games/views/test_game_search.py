"""The search for finished games: what it finds, for whom, and page by page."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Friendship, User
from games.models import ArchivedGame
from games.selectors.game_filters import GameFilters
from games.selectors.game_search import Cursor, find_games
from tests.builders.archive import NOON, archived_game
from tests.builders.tables import person

pytestmark = pytest.mark.django_db


def page(query: str = "", name: str = "") -> str:
    client = Client()
    if name:
        client.force_login(person(name))
    answer = client.get(f"/archive/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def found(query: str = "", name: str = "") -> list[str]:
    return re.findall(r'<a class="found-game" href="/tables/(\w+)/replay/">', page(query, name))


def shows_games(name: str, audience: str = "all", **fields) -> None:
    person(name)
    User.objects.filter(username=name).update(shows_games=audience, **fields)


def test_public_games_between_people_are_found_newest_first():
    first, second = archived_game("Ada", "Boris"), archived_game("Ada", "Chika")
    archived_game("Ada")
    archived_game("Boris", "Chika", is_public=False)
    assert found() == [second.code, first.code]


def test_a_private_game_is_found_by_those_who_sat_there_alone():
    public, private = (
        archived_game("Boris", "Chika"),
        archived_game("Ada", "Boris", is_public=False),
    )
    assert found(name="Ada") == [private.code, public.code]
    assert found(name="Chika") == [public.code]
    shows_games("Ada")
    assert found("?player=Ada", "Boris") == [private.code]
    assert found("?player=Ada", "Chika") == []


def test_each_filter_chooses_and_they_combine():
    one = archived_game("Ada", "Boris", edition="pl", players=7, moments=("veto", "chaos"))
    two = archived_game("Ada", "Boris", ending="hitler_elected", moments=("veto",))
    late = archived_game("Ada", "Boris", ended_at=NOON + timedelta(days=30))
    assert found("?edition=pl") == [one.code]
    assert found("?players=7") == [one.code]
    assert found("?ending=hitler_elected") == [two.code]
    assert found("?moment=veto") == [two.code, one.code]
    assert found("?moment=veto&edition=pl&players=7") == [one.code]
    assert found("?moment=chaos&ending=hitler_elected") == []
    assert found("?since=2026-10-06") == [late.code]
    assert found("?until=2026-10-05") == [two.code, one.code]
    assert len(find_games(GameFilters(moments=("veto", "chaos")), None).games) == 1


def test_a_player_is_found_only_where_the_page_shows_games():
    game = archived_game("Ada", "Boris")
    person("Sofia")
    assert found("?player=Ada", "Sofia") == []
    Friendship.objects.create(asked_by=person("Ada"), asked=person("Sofia"), accepted_at=NOON)
    assert found("?player=ada", "Sofia") == [game.code]
    assert found("?player=Ada", "Ada") == [game.code]
    assert found("?player=Ada") == []
    shows_games("Ada")
    assert found("?player=Ada") == [game.code]
    shows_games("Ada", shows_page="friends")
    assert found("?player=Ada") == []


def test_a_hidden_a_closed_and_an_unknown_name_are_answered_alike_and_cost_the_same():
    archived_game("Ada", "Boris")
    shows_games("Boris", is_active=False)
    answers = []
    for name in ("Ada", "Boris", "Nemo"):
        with CaptureQueriesContext(connection) as queries:
            html = page(f"?player={name}")
        html = re.sub(r'csrf\w*" value="\w+"|X-CSRFToken[^}]*}', "", html).replace(name, "-")
        answers.append((re.search(r"<main.*</main>", html, re.S)[0], len(queries)))
    assert answers[0] == answers[1] == answers[2]


def test_names_stand_only_where_their_owners_show_them():
    archived_game("Ada", "Boris")
    shows_games("Boris")
    assert "<bdi>Boris</bdi>" in page() and "<bdi>Ada</bdi>" not in page()
    # Who sat there knows everyone.
    shows_games("Boris", "nobody")
    assert "<bdi>Boris</bdi>" in page(name="Ada")


def test_pages_lose_and_repeat_nothing_while_games_end(monkeypatch):
    monkeypatch.setattr("games.selectors.game_search.GAMES_ON_A_PAGE", 3)
    codes = [archived_game("Ada", "Boris", ended_at=NOON).code for _ in range(7)][::-1]
    assert found() == codes[:3]
    older = re.search(r'rel="next" href="/archive/([^"]+)"', page())[1]
    new = archived_game("Ada", "Boris")
    assert found(older) == codes[3:6]
    newer = re.search(r'rel="prev" href="/archive/([^"]+)"', page(older))[1]
    assert found(newer) == codes[:3]
    assert found()[0] == new.code
    beyond = f"?before={Cursor(NOON - timedelta(days=1), 1)}"
    assert found(beyond) == [] and "There are no more games here." in page(beyond)


@pytest.mark.parametrize("name", ["", "Ada"])
def test_more_games_cost_no_more_queries(name):
    viewer = person(name) if name else None
    archived_game("Ada", "Boris")
    with CaptureQueriesContext(connection) as few:
        find_games(GameFilters(), viewer)
    for _ in range(10):
        archived_game("Ada", "Boris", moments=("veto",))
    with CaptureQueriesContext(connection) as many:
        find_games(GameFilters(), viewer)
    assert len(few) == len(many) <= 6


def test_bad_input_is_told_and_does_not_fail():
    archived_game("Ada", "Boris")
    assert "errorlist" in page("?since=yesterday")
    assert len(found("?edition=xx&players=99&moment=x&before=9-9-9&after=-")) == 1
    assert len(found(f"?before={'9' * 18}-1")) == 1
    assert Client().get("/archive/", {"player": "a" * 65536}).status_code == 413


@pytest.mark.on_sqlite
@pytest.mark.parametrize(
    "filters",
    [
        *({}, {"edition": "it"}, {"players": "7"}, {"players": "7-9"}, {"ending": "x"}),
        *({"company": "people"}, {"company": "bots"}),
    ],
)
def test_public_games_are_read_in_order_from_an_index(filters):
    with CaptureQueriesContext(connection) as queries:
        find_games(GameFilters(**filters), None)
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {queries[0]['sql']}")
        plan = [row[3] for row in cursor.fetchall()]
    assert not any(step.startswith("SCAN") or "ORDER BY" in step for step in plan), plan


def test_who_played_with_bots_alone_is_led_to_their_own_games():
    archived_game("Ada")
    own = '<a href="/games/">My games</a></p>'
    assert "No games between people yet" in page(name="Ada")
    assert "Games with bots alone aren’t listed here." in page(name="Ada") and own in page(
        name="Ada"
    )
    assert "Games with bots alone aren’t listed here." not in page()
    archived_game("Boris", "Chika")
    assert "Games with bots alone aren’t listed here." not in page(name="Ada")


def test_results_say_that_games_with_bots_are_in_the_own_games():
    archived_game("Ada", "Boris", moments=("veto",))
    told = "Games with bots alone aren’t listed here."
    for query in ("?q=veto", "?q=chaos"):
        answer = page(query, "Ada")
        assert answer.count(told) == 1
        assert 'href="/games/">My games</a>' in answer.partition(told)[2]
        # Visitors have no games of their own.
        assert told not in page(query)
    nothing = re.search(r'<div class="search-none">.*?</div>', page("?q=chaos", "Ada"), re.S)[0]
    assert told in nothing


def tags(answer: str) -> list[list[str]]:
    rows = re.findall(r'<div class="found-told">.*?</div>', answer, re.S)
    return [re.findall(r'<span class="tag telling">([^<]*)<', row) for row in rows]


def test_a_result_shows_the_moments_that_tell_it_from_others():
    ending = "hitler_elected"
    happened = (ending, "veto", "chaos", "no_liberal_policy", "peek", "execution")
    archived_game("Ada", "Boris", ending=ending, moments=happened)
    archived_game("Ada", "Boris", moments=("peek",))
    # Two long labels do not stand in one row.
    archived_game("Ada", "Boris", moments=("honest_accuser_ignored", "liberal_shot_hitler"))
    assert tags(page()) == [
        ["An honest accuser wasn’t believed"],
        [],
        ["No liberal policy", "Chaos"],
    ]


def test_after_a_search_by_player_a_result_says_whose_side_won():
    archived_game("Ada", "Boris")
    shows_games("Ada")
    told = re.search(r'<p class="last-facts">.*?</p>', page("?player=ada"), re.S)[0]
    assert re.search(r"<span><bdi>Ada</bdi>: won</span>", told)
    assert "Liberal" in told
    assert "last-facts" not in page()


def test_days_the_wrong_way_round_are_put_in_order():
    game = archived_game("Ada", "Boris")
    archived_game("Ada", "Boris", ended_at=NOON + timedelta(days=90))
    wrong = "since=2026-11-30&until=2026-10-01"
    assert found(f"?{wrong}") == [game.code]
    answer = Client().get(f"/archive/?q=&was=&had=&{wrong}")
    assert answer.url == "/archive/?since=2026-10-01&until=2026-11-30"
    assert 'value="2026-10-01"' in page(f"?{wrong}").partition('name="since"')[2][:60]


def test_a_result_says_at_what_time_its_game_ended():
    archived_game("Ada", "Boris", ended_at=NOON + timedelta(minutes=7))
    assert "5 Oct 2026, 12:07" in page()


@pytest.mark.django_db
def test_a_game_with_bots_says_how_many_there_were():
    archived_game("Ada", "Boris", players=7)
    assert "<span>5 bots</span>" in Client().get("/archive/").content.decode()
    ArchivedGame.objects.update(players=2)
    assert "bots</span>" not in Client().get("/archive/").content.decode()
