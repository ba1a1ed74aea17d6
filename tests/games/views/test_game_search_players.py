"""The search for finished games by what a player was there, and whether they won."""

from html import unescape

import pytest
from django.test import Client

from accounts.models import User
from games.models import ArchivedSeat
from games.selectors.game_filters import GameFilters
from tests.builders.archive import archived_game
from tests.builders.tables import person

pytestmark = pytest.mark.django_db


def ask(text: str, language: str = "en", **more: str):
    client = Client(headers={"Accept-Language": language})
    return client.get("/archive/", {"q": text, **more}, follow=True)


def codes(answer) -> list[str]:
    return [game.code for game in answer.context["found"].games]


def labels(answer) -> list[str]:
    return [chip.label for chip, _ in answer.context["chips"]]


def query(answer) -> str:
    return answer.request["QUERY_STRING"]


def play(*seats: tuple[str, str, bool], **more) -> str:
    """Archive a game with these names, roles and results, and return its code."""
    game = archived_game(*(name for name, _, _ in seats), **more)
    for name, role, has_won in seats:
        ArchivedSeat.objects.filter(archived=game, user__username=name).update(
            role=role, has_won=has_won
        )
    User.objects.update(shows_games="all")
    return game.code


@pytest.fixture
def games() -> dict[str, str]:
    return {
        "both won": play(("Ada", "liberal", True), ("Boris", "liberal", True)),
        "Ada won": play(("Ada", "hitler", True), ("Boris", "liberal", False)),
        "Ada lost": play(("Ada", "fascist", False), ("Boris", "liberal", True)),
        "without Ada": play(("Chika", "hitler", True), ("Boris", "liberal", False)),
    }


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("en", "Ada won", ["Ada won", "both won"]),
        ("en", "won, ada", ["Ada won", "both won"]),
        ("en", "games that Ada lost", ["Ada lost"]),
        ("en", "Ada as Hitler", ["Ada won"]),
        ("en", "Ada was a fascist", ["Ada lost"]),
        ("en", "Ada as liberal, won", ["both won"]),
        ("en", "Ada Boris won", ["both won"]),
        ("en", "Ada fascist", ["Ada lost"]),
        ("en", "the liberal Ada", ["both won"]),
        ("en", "Ada liberal won", ["both won"]),
        ("en", "Ada fascist lost", ["Ada lost"]),
        ("en", "fascist Ada won", []),
        ("en", "Ada hitler", ["Ada won"]),
        ("en", "Ada hitler won", ["Ada won"]),
        ("en", "lost hitler Ada", []),
        ("ru", "Ada Гитлер", ["Ada won"]),
        ("en", "Ada's wins", ["Ada won", "both won"]),
        ("ru", "фашист Ada", ["Ada lost"]),
        ("pl", "Ada faszysta", ["Ada lost"]),
        ("ja", "Ada リベラル", ["both won"]),
        ("it", "Ada fascista", ["Ada lost"]),
        ("it", "Ada ha vinto", ["Ada won", "both won"]),
        ("ru", "Ada победила", ["Ada won", "both won"]),
        ("ru", "Ada гитлером", ["Ada won"]),
        ("pl", "Ada przegrała", ["Ada lost"]),
        ("pl", "Ada jako faszystka", ["Ada lost"]),
        ("ja", "Ada 勝ち", ["Ada won", "both won"]),
        ("ja", "Adaヒトラー役", ["Ada won"]),
        ("ja", "Adaが勝った", ["Ada won", "both won"]),
        ("it", "Ada ha perso", ["Ada lost"]),
        ("it", "Ada come liberale", ["both won"]),
    ],
)
def test_a_player_s_result_and_role_are_found_by_words(games, language, text, names):
    answer = ask(text, language)
    assert codes(answer) == [games[name] for name in names]
    assert answer.context["wide"] == [] and answer.context["meant"] == []
    assert answer.context["was"] == text


def test_a_name_in_the_list_adds_that_player_to_the_search(games):
    page = ask("Ada lost", players="5").content.decode()
    # The player who is searched for already is no link.
    assert '<b class="searched-for"><bdi>Ada</bdi></b>' in page
    address = "/archive/?players=5&amp;q=Ada+lost&amp;name=Boris"
    assert f'<a href="{address}" data-leads-to="results"><bdi>Boris</bdi></a>' in page
    answer = Client().get(unescape(address), follow=True)
    assert query(answer) == "players=5&q=Ada+lost%2C+Boris"
    assert labels(answer) == ["Ada", "Boris", "Lost", "5 players"]
    answer = Client().get("/archive/?name=Boris", follow=True)
    assert query(answer) == "q=Boris" and games["without Ada"] in codes(answer)


