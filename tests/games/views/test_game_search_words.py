"""The search for finished games by words: filters, chips, and what was not understood."""

import html
import re
from dataclasses import replace
from datetime import datetime
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from accounts.models import User
from games.analysis.moments import Moment
from games.forms.game_search import GameSearchForm
from games.models import Pace
from games.panels.game_search import chips_of
from games.rules.components import Party
from games.rules.editions import EDITIONS
from games.rules.phases import Ending
from games.selectors.game_filters import MOST_NAMES, GameFilters
from games.selectors.game_search import find_games
from games.selectors.game_text import understand
from games.selectors.game_text_edits import rewritten
from games.selectors.own_games import COMPANIES
from games.text.query_phrases import LONGEST_QUERY
from tests.builders.archive import archived_game
from tests.builders.tables import person

ARCHIVE = "/archive/"


def archived(*names: str, moments: tuple[str, ...] = (), **fields) -> str:
    """Return the code of a finished public game of these people, who show their games."""
    row = archived_game(*names, moments=moments, **fields)
    User.objects.filter(username__in=names).update(shows_games="all")
    return row.code


def ask(text: str, language: str = "en", **more: object):
    """Search by a text, and return the answer at the address to which it leads."""
    client = Client(headers={"Accept-Language": language})
    answer = client.get(ARCHIVE, {"q": text, **more})
    if answer.status_code == 302:
        assert answer.url.startswith(ARCHIVE)
        answer = client.get(answer.url)
    assert answer.status_code == 200
    return answer


def address(answer) -> dict[str, list[str]]:
    return parse_qs(urlsplit(answer.request["PATH_INFO"] + "?" + answer.request["QUERY_STRING"])[3])


def found(answer) -> list[str]:
    return re.findall(
        r'<a class="found-game" href="/tables/(\w+)/replay/">', answer.content.decode()
    )


def box(answer) -> str:
    """Return what stands in the box."""
    (field,) = re.findall(r'<input type="search"[^>]*>', answer.content.decode())
    value = re.search(r' value="([^"]*)"', field)
    return html.unescape(value[1]) if value else ""


def shown(answer) -> list[tuple[str, str]]:
    """Return what the form would send, as it is shown."""
    form = answer.context["form"]
    return [
        (field.html_name, value)
        for field in form
        for held in [field.value()]
        for value in (held if isinstance(held, (list, tuple)) else [held])
        if value
    ]


def send(answer, **changes: object):
    """Change some fields of the form and send it."""
    sent = QueryDict(mutable=True)
    for name, value in shown(answer):
        sent.appendlist(name, value)
    sent["was"], sent["had"] = box(answer), answer.context["had"]
    sent["named"] = answer.context["named"]
    for name, value in changes.items():
        sent.setlist(name, value if isinstance(value, list) else [value])
    return Client().get(f"{ARCHIVE}?{sent.urlencode()}", follow=True)


def chips(answer) -> dict[str, str]:
    """Return the label of each chip and the address without its filter."""
    (listed,) = re.findall(r'<ul class="chips" aria-label.*?</ul>', answer.content.decode(), re.S)[
        :1
    ]
    pairs = re.findall(r'<a href="([^"]*)"><bdi>([^<]*)', listed)
    return {html.unescape(label): html.unescape(link) for link, label in pairs}


