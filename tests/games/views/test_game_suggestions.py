"""Suggestions that complete a text in the search for finished games."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Friendship, User
from games.selectors.game_filters import GameFilters
from games.selectors.game_suggestions import suggestions
from games.selectors.game_text import understand
from games.text.query_phrases import LONGEST_QUERY
from tests.builders.archive import archived_game
from tests.builders.tables import person

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "ru", "pl", "ja", "it")


def labels(text: str, viewer: User | None = None, language: str = "en") -> list[str]:
    return [each.label for each in suggestions(text, viewer, language)]


def texts(text: str, language: str = "en") -> list[str]:
    return [each.text for each in suggestions(text, None, language)]


@pytest.fixture
def _players() -> None:
    archived_game("Chiaki", "Boris_K", "Anna W", "Veto")
    User.objects.update(shows_games="all")


@pytest.mark.usefixtures("_players")
@pytest.mark.parametrize(
    ("language", "typed", "text"),
    [
        ("en", "chi", "Chiaki"),
        ("en", "7 players, bo", "7 players, Boris_K"),
        ("en", "chaos anna w", "chaos anna w"),
        ("en", "chaos anna", "chaos Anna W"),
        ("en", "7 players ve", '7 players "Veto"'),
        ("en", "7", "7 players"),
        ("en", "7 pl", "7 players"),
        ("en", "chiaki, 10 ", "chiaki, 10 players"),
        ("en", "veto ref", "Veto refused"),
        ("en", "last m", "last month"),
        ("ru", "бор", "Boris_K"),
        ("ru", "вето откл", "Вето отклонено"),
        ("pl", "lis", "listopada"),
        ("ja", "ヒトラー選", "ヒトラー選出"),
        ("ja", "Chiaki、拒否", "Chiaki、拒否権の行使"),
        ("it", "fascisti h", "fascisti hanno perso"),
    ],
)
def test_the_last_words_go_on_as_a_name_or_a_phrase(language, typed, text):
    assert text in [*texts(typed, language), typed if text == typed else ""]


def test_names_come_first_and_what_stands_there_already_is_not_repeated():
    archived_game("Chaos99")
    archived_game("Chaos99", "Chaos-1")
    User.objects.update(shows_games="all")
    assert labels("cha")[:3] == ["Chaos-1", "Chaos99", "Chaos"]
    assert "Chaos" not in labels("chaos")


@pytest.mark.parametrize("text", ["", " ", "c", "chiaki ", 'x "', ",", "zzz", "11", "4", "x" * 300])
def test_nothing_goes_on_where_nothing_begins(text):
    assert labels(text) == []


@pytest.mark.usefixtures("_players")
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_suggestion_is_understood(language):
    begun = ["ch", "ve", "hi", "no", "7", "this", "al", "over", "ru", "мо", "ги", "ит", "пя"]
    begun += ["со", "wy", "fa", "os", "se", "リベ", "フ", "今", "le", "ul", "po", "45", "sh", "lo"]
    seen = [text for typed in begun for text in texts(typed, language)]
    assert len(seen) > 10
    for text in seen:
        understood = understand(text, GameFilters(), None, language)
        assert understood.filters and not understood.rest, text


def test_labels_begin_with_a_capital_and_hitler_has_one():
    assert labels("hitler wo")[0] == "Hitler won" and labels("death of") == ["Death of Hitler"]
    assert texts("chaos, hitler w")[0] == "chaos, hitler won"


def test_the_field_of_the_filters_suggests_names_alone():
    archived_game("Veto", "Vera")
    User.objects.update(shows_games="all")
    page = Client().get("/archive/suggestions/", {"q": "ve", "names": "1"}).content.decode()
    assert re.findall('data-text="([^"]*)"', page) == ["Vera", "Veto"]
    for none in ("vera", "a" * 200, "щ" * 200, "x, ve", ""):
        page = Client().get("/archive/suggestions/", {"q": none, "names": "1"}).content.decode()
        assert not page.strip() or none == "vera"


def test_only_players_are_named_whose_games_the_viewer_may_find():
    archived_game("Openly", "Hidden", "Friendly", "Leaving", is_public=True)
    archived_game("Private1", "Private2", is_public=False)
    archived_game("Alone")
    person("Unplayed", shows_games="all")
    User.objects.exclude(username="Hidden").update(shows_games="all")
    User.objects.filter(username="Hidden").update(shows_games="none")
    User.objects.filter(username="Friendly").update(shows_games="friends")
    User.objects.filter(username="Leaving").update(closes_at=timezone.now() + timedelta(days=1))
    friend = person("Friend", shows_games="none")
    Friendship.objects.create(asked_by=friend, asked=person("Friendly"), accepted_at=timezone.now())
    begun = ("open", "hidd", "friendl", "leav", "priv", "alon", "unpl")
    assert [name for each in begun for name in labels(each)] == ["Openly", "Friendly fire"]
    of_friend = [name for each in begun for name in labels(each, friend)]
    assert of_friend == ["Openly", "Friendly", "Friendly fire"]


def test_the_answer_costs_two_queries_and_names_nobody_in_its_headers():
    archived_game(*(f"Player{number}" for number in range(10)))
    User.objects.update(shows_games="all")
    client = Client()
    client.force_login(person("Reader"))
    client.get("/archive/suggestions/", {"q": "pl"})
    with CaptureQueriesContext(connection) as queries:
        assert len(suggestions("chaos, veto pl", person("Reader"), "en")) == 3
    # One finds the reader.
    assert len(queries) == 3
    answer = client.get("/archive/suggestions/", {"q": "pl"})
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert "no-store" in answer.headers["Cache-Control"]


def test_the_answer_is_the_options_of_the_list():
    archived_game("Ren", "<b>&")
    User.objects.update(shows_games="all")
    page = Client().get("/archive/suggestions/", {"q": "no bots, <b"}).content.decode()
    assert re.findall('data-text="([^"]*)"', page) == ["no bots, &quot;&lt;b&gt;&amp;&quot;"]
    assert "<bdi>&lt;b&gt;&amp;</bdi>" in page
    assert unescape(page).count('role="option"') == 1
    assert Client().get("/archive/suggestions/").content.strip() == b""
    assert Client().get("/archive/suggestions/", {"q": "x, " * 200}).status_code == 200
    assert Client().post("/archive/suggestions/").status_code == 405


def test_a_suggestion_is_never_longer_than_a_text_may_be():
    archived_game("Chiaki")
    long = "x " * (LONGEST_QUERY // 2 - 2) + ", ch"
    assert all(len(text) <= LONGEST_QUERY for text in texts(long))