def test_a_name_beside_as_many_names_as_possible_begins_anew():
    names = ["Ada", "Boris", "Chika", "Dawid", "Emil"]
    archived_game(*names, "Filippa")
    User.objects.update(shows_games="all")
    page = ask(" ".join(names)).content.decode()
    assert '<a href="/archive/?name=Filippa"' in page


@pytest.mark.parametrize(("language", "text"), [("en", "fascist"), ("it", "fascista")])
def test_a_name_leaves_the_words_before_it_their_meaning(games, language, text):
    # Beside a name, these words would mean the player's role.
    answer = ask(text, language, name="Boris")
    assert answer.context["filters"] == GameFilters(names=("Boris",), winner="fascist")
    assert answer.context["was"] == "Boris"


def test_chips_beside_the_names_say_the_result_and_the_role(games):
    answer = ask("Ada as liberal, won")
    assert labels(answer) == ["Ada", "Won", "Role: Liberal"]
    assert labels(ask("Ada Boris lost")) == ["Ada", "Boris", "Lost"]
    links = {chip.label: link for chip, link in answer.context["chips"]}
    assert links["Won"] == "?q=Ada+as+liberal"
    assert links["Role: Liberal"] == "?q=Ada%2C+won"
    # Without the player nothing is left of them.
    assert not Client().get(f"/archive/{links['Ada']}").context["filters"]


def test_results_and_roles_are_no_filters_without_a_player(games):
    assert [wide.words for wide, _ in ask("won").context["wide"]] == ["won"]
    hitler = {label for label, _ in dict(ask("as hitler").context["wide"]).popitem()[1]}
    assert hitler == {"Hitler elected", "Hitler executed"}
    answer = ask("", result="won", role="hitler")
    assert answer.context["filters"] == GameFilters() and len(codes(answer)) == len(games)
    form = ask("veto", role="hitler", name="", was="veto", moment="veto", had="moment=veto")
    assert form.context["form"].errors == {"name": ["Choose a player first."]}
    assert (
        form.context["was"] == "veto"
        and '<option value="hitler" selected>' in form.content.decode()
    )


def test_a_mistyped_name_among_the_filters_keeps_the_role_and_the_result(games):
    answer = ask("", name="Adda", role="hitler", was="", had="")
    assert (answer.context["was"], labels(answer)) == ("Ada", ["Ada", "Role: Hitler"])
    assert codes(answer) == [games["Ada won"]]


def test_a_name_among_the_filters_becomes_a_word_of_the_text(games):
    answer = ask("veto", name="Ada", result="won", was="veto", moment="veto", had="moment=veto")
    assert (answer.context["was"], labels(answer)) == ("veto, Ada", ["Ada", "Won", "Veto"])
    # It stands there, so another name takes its place and a cleared field takes it away.
    shown = {"was": "Ada lost", "named": "Ada", "result": "lost", "had": "result=lost"}
    page = ask("Ada lost").content.decode()
    assert 'name="named" value="Ada"' in page and 'name="name" value="Ada"' in page
    answer = ask("Ada lost", name="Boris", **shown)
    assert (
        labels(answer) == ["Boris", "Lost"]
        and codes(answer) == [games["Ada won"], games["without Ada"]][::-1]
    )
    assert labels(ask("Ada veto", name="", was="Ada veto", named="Ada", moment="veto")) == ["Veto"]
    # As a word alone this name would mean a month.
    archived_game("October", "Boris")
    User.objects.update(shows_games="all")
    assert ask("", name="October").context["was"] == '"October"'
    long = Client().get("/archive/", {"q": "", "name": "a" * 199})
    assert 'value="' + "a" * 199 in long.content.decode() and len(codes(long)) == len(games) + 1
    # An unknown name gets an error at its field.
    unknown = ask("veto", name="Zorro", role="hitler", was="veto", had="moment=veto")
    assert unknown.context["form"].errors == {
        "name": ["No player of this name shares games with you."]
    }
    assert 'name="q" value="veto"' in unknown.content.decode()
    assert unknown.context["unknown"] == ()
    assert 'name="name" value="Zorro"' in unknown.content.decode()