@pytest.mark.django_db
def test_the_words_stay_in_the_box_and_the_chips_say_how_they_were_understood():
    game = archived("Anna", "Boris", players=7, moments=("hitler_elected", "veto"))
    archived("Boris", "Chika", players=7, moments=("hitler_elected", "veto"))
    text = "anna 7 players hitler elected 2026-10 veto"
    answer = ask(text)
    assert found(answer) == [game]
    assert address(answer) == {"q": [text]}
    assert box(answer) == text
    assert list(chips(answer)) == ["Anna", "7 players", "Hitler elected", "Veto", "October 2026"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "text", "labels", "told"),
    [
        ("ru", "анна 7 игроков гитлер избран", ["Анна", "7 игроков", "Гитлер избран"], "1 игра"),
        ("ja", "アンナ7人ヒトラー当選", ["アンナ", "7人", "ヒトラー選出"], "1ゲーム"),
    ],
)
def test_the_page_is_read_and_searched_in_other_languages(language, text, labels, told):
    name = labels[0]
    game = archived(name, "Boris", players=7, moments=("hitler_elected",))
    archived("Boris", "Chika", players=7, moments=("hitler_elected",))
    answer = ask(text, language)
    page = answer.content.decode()
    assert f'<html lang="{language}"' in page
    assert f">{told}</h2>" in page.replace("\u2060", "")
    assert found(answer) == [game]
    shown = [label.replace("\u2060", "") for label in chips(answer)]
    assert shown == labels
    assert box(answer) == text
    assert address(answer) == {"q": [text], "words": [language]}
    # The same address in English: what the words say becomes filters.
    same = answer.request["PATH_INFO"] + "?" + answer.request["QUERY_STRING"]
    english = Client().get(same, follow=True)
    assert address(english) == {"player": [name], "players": ["7"], "moment": ["hitler_elected"]}
    assert box(english) == ""
    assert found(english) == [game]
    assert list(chips(english)) == [name, "7 players", "Hitler elected"]


@pytest.mark.django_db
def test_a_chip_takes_away_its_filter_alone():
    archived("Anna", "Boris")
    answer = ask("Anna boris veto chaos zzz")
    links = chips(answer)
    assert list(links) == ["Anna", "Boris", "Veto", "Chaos"]
    for label, left in (
        ("Anna", "boris veto chaos zzz"),
        ("Boris", "Anna veto chaos zzz"),
        ("Veto", "Anna boris chaos zzz"),
        ("Chaos", "Anna boris veto zzz"),
    ):
        page = Client().get(links[label])
        assert address(page) == {"q": [left]}
        assert box(page) == left
        assert set(chips(page)) == set(links) - {label}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "chip", "left"),
    [
        ("games with anna and boris", "Boris", "games with anna"),
        ("anna, veto, in October 2026, 7 players", "October 2026", "anna, veto, 7 players"),
        ("veto since 2026-10", "Veto", "since 2026-10"),
        ("zed veto nemo", "Veto", "zed, nemo"),
        ("veto", "Veto", ""),
        # Without the veto, these words would be another filter.
        ("hitler veto elected", "Veto", "hitler, elected"),
    ],
)
def test_a_chip_takes_its_words_out_of_the_box(text, chip, left):
    archived("Anna", "Boris")
    links = chips(ask(text))
    labels = {label for label in links if label != chip}
    page = Client().get(links[chip])
    assert box(page) == left
    if labels:
        assert set(chips(page)) == labels


@pytest.mark.django_db
def test_the_form_shows_what_the_words_say_and_the_last_change_counts():
    archived("Anna", "Boris")
    answer = ask("anna 7 players veto")
    assert ("players", "7") in shown(answer) and ("moment", "veto") in shown(answer)
    # A filter that the reader changes takes its words out; all others stay.
    page = send(answer, players="8")
    assert address(page) == {"q": ["anna veto"], "players": ["8"]}
    assert list(chips(page)) == ["Anna", "8 players", "Veto"]
    page = send(answer, players="", moment=["veto", "chaos"])
    assert address(page) == {"q": ["anna veto"], "moment": ["chaos"]}
    page = send(answer, moment=[])
    assert address(page) == {"q": ["anna 7 players"]}
    # Words that the reader changes count, and what the form showed of the others does not.
    assert address(send(answer, q="anna 8 players")) == {"q": ["anna 8 players"]}
    assert address(send(answer, q="anna")) == {"q": ["anna"]}
    # Also against a filter that was chosen before.
    page = send(ask("anna", players="8", edition="pl"), q="anna 7 players")
    assert address(page) == {"q": ["anna 7 players"], "edition": ["pl"]}


