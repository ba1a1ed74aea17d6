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
from games.rating import Sign, season_of
from games.selectors import ratings as selector
from games.services import ratings
from games.wording import weight_reason
from tests.builders.cases import of, office, read, reported
from tests.builders.moderation import moderator, void
from tests.builders.ratings import rated_game, stands
from tests.builders.tables import NAMES, fresh, is_over, person, play_until, run_table

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

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


def test_the_board_offers_to_leave_it_only_to_a_player_who_has_a_rating():
    stands("Ada", 1540)
    assert "Take me off the leaderboards" in page(client=viewer("Ada"))
    other = page(client=viewer("Boris"))
    assert "Keep me off the leaderboards" in other
    # The link leads to ratings where there are any.
    assert "/#ratings" in page(client=viewer("Ada")) and "/#ratings" not in other


def test_the_uncertainty_is_shown():
    stands("Ada", 1540)
    assert "1540</b>" in page()
    assert "± 100" in page()
    assert "± 100" in profile("Ada")


def test_the_history_is_drawn_without_styles():
    play_games(14)
    shown = profile("Ada")
    assert "<polyline" in shown
    assert " style=" not in shown
    assert "Liberal play: from" in shown


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


def test_a_visitor_comes_back_to_the_leaderboard_after_registering():
    page = Client().get("/ratings/?side=fascist&tempo=live").content.decode()
    assert "?next=/ratings/%3Fside%3Dfascist%26tempo%3Dlive" in page


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


@pytest.mark.parametrize("sign", Sign)
def test_every_sign_has_words_for_moderators(sign: Sign):
    told = weight_reason(sign, 83, "Ada")
    assert told and "{" not in told
    # A sign about another player names them, also when the account is gone.
    if "Ada" in told:
        assert "?" in weight_reason(sign, 83, "")


def test_moderators_read_whose_votes_a_player_s_are_like():
    told = weight_reason("alike", 83, "Ada")
    assert "Ada" in told and "83%" in told


def test_a_voided_game_is_soon_gone_from_every_page():
    table = run_table(is_rated=True)
    play_until(table, is_over)
    before = profile("Ada")
    ratings.settle("live")
    assert profile("Ada").count("to a first rating") == 1 + before.count("to a first rating")
    void(table, moderator())
    ratings.settle("live")
    assert "to a first rating" not in profile("Ada")


def test_the_filters_say_what_is_chosen():
    ada = viewer("Ada")
    told = page("?side=fascist&scope=size:7&friends=on", ada).split("<summary>")[1]
    words = re.sub(r"<[^>]+>", "", told.split("</summary>")[0])
    assert "Fascist play, live" in words
    assert "7 players · Only my friends and me" in words
    # A visitor has no friends here.
    assert "Only my friends" not in page("?friends=on")
    plain = page("?scope=edition:pl").split("<summary>")[1].split("</summary>")[0]
    assert "Polish rules" in plain and "Liberal play, live" in plain


def empty(query: str = "", client: Client | None = None) -> str:
    """Return what an empty leaderboard says."""
    return re.search(r'<div class="empty board-empty">.*?</div>', page(query, client), re.S)[0]


def test_an_empty_board_says_which_one_it_is():
    told = re.sub(r"<[^>]+>", "", empty("?side=fascist&tempo=days&scope=size:7"))
    assert "Fascist play, one day per move" in told and "7 players" in told
    season = season_of(timezone.now())
    play_games(12)
    assert ratings.archive_seasons(timezone.now() + timedelta(days=100)) == 1
    # No one can come to a board of the past.
    told = empty(f"?season={season}&tempo=days")
    assert "No one is on this leaderboard." in told and "yet" not in told


def test_a_board_of_friends_says_that_one_has_none_and_where_to_find_them():
    told = "You have no friends here yet."
    stands("Ada", 1500)
    alone = page("?friends=on", viewer("Ada"))
    assert told in alone and 'href="/account/people/">Add a friend</a>' in alone
    assert told in page("?friends=on", viewer("Boris"))
    assert told not in page("", viewer("Boris")) and told not in page("?friends=on")
    Friendship.objects.create(
        asked_by=person("Ada"), asked=person("Boris"), accepted_at=timezone.now()
    )
    assert told not in page("?friends=on", viewer("Ada"))


