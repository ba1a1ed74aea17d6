"""The search for finished games: what it finds, for whom, and page by page."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Friendship, User
from games.models import ArchivedGame, ArchivedSeat
from games.selectors.game_filters import GameFilters
from games.selectors.game_search import Cursor, find_games
from tests.builders.archive import NOON, archived_game
from tests.builders.tables import person
from tests.nightly import by_day

pytestmark = pytest.mark.django_db


def answer(query: str = "", name: str = ""):
    client = Client()
    if name:
        client.force_login(person(name))
    return client.get(f"/archive/{query}")


def page(query: str = "", name: str = "") -> str:
    shown = answer(query, name)
    assert shown.status_code == 200
    return shown.content.decode()


def found(query: str = "", name: str = "") -> list[str]:
    return re.findall(r'href="/tables/(\w+)/replay/" class="own-ending"', page(query, name))


def names(begun: str, name: str = "") -> list[str]:
    client = Client()
    if name:
        client.force_login(person(name))
    shown = client.get("/archive/suggestions/", {"player": begun})
    assert shown.status_code == 200
    return re.findall('<option value="([^"]*)">', shown.content.decode())


def shows_games(name: str, audience: str = "all", **fields) -> None:
    person(name)
    User.objects.filter(username=name).update(shows_games=audience, **fields)


# What is found, and for whom ----------------------------------------------------------------------


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
    assert found("?sort=longest") == found("?sort=longest", "Chika") == [public.code]


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


def test_who_sat_with_a_hidden_player_finds_the_games_of_both_alone():
    both = archived_game("Ada", "Boris")
    archived_game("Ada", "Chika")
    assert found("?player=Ada", "Boris") == [both.code]
    assert found("?player=Ada&sort=longest", "Boris") == [both.code]


@pytest.mark.parametrize("more", ["", "&result=won", "&role=liberal", "&sort=longest"])
@pytest.mark.parametrize("viewer", ["", "Sofia"])
def test_a_hidden_a_closed_and_an_unknown_name_are_answered_alike_and_cost_the_same(more, viewer):
    archived_game("Ada", "Boris")
    shows_games("Boris", is_active=False)
    page(name=viewer)
    answers = []
    for name in ("Ada", "Boris", "Nemo"):
        with CaptureQueriesContext(connection) as queries:
            html = page(f"?player={name}{more}", viewer)
        html = re.sub(r'csrf\w*" value="\w+"|X-CSRFToken[^}]*}', "", html).replace(name, "-")
        answers.append((re.search(r"<main.*</main>", html, re.S)[0], len(queries)))
    assert answers[0] == answers[1] == answers[2]
    assert "No game that you can see matches." in answers[0][0]


def test_names_stand_only_where_their_owners_show_them():
    archived_game("Ada", "Boris")
    shows_games("Boris")
    assert "<bdi>Boris</bdi>" in page() and "<bdi>Ada</bdi>" not in page()
    # Who sat there knows everyone.
    shows_games("Boris", "nobody")
    assert "<bdi>Boris</bdi>" in page(name="Ada")


# The filters --------------------------------------------------------------------------------------


def test_each_filter_chooses_and_they_combine():
    one = archived_game("Ada", "Boris", edition="pl", players=7, moments=("veto", "chaos"))
    two = archived_game("Ada", "Boris", ending="hitler_elected", moments=("veto",))
    late = archived_game(
        *("Ada", "Boris"),
        ended_at=NOON + timedelta(days=30),
        winner="fascist",
        pace="daily",
        language="pl",
    )
    for query, games in {
        "?edition=pl": [one],
        "?players=7": [one],
        "?winner=fascist": [late],
        "?pace=daily": [late],
        "?language=pl": [late],
        "?ending=hitler_elected": [two],
        "?moment=veto": [two, one],
        "?moment=veto&moment=chaos": [one],
        "?moment=veto&edition=pl&players=7": [one],
        "?moment=chaos&ending=hitler_elected": [],
        "?since=2026-10-06": [late],
        "?until=2026-10-05": [two, one],
        "?since=2026-11-30&until=2026-10-06": [late],
    }.items():
        assert found(query) == [game.code for game in games], query


def test_several_players_are_found_where_all_of_them_sat():
    both = archived_game("Ada", "Boris")
    archived_game("Ada", "Chika")
    User.objects.update(shows_games="all")
    assert found("?player=Ada&player=boris") == [both.code]
    assert found("?player=Ada&player=Boris&player=Chika") == []
    # The form has a field for each.
    shown = page("?player=Ada&player=Boris&player=Chika")
    assert re.findall(r'name="player" [^>]*value="(\w+)"', shown) == ["Ada", "Boris", "Chika"]
    assert "at most 5 players" in page("?" + "&".join(f"player=P{each}" for each in range(6)))


def test_a_result_and_a_role_are_the_players_and_need_one():
    won = archived_game("Ada", "Boris")
    lost = archived_game("Ada", "Chika")
    ArchivedSeat.objects.filter(archived=lost).update(has_won=False, role="hitler")
    User.objects.update(shows_games="all")
    assert found("?player=Ada&result=won") == [won.code]
    assert found("?player=Ada&result=lost&role=hitler") == [lost.code]
    assert found("?player=Ada&role=fascist") == []
    alone = answer("?role=hitler")
    assert alone.context["form"].errors == {"role": ["Choose a player first."]}
    assert len(alone.context["found"].games) == 2


@pytest.mark.parametrize(
    ("query", "sizes"),
    [
        ("players=6-8", [6, 7, 8]),
        ("players=8-6", [6, 7, 8]),
        ("players=7", [7]),
        ("players=9-", [9, 10]),
        ("players=-5", [5]),
        ("players_min=6&players_max=7", [6, 7]),
        ("players_max=6", [5, 6]),
    ],
)
def test_a_range_of_players_finds_all_its_numbers(query, sizes):
    for players in range(5, 11):
        archived_game("Ada", "Boris", players=players)
    games = answer(f"?{query}").context["found"].games
    assert sorted(game.players for game in games) == sizes


def test_games_with_and_without_bots_are_told_apart():
    alone = archived_game("Ada", "Boris", "Chika", "Dora", "Emil", players=5)
    with_bots = archived_game("Ada", "Boris", players=7)
    assert found("?company=people") == [alone.code]
    assert found("?company=bots") == [with_bots.code]
    assert page().count("<span>5 bots</span>") == 1


def test_games_are_found_by_their_length_in_whole_minutes():
    # The rows of the list round: 19 and a half minutes are 20.
    lengths = {"short": 1169, "at least medium": 1170, "at most medium": 2670, "long": 2671}
    code = {each: archived_game("Ada", "Boris", seconds=lengths[each]).code for each in lengths}

    def matching(query: str) -> list[str]:
        games = found(query)
        return [each for each in code if code[each] in games]

    assert matching("?length=0-19") == matching("?length=-19") == ["short"]
    assert matching("?length=20-44") == ["at least medium", "at most medium"]
    assert matching("?length_min=20&length_max=44") == ["at least medium", "at most medium"]
    assert matching("?length=45-") == ["long"]


@pytest.mark.parametrize(
    "bad",
    [
        *("players=4", "players=5-11", "players=5-6-7", "players=x", "players=5-x"),
        *("length=short", "length=1000-", "length=x-5", f"length={'9' * 400}", "edition=xx"),
        *("since=yesterday", "since=2026-13-01", "moment=x", "sort=x", "role=x"),
        *("winner=x", f"player={'a' * 300}", "language=xx"),
    ],
)
def test_a_bad_value_is_told_and_does_not_filter(bad):
    archived_game("Ada", "Boris")
    shown = answer(f"?{bad}")
    assert shown.status_code == 200 and len(shown.context["found"].games) == 1
    assert shown.context["form"].errors.keys() == {bad.partition("=")[0]}
    assert "errorlist" in shown.content.decode()


def test_bad_places_and_long_names_do_not_fail():
    archived_game("Ada", "Boris")
    assert len(found("?before=9-9-9&after=-")) == 1
    assert found(f"?before={'9' * 17}-{'9' * 17}") == found(f"?sort=longest&before={'9' * 17}-1")
    assert answer("?player=" + "a" * 65536).status_code == 413


def test_what_filters_is_told_in_words_while_the_filters_are_folded():
    archived_game("Ada", "Boris")
    told = answer("?player=Ada&players=5-6&moment=veto&since=2026-10-01&sort=longest")
    words = ["Number of players: 5–6", "From this day: 1 Oct 2026", "Veto"]
    assert told.context["told"] == words
    shown = told.content.decode()
    assert "<details open" not in shown and '<option value="5" selected>' in shown


# Addresses ----------------------------------------------------------------------------------------


def test_the_form_leads_to_its_short_address():
    archived_game("Ada", "Boris")
    sent = {
        "player": ["Ada", ""],
        "edition": "",
        "players_min": "5",
        "players_max": "6",
        "moment": ["veto", "chaos"],
        "length_min": "",
        "length_max": "",
        "since": "2026-10-01",
        "sort": "longest",
        "lang": "pl",
    }
    short = Client().get("/archive/", sent)
    assert short.status_code == 302
    assert short.url == (
        "/archive/?player=Ada&players=5-6&since=2026-10-01&sort=longest&moment=veto&moment=chaos"
        "&lang=pl"
    )
    assert Client().get(short.url).status_code == 200


def test_an_old_text_is_looked_up_as_a_player_s_name():
    game = archived_game("Ada", "Boris")
    shows_games("Ada")
    old = answer("?q=ada&words=ru&edition=en")
    assert (old.status_code, old.url) == (302, "/archive/?player=ada&edition=en")
    assert found("?player=ada&edition=en") == [game.code]
    assert answer("?q=").url == "/archive/"
    assert answer("?q=" + "x" * 300).status_code == 200


# Order and pages ----------------------------------------------------------------------------------


def test_the_longest_games_come_first_if_asked():
    lengths = {
        seconds: archived_game("Ada", "Boris", seconds=seconds).code for seconds in (9, 7, 8)
    }
    longest = [lengths[seconds] for seconds in (9, 8, 7)]
    User.objects.update(shows_games="all")
    for query in ("?sort=longest", "?sort=longest&player=Ada", "?sort=longest&winner=liberal"):
        assert found(query) == longest
    archived_game("Ada", "Boris", seconds=8, moments=("veto",))
    assert len(found("?sort=longest&moment=veto")) == 1


@pytest.mark.parametrize("sort", ["", "&sort=longest"])
@pytest.mark.parametrize("query", by_day(1, ["?winner=liberal", "?player=Ada", "?moment=veto"]))
@pytest.mark.parametrize("viewer", ["", "Ada"])
def test_pages_lose_and_repeat_nothing_while_games_end(monkeypatch, viewer, query, sort):
    monkeypatch.setattr("games.selectors.game_search.GAMES_ON_A_PAGE", 3)
    shows_games("Ada")
    usual = {"ended_at": NOON, "moments": ("veto",)}
    codes = [archived_game("Ada", "Boris", **usual).code for _ in range(7)][::-1]
    query += sort
    assert found(query, viewer) == codes[:3]
    older = re.search(r'rel="next" href="/archive/([^"]+)"', page(query, viewer))[1]
    older = older.replace("&amp;", "&")
    new = archived_game("Ada", "Boris", moments=("veto",), seconds=1300)
    assert found(older, viewer) == codes[3:6]
    newer = re.search(r'rel="prev" href="/archive/([^"]+)"', page(older, viewer))[1]
    assert found(newer.replace("&amp;", "&"), viewer) == codes[:3]
    assert found(query, viewer)[0] == new.code
    last = re.search(r'rel="next" href="/archive/([^"]+)"', page(older, viewer))[1]
    assert found(last.replace("&amp;", "&"), viewer) == codes[6:]


def test_a_page_beyond_the_last_says_so_and_leads_to_the_first():
    archived_game("Ada", "Boris")
    beyond = page(f"?edition=en&before={Cursor.at(NOON - timedelta(days=1), 1)}")
    assert "There are no more games here." in beyond and 'href="/archive/?edition=en"' in beyond
    assert answer("?edition=en&after=1-1").url == "/archive/?edition=en"


def test_the_number_of_games_is_told_up_to_a_hundred():
    archived_game("Ada", "Boris")
    assert ">1 game<" in page()
    for _ in range(100):
        archived_game("Ada", "Boris")
    assert ">More than 100 games<" in page()


@pytest.mark.parametrize("name", ["", "Ada"])
@pytest.mark.parametrize("sort", ["", "longest"])
def test_more_games_cost_no_more_queries(name, sort):
    viewer = person(name) if name else None
    archived_game("Ada", "Boris")
    with CaptureQueriesContext(connection) as few:
        find_games(GameFilters({"sort": sort}), viewer)
    for _ in range(10):
        archived_game("Ada", "Boris", moments=("veto",))
    with CaptureQueriesContext(connection) as many:
        find_games(GameFilters({"sort": sort}), viewer)
    assert len(few) == len(many) <= 6


@pytest.mark.on_sqlite
@pytest.mark.parametrize(
    "filters",
    [
        *({}, {"edition": "it"}, {"players": "7"}, {"players": "7-9"}, {"pace": "daily"}),
        *({"ending": "chaos"}, {"company": "people"}, {"company": "bots"}, {"sort": "longest"}),
    ],
)
def test_public_games_are_read_in_order_from_an_index(filters):
    with CaptureQueriesContext(connection) as queries:
        find_games(GameFilters(filters), None)
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {queries[0]['sql']}")
        plan = [row[3] for row in cursor.fetchall()]
    assert not any(step.startswith("SCAN") or "ORDER BY" in step for step in plan), plan


# Names --------------------------------------------------------------------------------------------


def test_a_name_is_completed_by_those_that_begin_like_it():
    archived_game("Vera", "Veto", "Boris")
    User.objects.update(shows_games="all")
    assert names("ve") == ["Vera", "Veto"] and names("VER") == ["Vera"]
    for begun in ("v", "", "zz", "%", "ve" * 200):
        assert names(begun) == []
    assert Client().post("/archive/suggestions/").status_code == 405


def test_a_name_is_completed_only_if_the_viewer_may_find_the_player_s_games():
    archived_game("Openly", "Hidden", "Friendly", "Leaving")
    archived_game("Private1", "Private2", is_public=False)
    archived_game("Alone")
    person("Unplayed")
    User.objects.update(shows_games="all")
    shows_games("Hidden", "nobody")
    shows_games("Friendly", "friends")
    shows_games("Leaving", closes_at=timezone.now() + timedelta(days=1))
    friend = person("Friend")
    Friendship.objects.create(asked_by=friend, asked=person("Friendly"), accepted_at=NOON)
    begun = ("open", "hidd", "friendl", "leav", "priv", "alon", "unpl")

    def completed(viewer: str = "") -> list[str]:
        return [name for each in begun for name in names(each, viewer)]

    assert completed() == ["Openly"]
    assert completed("Friend") == ["Openly", "Friendly"]
    # Who sat beside one may have hidden their games since, or changed their name.
    assert completed("Openly") == ["Openly"]
    assert completed("Private1") == ["Openly"]


def test_completing_a_name_costs_two_queries_and_no_search_engine_keeps_it():
    archived_game(*(f"Player{number}" for number in range(10)))
    User.objects.update(shows_games="all")
    client = Client()
    client.force_login(person("Reader"))
    client.get("/archive/suggestions/", {"player": "pl"})
    with CaptureQueriesContext(connection) as queries:
        shown = client.get("/archive/suggestions/", {"player": "pl"})
    statements = [each["sql"] for each in queries if "session" not in each["sql"].lower()]
    # One finds the reader.
    assert len(statements) == 3 and shown.content.count(b"<option") == 8
    assert shown.headers["X-Robots-Tag"] == answer().headers["X-Robots-Tag"] == "noindex"
    assert "no-store" in shown.headers["Cache-Control"]


def test_a_name_is_written_safely():
    archived_game("Ren", "<b>&")
    User.objects.update(shows_games="all")
    assert names("<b") == ["&lt;b&gt;&amp;"]
    assert "<bdi>&lt;b&gt;&amp;</bdi>" in page()


def test_a_name_in_the_list_is_searched_for_beside_the_filters():
    archived_game("Ada", "Boris", edition="pl")
    User.objects.update(shows_games="all")
    assert 'href="?edition=pl&amp;player=Boris"' in page("?edition=pl")
    shown = page("?player=Ada&edition=pl")
    assert 'href="?player=Ada&amp;player=Boris&amp;edition=pl"' in shown
    assert "<b><bdi>Ada</bdi></b>" in shown


# What a row says ----------------------------------------------------------------------------------


def test_a_row_says_when_how_and_for_the_player_searched_for_how_it_ended():
    archived_game("Ada", "Boris", ended_at=NOON + timedelta(minutes=7), seconds=3840)
    shows_games("Ada")
    shown = page("?player=ada")
    assert "5 Oct 2026, 12:07" in shown and "<span>1 hour, 4 minutes</span>" in shown
    assert re.search(r'<span class="tag won">.*?<bdi>Ada</bdi>: won</span>', shown)
    assert "last-facts" not in page()


def test_a_row_shows_the_rarest_moments_that_tell_it_from_others():
    ending = "hitler_elected"
    happened = (ending, "veto", "chaos", "no_liberal_policy", "peek", "execution")
    archived_game("Ada", "Boris", ending=ending, moments=happened)
    archived_game("Ada", "Boris", moments=("peek",))
    rows = [game.telling_moments for game in answer().context["found"].games]
    assert rows == [(), ("no_liberal_policy", "chaos")]
    assert page().count('<span class="tag">') == 2


def test_who_is_signed_in_is_led_to_their_games_with_bots():
    archived_game("Ada")
    told = "Games with bots alone aren’t listed here."
    for query in ("", "?moment=chaos"):
        assert told in page(query, "Ada") and told not in page(query)
    assert "No games between people yet" in page() and ArchivedGame.objects.exists()