@pytest.mark.django_db
def test_other_pages_of_games_keep_the_words(monkeypatch):
    monkeypatch.setattr("games.selectors.game_search.GAMES_ON_A_PAGE", 2)
    codes = [archived("Anna", "Boris", moments=("veto",)) for _ in range(3)][::-1]
    answer = ask("вето", "ru", edition="en")
    assert found(answer) == codes[:2]
    older = html.unescape(re.search(r'rel="next" href="([^"]+)"', answer.content.decode())[1])
    page = Client(headers={"Accept-Language": "ru"}).get(older)
    assert found(page) == codes[2:]
    assert box(page) == "вето"
    # Readers of another language find the same.
    assert found(Client().get(older)) == codes[2:]


@pytest.mark.django_db
def test_words_that_mean_nothing_are_told_and_stay_in_the_field():
    game = archived("Anna", "Boris", moments=("veto",))
    answer = ask("nemo veto x<b>")
    page = answer.content.decode()
    assert found(answer) == [game]
    assert address(answer) == {"q": ["nemo veto x<b>"]}
    assert "Not understood:" in page and "<bdi>x&lt;b&gt;</bdi>" in page
    assert 'value="nemo veto x&lt;b&gt;"' in page
    # Words are added to the filters beside them, and such an address is not changed any more.
    again = ask("nemo, x<b>", moment="veto")
    assert address(again) == {"q": ["nemo, x<b>"], "moment": ["veto"]}
    assert "Not understood:" not in ask("veto").content.decode()


@pytest.mark.django_db
def test_a_hidden_name_and_an_unknown_one_are_told_alike_and_cost_the_same():
    archived("Anna", "Boris")
    User.objects.filter(username="Anna").update(shows_games="nobody")
    answers = []
    for text in ("anna", "nemo", '"anna"', '"nemo"'):
        with CaptureQueriesContext(connection) as queries:
            page = ask(text).content.decode()
        main = re.search(r"<main.*</main>", page, re.S)[0]
        answers.append((re.sub(r"anna|nemo", "-", main), len(queries)))
    assert answers[0] == answers[1]
    assert answers[2] == answers[3]
    assert "No game that you can see matches." in answers[2][0]


@pytest.mark.django_db
def test_when_no_word_means_anything_no_game_is_listed():
    archived("Anna", "Boris")
    page = ask("nemo").content.decode()
    assert found(ask("nemo")) == []
    assert "No games found" in page and "Not understood: <bdi>nemo</bdi>." in page
    assert "The list below goes by the filters above alone." not in page
    assert re.search(r'href="/archive/">Show all games</a>', page)


@pytest.mark.django_db
def test_a_list_says_that_it_does_not_depend_on_the_words_left_out():
    game = archived("Anna", "Boris", moments=("veto",))
    answer = ask("veto nemo")
    page = answer.content.decode()
    assert found(answer) == [game]
    left_out = page.index("The list below goes by the filters above alone.")
    assert page.index("Not understood: <bdi>nemo</bdi>.") < left_out < page.index(game)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["Paweł", "Ilaria", "Łucja", "みどり", "ひのき", "Veto-Ada", "Зоя Кац"]
)
def test_a_name_that_the_list_prints_can_be_typed_as_it_stands(name):
    game = archived_game("Hanna", name, is_public=False).code
    archived("Anna", name)
    User.objects.filter(username=name).update(shows_games="nobody")
    client = Client()
    client.force_login(person("Hanna"))
    assert f"<bdi>{name}</bdi>" in client.get(ARCHIVE).content.decode()
    answer = client.get(ARCHIVE, {"q": name.upper()}, follow=True)
    assert address(answer)["q"] == [name.upper()]
    assert chips(answer).keys() == {name}
    # The name is hidden in all other games, so they are not found by it.
    assert found(answer) == [game]
    assert "Not understood" in ask(name).content.decode()


@pytest.mark.django_db
def test_a_hidden_companion_beside_others_is_found_at_the_reader_s_tables_alone():
    together = archived_game("Hanna", "Boris", "Anna")
    apart = archived_game("Boris", "Anna")
    User.objects.filter(username="Anna").update(shows_games="all")
    User.objects.filter(username="Boris").update(shows_games="nobody")
    client = Client()
    client.force_login(person("Hanna"))
    assert found(client.get(ARCHIVE, {"player": ["Anna", "Boris"]})) == [together.code]
    assert found(client.get(ARCHIVE, {"player": ["Boris", "Anna"]})) == [together.code]
    assert found(client.get(ARCHIVE, {"player": "Anna"})) == [apart.code, together.code]


