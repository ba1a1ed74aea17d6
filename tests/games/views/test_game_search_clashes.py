"""Words of the search for finished games that contradict each other, or a chosen filter."""

import html
import re

import pytest
from django.http import QueryDict
from django.test import Client

from accounts.models import User
from games.selectors.game_filters import GameFilters
from games.selectors.game_search import Cursor
from tests.builders.archive import archived_game

pytestmark = pytest.mark.django_db


def ask(text: str, language: str = "en", **more: str):
    client = Client(headers={"Accept-Language": language})
    return client.get("/archive/", {"q": text, **more}, follow=True)


def address(answer) -> dict[str, list[str]]:
    return dict(QueryDict(answer.request["QUERY_STRING"]).lists())


def send(answer, **changes: str):
    """Send the form as the page shows it, with these changes."""
    page = answer.content.decode()
    sent = {name: html.unescape(value) for name, value in hidden(page)}
    shown = answer.context["form"]
    sent |= {it.name: it.value() for it in shown if it.name not in ("player", "moment")}
    sent = {name: value or "" for name, value in sent.items()} | changes
    return Client().get("/archive/", sent, follow=True)


def hidden(page: str) -> list[tuple[str, str]]:
    return re.findall(r'<input type="hidden" name="(was|had)" value="([^"]*)">', page)


def notice(answer) -> dict[str, str]:
    """Return the choices of the only notice, by their words."""
    (shown,) = re.findall(r'<div class="search-unknown".*?</div>', answer.content.decode(), re.S)
    pairs = re.findall(r'<a class="choice" href="([^"]*)" dir="auto">([^<]*)</a>', shown)
    return {html.unescape(words): html.unescape(link) for link, words in pairs}


@pytest.mark.parametrize(
    ("language", "text", "values"),
    [
        ("en", "november october", ["november", "october"]),
        ("en", "7 players, 8 players", ["7 players", "8 players"]),
        ("en", "english rules polish rules", ["english rules", "polish rules"]),
        ("en", "liberals win fascists win", ["liberals win", "fascists win"]),
        ("en", "1 october 10 october", ["1 october", "10 october"]),
        ("en", "in polish in german", ["in polish", "in german"]),
        ("en", "five policies six policies", ["five policies", "six policies"]),
        ("en", "since october, since 2025", ["since october", "since 2025"]),
        ("ru", "7 игроков 8 игроков", ["7 игроков", "8 игроков"]),
        ("ja", "7人 8人", ["7人", "8人"]),
    ],
)
def test_words_that_contradict_each_other_stay_and_each_is_a_choice(language, text, values):
    archived_game("Anna", "Boris")
    answer = ask(text, language)
    assert address(answer)["q"] == [text]
    assert not answer.context["filters"] and not answer.context["found"].games
    assert answer.context["unknown"] == ()
    choices = notice(answer)
    assert list(choices) == values
    for words, link in choices.items():
        chosen = Client(headers={"Accept-Language": language}).get(link)
        assert words in chosen.context["was"]
        assert chosen.context["clashes"] == [] and chosen.context["filters"]
        assert all(other not in chosen.context["was"] for other in values if other != words)


def test_beside_words_that_contradict_each_other_the_other_filters_count():
    game = archived_game("Anna", "Boris", moments=("veto",))
    archived_game("Anna", "Boris")
    User.objects.update(shows_games="all")
    answer = ask("anna veto 7 players zed 5 players")
    assert [each.code for each in answer.context["found"].games] == [game.code]
    assert answer.context["filters"] == GameFilters(names=("Anna",), moments=("veto",))
    assert address(Client().get(notice(answer)["5 players"])) == {"q": ["anna veto zed 5 players"]}
    # Without another filter, they still contradict each other.
    (chip,) = (it for it, _ in answer.context["chips"] if it.label == "Veto")
    (link,) = (query for it, query in answer.context["chips"] if it == chip)
    without = Client().get(f"/archive/{link}")
    assert without.context["was"] == "anna 7 players zed 5 players"
    assert list(notice(without)) == ["7 players", "5 players"]