def test_an_empty_board_offers_a_game_of_its_pace_and_says_which_games_count():
    live, days = empty("", viewer("Zoe")), empty("?tempo=days", viewer("Zoe"))
    assert 'href="/seek/"' in live and "Find a game" in live
    # No one waits for others to play over days.
    assert 'href="/seek/"' not in days and 'href="/tables/new/?pace=daily"' in days
    for told in (live, days):
        assert "Only games between people, and without house rules, count." in told


@pytest.mark.parametrize("part", ["shows_page", "shows_statistics"])
@pytest.mark.parametrize(
    ("audience", "told"),
    [
        (Audience.ALL, "Your page shows everyone how"),
        (Audience.FRIENDS, "Your page shows only your friends how"),
        (Audience.NOBODY, "Your page shows no one how"),
    ],
)
def test_a_player_reads_who_can_see_them_here(part, audience, told):
    client = viewer("Ada")
    User.objects.filter(username="Ada").update(**{part: audience})
    html = page(client=client)
    assert told in html and html.count("Your page shows") == 1
    assert 'href="/account/preferences/#page"' in html


@pytest.mark.parametrize(
    ("board", "edition", "size", "languages"),
    [
        ("scope=edition:ru-5-6", "ru-5-6", "6", ["en"]),
        ("scope=size:9", "en", "9", ["en"]),
        ("scope=language:pl", "en", "7", ["pl"]),
    ],
)
def test_a_board_leads_to_a_game_that_counts_for_it(board, edition, size, languages):
    client = viewer("Zoe")
    (opens,) = re.findall(r'href="(/tables/new/[^"]*)"', empty(f"?tempo=days&{board}", client))
    form = client.get(html.unescape(opens)).context["form"]
    values = {name: form[name].value() for name in ("pace", "edition", "languages")}
    assert values == {"pace": "daily", "edition": edition, "languages": languages}
    assert str(form["seats_wanted"].value()) == size
    (seeks,) = re.findall(r'href="(/seek/[^"]*)"', empty(f"?{board}", client))
    search = client.get(html.unescape(seeks)).context["form"]
    shown = [search[name].value() for name in ("edition", "size", "languages")]
    kind, value = board.removeprefix("scope=").split(":")
    wanted = {"edition": 0, "size": 1, "language": 2}[kind]
    assert shown[wanted] in (value, "9-10" if value == "9" else None, [value])


def test_the_way_to_register_stands_at_one_place():
    guest = Client()
    person("Guest", is_trial=True)
    guest.force_login(User.objects.get(username="Guest"))
    for name in ("Ada", "Boris"):
        for client in (Client(), guest):
            html = page(client=client)
            assert html.count("Register to be rated") == 1
            assert "Register to be rated" in html.partition('<p class="board-listing" id=')[2]
        # The same with a name on the board.
        stands(name, 1500)


def test_a_changed_filter_is_answered_with_its_short_address():
    stands("Ada", 1500)
    answer = Client().get(
        "/ratings/?side=liberal&tempo=live&scope=", headers={"HX-Request": "true"}
    )
    assert answer.headers["HX-Push-Url"] == "/ratings/?side=liberal&tempo=live"
    assert "HX-Push-Url" not in Client().get("/ratings/").headers


def test_the_example_on_an_empty_board_is_hidden_from_assistive_technology():
    (example,) = re.findall(r'<table class="shares board board-example"[^>]*>', page())
    assert 'aria-hidden="true"' in example
    stands("Ada", 1500)
    assert "board-example" not in page()


def test_an_empty_board_says_how_far_the_viewer_is_and_lets_them_play():
    play_games(4)
    assert "You: 4 of 10 rated games" in page(client=viewer("Ada"))
    assert "You: 0 of 10 rated games" in page("?side=fascist", viewer("Ada"))
    html = page(client=viewer("Zoe"))
    assert "You: 0 of 10 rated games" in html and 'href="/seek/"' in html
    assert (
        'href="/account/register/?next=/ratings/%3Fside%3Dliberal%26tempo%3Dlive">Register'
        in page()
    )
    assert "You: " not in page()
    play_games(6)
    assert "You: " not in page(client=viewer("Ada"))