@pytest.mark.django_db
def test_a_hidden_stranger_is_answered_to_a_player_like_an_unknown_name():
    archived_game("Sofia", "Boris")
    archived("Anna", "Boris")
    User.objects.filter(username="Anna").update(shows_games="nobody")
    client = Client()
    client.force_login(person("Sofia"))
    answers = []
    for query in ({"q": "anna"}, {"q": "nemo"}, {"player": "anna"}, {"player": "nemo"}):
        with CaptureQueriesContext(connection) as queries:
            page = client.get(ARCHIVE, query, follow=True).content.decode()
        main = re.search(r"<main.*</main>", page, re.S)[0]
        answers.append((re.sub(r"anna|nemo", "-", main), len(queries)))
    assert answers[0] == answers[1]
    assert answers[2] == answers[3]


@pytest.mark.django_db
def test_games_of_several_players_are_those_of_all():
    both = archived("Anna", "Boris", "Chika")
    archived("Anna", "Chika")
    private = archived("Anna", "Boris", is_public=False)
    assert found(ask("anna boris")) == [both]
    assert found(ask('"boris" and "ANNA"')) == [both]
    told = Client().get("/api/v1/games/?player=Anna&player=Boris").json()
    assert [game["code"] for game in told["games"]] == [both]
    client = Client()
    client.force_login(person("Boris"))
    assert found(client.get(ARCHIVE, {"player": ["Anna", "Boris"]})) == [private, both]
    client.force_login(person("Chika"))
    assert found(client.get(ARCHIVE, {"player": ["Anna", "Boris"]})) == [both]
    assert "errorlist" in client.get(ARCHIVE, {"player": list("abcdef")}).content.decode()


@pytest.mark.django_db
def test_a_name_of_several_words_needs_no_quotes_unless_it_means_something():
    game = archived("Big Bob", "Anna", "Chaos")
    answer = ask("zed big bob anna")
    assert found(answer) == [game]
    links = chips(answer)
    assert list(links) == ["Big Bob", "Anna"]
    assert address(Client().get(links["Big Bob"])) == {"q": ["zed, anna"]}
    assert found(ask("chaos")) == []
    assert found(ask("“Chaos”")) == [game]
    # A word beside it changes nothing.
    assert found(ask("zed chaos")) == []


@pytest.mark.django_db
def test_a_name_that_is_too_many_stays_in_the_field():
    names = [f"Anna{number}" for number in range(MOST_NAMES + 1)]
    game = archived(*names)
    answer = ask(" ".join(names))
    assert found(answer) == [game]
    assert list(chips(answer)) == names[:MOST_NAMES]
    assert f"Not understood: <bdi>{names[MOST_NAMES]}</bdi>" in answer.content.decode()


@pytest.mark.django_db
def test_winner_pace_and_language_choose():
    fascists = archived("Anna", "Boris", winner="fascist", ending="fascist_policies", pace="daily")
    polish = archived("Anna", "Boris", language="pl")
    assert found(ask("fascists won")) == found(ask("one day per move")) == [fascists]
    assert found(ask("liberals won")) == found(ask("in polish")) == [polish]
    assert found(ask("in german")) == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "text", "meant"),
    [
        ("en", "Hitler", ["?moment=hitler_elected", "?moment=hitler_executed"]),
        ("ru", "Гитлер", ["?moment=hitler_elected", "?moment=hitler_executed"]),
        ("pl", "wygrana", ["?winner=liberal", "?winner=fascist"]),
        ("it", "persa", ["?winner=liberal", "?winner=fascist"]),
    ],
)
def test_words_with_several_meanings_are_explained_and_each_meaning_is_a_link(
    language, text, meant
):
    archived("Anna", "Boris")
    page = ask(text, language).content.decode()
    (shown,) = re.findall(r'<div class="search-unknown".*?</div>', page, re.S)
    assert re.findall(r'href="/archive/([^"]*)"', shown) == meant
    assert "Not understood" not in page
    assert page.count('class="search-unknown"') == 1


