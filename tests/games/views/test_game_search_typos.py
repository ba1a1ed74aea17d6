"""Known words and names are offered for mistyped ones in the search for finished games."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import ArchivedSeat
from tests.builders.archive import archived_game
from tests.builders.tables import person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("language", "typed", "offered", "mended"),
    [
        ("en", "novmber", "November", "November"),
        ("en", "7 players, 12 octobr 2026", "October", "7 players, 12 October 2026"),
        ("en", "hitler electd", "Hitler elected", "Hitler elected"),
        ("ru", "нооябрь", "ноябрь", "ноябрь"),
        ("en", "hitlr", "hitler", "hitler"),
        ("ru", "гитлр", "гитлер", "гитлер"),
        ("pl", "hitlr", "hitler", "hitler"),
    ],
)
def test_mistyped_words_of_the_search_are_offered_as_they_are_spelt(
    language, typed, offered, mended
):
    client = Client(headers={"Accept-Language": language})
    page = client.get("/archive/", {"q": typed}, follow=True)
    meant = dict(page.context["meant"])
    assert offered in meant
    answer = client.get(meant[offered], follow=True)
    assert answer.context["unknown"] == () and answer.context["meant"] == []
    assert answer.context["was"] == mended
    assert f">{offered}</a>" in page.content.decode()


def offered(typed: str, name: str = "") -> dict[str, str]:
    client = Client()
    if name:
        client.force_login(person(name))
    # The only other words with games are shown at once, unless others were asked for before.
    return dict(client.get("/archive/", {"q": typed, "asked": "x"}, follow=True).context["meant"])


def test_nothing_is_offered_for_words_that_are_like_none():
    # Who has played no game stands in no list.
    person("Anastazja", shows_games="all")
    for typed in ("zed", "qwertyuiop", "Anastazia", "November", "x" * 200):
        assert offered(typed) == {}, typed


def test_names_of_the_list_are_offered_for_mistyped_and_unfinished_ones():
    archived_game("Anna_W", "Boris_K", "Anastazja", "Veto", "Big Bob", "Ewa Wiśnia")
    User.objects.update(shows_games="all")
    assert offered("Anna")["Anna_W"] == "/archive/?q=Anna_W"
    assert list(offered("boris")) == ["Boris_K"]
    assert list(offered("Anastazia")) == ["Anastazja"]
    assert list(offered("wisnia")) == ["Ewa Wiśnia"]
    assert offered("7 players, anastazia")["Anastazja"] == "/archive/?q=7+players%2C+Anastazja"
    # A name that means something else is offered in quotes.
    assert offered("vetto")["Veto"] in ("/archive/?q=Veto", "/archive/?q=%22Veto%22")
    assert list(offered("bigg bob")) == ["Big Bob"]
    found = Client().get(offered("bigg bob")["Big Bob"])
    assert found.context["filters"].names == ("Big Bob",) and found.context["unknown"] == ()
    # A name whose games other filters leave out is right.
    assert offered("Big Bob veto") == {}
    # Only what is not chosen already.
    assert offered("Anna_W, anna") == {}


@pytest.mark.parametrize("viewer", ["", "Sofia"])
def test_a_name_whose_owner_hides_their_games_is_never_offered(viewer):
    archived_game("Anastazja", "Boris")
    User.objects.filter(username="Boris").update(shows_games="all")

    def answer(typed: str) -> tuple[str, int]:
        client = Client()
        if viewer:
            client.force_login(person(viewer))
        with CaptureQueriesContext(connection) as queries:
            page = client.get("/archive/", {"q": typed}, follow=True).content.decode()
        return re.search("<main.*</main>", page, re.S)[0], len(queries)

    for audience in ("nobody", "friends"):
        User.objects.filter(username="Anastazja").update(shows_games=audience)
        asked = ("Anastazia", "anast", "Anastazja")
        hidden = [answer(typed) for typed in asked]
        assert all(offered(typed, viewer) == {} for typed in asked)
        # The answers are the same if no one has such a name.
        User.objects.filter(username="Anastazja").update(username="Zed", name_key="zed")
        assert [answer(typed) for typed in asked] == hidden
        User.objects.filter(username="Zed").update(username="Anastazja", name_key="anastazja")
    User.objects.filter(username="Anastazja").update(shows_games="all")
    assert list(offered("Anastazia", viewer)) == ["Anastazja"]


def test_a_hidden_name_is_offered_to_those_who_sat_beside_it_alone():
    archived_game("Anastazja", "Boris", is_public=False)
    User.objects.filter(username="Anastazja").update(shows_games="nobody")
    assert list(offered("anast", "Boris")) == ["Anastazja"]
    assert offered("anast", "Sofia") == {}


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("borris", "Boris_K"),
        ("Vetto", "Veto"),
        ("borsi_k", "Boris_K"),
    ],
)
def test_games_of_the_only_other_words_are_shown_at_once(typed, shown):
    game = archived_game("Anna", "Boris_K", moments=("veto",))
    User.objects.filter(username="Boris_K").update(shows_games="all")
    answer = Client().get("/archive/", {"q": typed}, follow=True)
    assert [each.code for each in answer.context["found"].games] == [game.code]
    assert (answer.context["was"], answer.context["asked"]) == (shown, typed)
    told = f"Showing <bdi>{shown}</bdi>: nothing was found for <bdi>{typed}</bdi>."
    assert told in answer.content.decode()


def test_a_similar_name_replaces_a_player_without_games_beside_other_filters():
    person("Anna")
    game = archived_game("Anna_W", "Boris", players=10)
    User.objects.update(shows_games="all")
    for typed, shown in (
        ("anna 10 players", "Anna_W 10 players"),
        ("bors 10 players", "Boris 10 players"),
    ):
        answer = Client().get("/archive/", {"q": typed}, follow=True)
        assert (answer.context["was"], answer.context["asked"]) == (shown, typed)
        assert [each.code for each in answer.context["found"].games] == [game.code]


def test_the_words_beside_a_mended_name_stay():
    game = archived_game("Anna", "Boris_K")
    User.objects.filter(username="Boris_K").update(shows_games="all")
    ArchivedSeat.objects.filter(user__username="Boris_K").update(has_won=True)
    answer = Client().get("/archive/", {"q": "boris won"}, follow=True)
    assert answer.context["was"] == "Boris_K won"
    assert [each.code for each in answer.context["found"].games] == [game.code]


def test_other_words_are_only_offered_if_there_are_several_or_they_find_nothing_either():
    archived_game("Anna_W", "Anna_K", "Boris")
    User.objects.update(shows_games="all")
    for typed, words in (
        ("anna", {"Anna_W", "Anna_K"}),
        ("vetto", {"veto"}),
        ("boris chaso", {"chaos"}),
    ):
        answer = Client().get("/archive/", {"q": typed}, follow=True)
        assert answer.context["asked"] == "" and answer.context["was"] == typed
        assert {word.casefold() for word, _ in answer.context["meant"]} == {
            word.casefold() for word in words
        }


def test_a_whole_phrase_is_offered_without_its_words():
    assert list(offered("hiter elected")) == ["Hitler elected"]


def test_names_are_read_only_for_words_that_were_not_understood():
    archived_game("Anna", "Boris", moments=("veto",))
    User.objects.update(shows_games="all")

    def queries(typed: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            Client().get("/archive/", {"q": typed})
        return len(captured)

    few = queries("zed veto")
    for _ in range(5):
        archived_game("Anna", "Boris", "Chika", moments=("veto",))
    assert queries("zed veto") == few
    # The search for the list's games, their seats and their moments.
    assert few - queries("Anna veto") <= 3


def test_no_word_is_offered_that_begins_with_another_letter(db):
    assert "peeks" not in offered("two weeks ago")
    assert "peeks" in offered("peecks")


def test_a_short_month_is_offered_as_a_month(db):
    assert offered("oct") == {"October": "/archive/?q=October"}
    assert offered("Veto nov") == {"November": "/archive/?q=Veto+November"}


@pytest.mark.parametrize(
    ("typed", "shown", "is_told"),
    [("bor", "Boris_K", False), ("borsi", "Boris_K", True), ("ola bor", "ola Boris_K", False)],
)
def test_a_beginning_that_stands_for_a_name_is_no_mistake(typed, shown, is_told):
    archived_game("Boris_K", "Ola")
    User.objects.update(shows_games="all")
    answer = Client().get("/archive/", {"q": typed}, follow=True)
    assert answer.context["was"] == shown and len(answer.context["found"].games) == 1
    assert ("nothing was found for" in answer.content.decode()) == is_told


@pytest.mark.parametrize("typed", ["under 30 minuets 5", "policies", "7 roundz", "elected"])
def test_numbers_and_the_words_of_known_phrases_are_not_mended(typed):
    assert not {"Under 20 minutes", "executed", "policy"} & set(offered(typed))


def test_two_swapped_letters_of_a_short_name_are_mended():
    archived_game("Ola", "Kenji")
    User.objects.update(shows_games="all")
    assert offered("oal") == {"Ola": "/archive/?q=Ola"}


def test_a_name_of_latin_letters_is_found_in_cyrillic_ones():
    archived_game("Ola", "Jola", "Chiaki")
    User.objects.update(shows_games="all")
    for typed, shown in (("ола", "Ola"), ("чиаки", "Chiaki")):
        answer = Client().get("/archive/", {"q": typed}, follow=True)
        assert answer.context["was"] == shown