def test_the_name_of_a_role_means_a_side_where_no_player_stands(games):
    assert ask("fascist").context["filters"] == GameFilters(winner="fascist")
    assert ask("Ada fascists").context["filters"] == GameFilters(names=("Ada",), winner="fascist")
    answer = ask("Ada fascist veto")
    links = {chip.label: link for chip, link in answer.context["chips"]}
    assert links["Veto"] == "?q=Ada+fascist"


@pytest.mark.parametrize("text", ["win liberals", "won, the fascists"])
def test_a_side_behind_its_verb_is_no_question(games, text):
    answer = ask(text)
    assert answer.context["filters"].winner and answer.context["wide"] == []


def test_each_player_s_result_and_role_stand_beside_the_game(games):
    (game,) = ask("Ada Boris won").context["found"].games
    told = [(player.name, player.role, player.has_won) for player in game.searched]
    assert told == [("Ada", "liberal", True), ("Boris", "liberal", True)]


@pytest.mark.parametrize(
    ("language", "text"), [("en", "Ada didn't win"), ("it", "Ada non ha vinto")]
)
def test_a_result_that_is_denied_is_not_understood(games, language, text):
    answer = ask(text, language)
    assert answer.context["filters"] == GameFilters(names=("Ada",))
    assert answer.context["leaves_out"] and text.endswith(answer.context["unknown"][0])


@pytest.mark.parametrize(("language", "text"), [("en", "my games"), ("ru", "мои партии")])
def test_one_s_own_games_are_a_step_away(games, language, text):
    client = Client(headers={"Accept-Language": language})
    assert ask(text, language).context["unknown"] == (text.split()[0],)
    client.force_login(person("Sofia"))
    answer = client.get("/archive/", {"q": text}, follow=True)
    assert answer.context["unknown"] == () and answer.context["is_own"]
    assert 'class="button" href="/games/"' in answer.content.decode()


def test_words_around_a_result_are_kept(games):
    answer = ask("Ada zed won nemo")
    assert answer.context["unknown"] == ("zed", "nemo")
    assert ask("Ada 新人勝ち", "ja").context["unknown"] == ("新人",)


def test_a_result_that_is_told_in_two_ways_is_asked_about(games):
    answer = ask("Ada won lost")
    assert [words for words, _ in answer.context["clashes"][0]] == ["won", "lost"]
    assert answer.context["filters"] == GameFilters(names=("Ada",))


def test_the_form_shows_the_player_s_result_and_role_and_they_may_be_chosen(games):
    answer = ask("Ada won")
    form = answer.context["form"]
    assert (form["result"].value(), form["role"].value()) == ("won", None)
    sent = {"q": "Ada won", "was": "Ada won", "had": answer.context["had"], "result": "lost"}
    answer = Client().get("/archive/", sent, follow=True)
    assert (query(answer), codes(answer)) == ("result=lost&q=Ada", [games["Ada lost"]])
    sent = {"q": "Ada", "was": "Ada", "had": answer.context["had"], "role": "hitler"}
    assert codes(Client().get("/archive/", sent, follow=True)) == [games["Ada won"]]


def test_a_hidden_player_s_result_finds_nothing(games):
    User.objects.filter(username="Ada").update(shows_games="nobody")
    for viewer in ("", "Sofia"):
        client = Client()
        if viewer:
            client.force_login(person(viewer))
        for filters in ({"result": "won"}, {"role": "hitler"}):
            answer = client.get("/archive/", {"player": "Ada", **filters})
            assert codes(answer) == []
            unknown = client.get("/archive/", {"player": "Zed", **filters})
            assert answer.context["told"] == unknown.context["told"]
        assert client.get("/archive/", {"q": "Ada won"}).context["filters"] == GameFilters()


def test_the_api_finds_a_player_s_result_and_asks_for_the_player(games):
    found = Client().get("/api/v1/games/", {"player": "Ada", "result": "lost"}).json()
    assert [game["code"] for game in found["games"]] == [games["Ada lost"]]
    found = Client().get("/api/v1/games/", {"player": "Ada", "role": "hitler"}).json()
    assert [game["code"] for game in found["games"]] == [games["Ada won"]]
    for filters in ({"result": "won"}, {"role": "hitler"}):
        assert Client().get("/api/v1/games/", filters).status_code == 400