@pytest.mark.django_db
def test_the_own_result_is_a_filter_of_the_own_games():
    archived("Anna", "Boris")
    client = Client()
    client.force_login(person("Anna"))
    page = client.get(ARCHIVE, {"q": "lost veto Xenia"}, follow=True).content.decode()
    assert 'href="/games/?result=lost"' in page
    assert 'href="/archive/?winner=liberal&amp;q=veto+Xenia"' in page
    assert "/games/?result=lost" not in ask("lost").content.decode()


@pytest.mark.django_db
def test_an_empty_result_says_which_filters_to_leave_out():
    archived("Anna", "Boris", moments=("veto",))
    page = ask("veto 9 players").content.decode()
    assert "No games found" in page and "Leave out one filter:" in page
    # The chips stand once.
    (listed,) = re.findall(r'<ul class="chips".*?</ul>', page, re.S)
    assert 'href="/archive/?q=veto"' in listed and 'href="/archive/?q=9+players"' in listed


@pytest.mark.django_db
def test_the_games_of_all_pages_are_counted_up_to_a_limit(monkeypatch):
    monkeypatch.setattr("games.selectors.game_search.GAMES_ON_A_PAGE", 1)
    for place in ("selectors", "panels"):
        monkeypatch.setattr(f"games.{place}.game_search.MOST_COUNTED", 2)
    archived("Anna", "Boris")
    assert ">1 game<" in ask("").content.decode()
    archived("Anna", "Boris")
    assert ">2 games<" in ask("").content.decode()
    archived("Anna", "Boris")
    assert "More than 2 games" in ask("").content.decode()


@pytest.mark.django_db
def test_the_form_without_javascript_leads_to_the_same_short_address():
    answer = ask("", edition="pl", players="", winner="", since="", more="1")
    assert address(answer) == {"edition": ["pl"], "more": ["1"]}
    assert '<details class="wanted" id="search-more" open>' in answer.content.decode()
    assert address(ask("veto", lang="ru")) == {"q": ["veto"], "lang": ["ru"]}


@pytest.mark.django_db
def test_a_text_that_is_too_long_is_an_error_and_loses_nothing():
    text = "x" * (LONGEST_QUERY + 1)
    page = ask(text, edition="pl").content.decode()
    assert f'value="{text}"' in page
    assert "errorlist" in page
    assert '<option value="pl" selected>' in page


@pytest.mark.django_db
def test_a_text_of_64_kilobytes_gets_a_clear_answer():
    assert Client().get(ARCHIVE, {"q": "veto " * 13_108}).status_code == 413


@pytest.mark.django_db
def test_after_a_chip_the_focus_is_on_the_results_and_after_the_form_in_the_field():
    headers = {"HX-Request": "true"}
    assert " autofocus>" in Client().get(ARCHIVE, headers=headers).content.decode()
    headers["HX-Trigger"] = "search-form"
    assert " autofocus>" not in Client().get(ARCHIVE, headers=headers).content.decode()
    assert " autofocus>" not in Client().get(ARCHIVE).content.decode()


SLOWLY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
FILTERS = st.builds(
    GameFilters,
    names=st.lists(
        st.text("aЖ人&+=%# ", min_size=1).map(lambda name: f"A{name}b"),
        max_size=MOST_NAMES,
        unique=True,
    ).map(tuple),
    edition=st.sampled_from(["", *EDITIONS]),
    players=st.sampled_from(["", "5", "10", "5-6", "6-10"]),
    company=st.sampled_from(["", *COMPANIES]),
    winner=st.sampled_from(["", *(party.value for party in Party)]),
    ending=st.sampled_from(["", *(ending.value for ending in Ending)]),
    moments=st.lists(st.sampled_from([each.value for each in Moment]), unique=True).map(tuple),
    pace=st.sampled_from(["", *Pace.values]),
    language=st.sampled_from(["", "en", "zh-hans"]),
    since=st.none() | st.dates(min_value=datetime(1000, 1, 1).date()),
    until=st.none() | st.dates(min_value=datetime(1000, 1, 1).date()),
)