@pytest.mark.parametrize(
    "text",
    ["7 players, seven players", "since october until december", "october, October", "veto chaos"],
)
def test_what_is_said_twice_or_fits_together_is_no_contradiction(text):
    answer = ask(text)
    assert answer.context["clashes"] == [] and answer.context["filters"]


def test_words_that_contradict_each_other_stay_when_the_form_is_sent_again():
    answer = ask("7 players 8 players")
    assert address(send(answer)) == {"q": ["7 players 8 players"]}
    assert address(send(answer, winner="liberal")) == {
        "q": ["7 players 8 players"],
        "winner": ["liberal"],
    }
    # The filter decides.
    assert address(send(answer, players="8")) == {"q": ["8 players"]}
    assert address(send(answer, players="9")) == {"players": ["9"]}
    # Also where the words around it would mean something else if they stood together.
    answer = ask("hitler veto elected 7 players 8 players")
    assert address(send(answer)) == {"q": ["hitler, elected 7 players 8 players"]}
    assert address(send(answer, players="8")) == {"q": ["hitler, elected 8 players"]}
    # Words that are typed after a filter was chosen count against it.
    page = send(ask("", players="9"), q="7 players 8 players")
    assert address(page) == {"q": ["7 players 8 players"]}


def test_readers_of_another_language_are_told_of_words_that_contradict_each_other():
    link = "/archive/?q=7+игроков+8+игроков+вето&words=ru"
    answer = Client(headers={"Accept-Language": "en"}).get(link, follow=True)
    assert address(answer)["moment"] == ["veto"]
    assert "игроков" in answer.context["was"]


@pytest.mark.parametrize(
    ("text", "changes", "left"),
    [
        ("7 players", {"players": "8"}, {"players": ["8"]}),
        ("7 players veto", {"players": "8"}, {"players": ["8"], "q": ["veto"]}),
        ("liberals won", {"winner": "fascist"}, {"winner": ["fascist"]}),
        ("polish rules", {"edition": "pl"}, {"q": ["polish rules"]}),
        ("7 players", {"players": "7"}, {"q": ["7 players"]}),
        ("7 players 9 players", {"players": "9"}, {"q": ["9 players"]}),
        ("7 players", {"winner": "liberal"}, {"q": ["7 players"], "winner": ["liberal"]}),
    ],
)
def test_a_filter_chosen_in_the_same_step_counts_against_typed_words(text, changes, left):
    assert address(send(ask(""), q=text, **changes)) == left


def test_words_typed_after_a_filter_was_chosen_count_against_it():
    before = ask("", players="8")
    assert address(send(before, q="7 players")) == {"q": ["7 players"]}


@pytest.mark.parametrize("text", ["hitler", "7 players 8 players"])
def test_the_heading_asks_when_nothing_was_searched_yet(text):
    page = ask(text).content.decode()
    assert re.search(r'id="results"[^>]*>Which did you mean\?<', page)
    assert "No games found" not in page
    assert ">No games found<" in ask("veto").content.decode()


def test_another_page_of_games_is_a_page_of_its_own_so_that_back_keeps_the_place():
    for _ in range(21):
        archived_game("Ada", "Boris")
    page = ask("").content.decode()
    (pages,) = re.findall(r'<nav class="actions" aria-label="Pages"[^>]*>', page)
    assert "hx-boost" not in pages


@pytest.mark.parametrize(
    ("language", "text", "winner"),
    [
        ("en", "liberals lost", "fascist"),
        ("ru", "фашисты проиграли", "liberal"),
        ("it", "liberali hanno perso", "fascist"),
    ],
)
def test_a_side_that_lost_means_that_the_other_one_won(db, language, text, winner):
    assert ask(text, language).context["filters"] == GameFilters(winner=winner)


@pytest.mark.django_db
def test_the_newest_games_have_one_address():
    games = [archived_game("Ada", "Boris") for _ in range(21)]
    answer = Client().get("/archive/", {"after": str(Cursor(games[0].ended_at, games[0].pk))})
    assert (answer.status_code, answer.url) == (302, "/archive/")