# Days the wrong way round are put in order.
FILTERS = FILTERS.filter(lambda it: not (it.since and it.until and it.since > it.until))


def of_address(query: str) -> GameFilters:
    return GameSearchForm(QueryDict(query.removeprefix("?"))).filters()


@SLOWLY
@given(filters=FILTERS)
def test_filters_and_all_chips_lead_to_addresses_that_mean_the_same(filters):
    assert of_address(filters.query()) == filters
    for chip in chips_of(filters):
        assert chip.label
        assert of_address(chip.without.query()) == chip.without != filters


@SLOWLY
@given(text=st.text(max_size=LONGEST_QUERY), language=st.sampled_from(["en", "ru", "ja"]))
def test_the_address_of_a_text_means_what_the_text_meant(text, language):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "games.selectors.game_text.findable_names",
            lambda names, viewer: {name: name for name in names if len(name) % 3 == 0},
        )
        once = understand(text, GameFilters(), None, language)
        twice = understand(once.text, once.filters, None, language)
    assert (twice.filters, twice.text) == (once.filters, once.text)


WORDS = (
    "anna",
    "boris",
    "zed",
    "veto",
    "hitler",
    "elected",
    "7 players",
    "eight players",
    "since 2026",
    "october",
    "2026-10-05",
    "and",
    "in",
    ",",
    "liberals won",
    "polish rules",
    "six policies",
    '"x y"',
)


@SLOWLY
@given(text=st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join))
@example(text="7 players and 7 players")
@example(text="eight players and 7 players")
def test_the_search_without_a_chip_means_what_it_meant_without_this_filter(text):
    def sorted_out(filters: GameFilters) -> GameFilters:
        return replace(
            filters, names=tuple(sorted(filters.names)), moments=tuple(sorted(filters.moments))
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "games.selectors.game_text.findable_names",
            lambda names, viewer: {name: name for name in names if name in ("anna", "boris")},
        )
        understood = understand(text, GameFilters(), None, "en")
        for chip in chips_of(understood.filters):
            left, beside = rewritten(understood, chip.without)
            again = understand(left, beside, None, "en")
            assert sorted_out(again.filters) == sorted_out(chip.without)
            assert sorted(" ".join(again.rest).split()) == sorted(" ".join(understood.rest).split())


@pytest.mark.django_db
def test_several_moments_and_players_cost_no_more_statements():
    for _ in range(3):
        archived("Anna", "Boris", moments=("veto", "chaos"))

    def statements(filters: GameFilters) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert find_games(filters, None).games
        return len(queries)

    one = statements(GameFilters(names=("Anna",), moments=("veto",)))
    assert statements(GameFilters(names=("Anna", "Boris"), moments=("chaos", "veto"))) == one
    assert statements(GameFilters(moments=("chaos", "veto"))) == one - 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("filters", "index"),
    [
        ({"moments": ("veto", "chaos")}, "archived_moment_newest"),
        ({"moments": ("hitler_elected", "chaos"), "edition": "it"}, "archived_moment_newest"),
        ({"names": ("Anna", "Boris"), "moments": ("veto", "chaos")}, "archived_seat_by_user"),
        ({"pace": "daily"}, "archived_by_pace"),
        ({"language": "pl"}, "archived_by_language"),
    ],
)
def test_games_are_read_in_order_from_an_index(filters, index):
    archived("Anna", "Boris", moments=("veto", "chaos"))
    with CaptureQueriesContext(connection) as queries:
        find_games(GameFilters(**filters), None)
    (asked,) = (query["sql"] for query in queries if "LIMIT 21" in query["sql"])
    explain = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # With so few rows, PostgreSQL would choose sequential scans, hashes and sorts.
            for each in ("seqscan", "sort", "hashjoin", "mergejoin", "bitmapscan"):
                cursor.execute(f"SET LOCAL enable_{each} = off")
        cursor.execute(f"{explain} {asked}")
        plan = " ".join(str(row) for row in cursor.fetchall())
    assert index in plan
    assert not re.search(r"SCAN games|Seq Scan|Sort|TEMP B-TREE", plan), plan
