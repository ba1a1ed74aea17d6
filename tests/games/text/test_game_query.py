"""What the search for games reads in a text, in the site's languages."""

from datetime import date

import pytest
from django.conf import settings as site
from django.utils import translation
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from games import wording
from games.analysis.moments import Moment
from games.models import Pace
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS, Party
from games.rules.editions import EDITIONS
from games.rules.phases import Ending
from games.selectors.game_text import grammar
from games.text.game_query import Reading
from games.text.query_phrases import LONGEST_QUERY, normal_query

LANGUAGES = ("en", "ru", "pl", "ja", "it")
OCTOBER = [("since", date(2026, 10, 1)), ("until", date(2026, 10, 31))]
VETO = ("moments", "veto")
ELECTED = ("moments", "hitler_elected")
SHOT = ("moments", "hitler_executed")
LIBERALS = ("winner", "liberal")
TODAY = date(2026, 11, 25)


def read(text: str, language: str = "en") -> Reading:
    return grammar(language).read(text, TODAY)


def terms(text: str, language: str = "en") -> list:
    reading = read(text, language)
    assert reading.rest == (), reading
    return list(reading.terms)


@pytest.mark.parametrize(
    ("language", "text", "meant", "rest"),
    [
        (
            "en",
            "anna 7 players hitler elected 2026-10 veto",
            [("players", "7"), ELECTED, *OCTOBER, VETO],
            "anna",
        ),
        ("en", "Games of “Big Bob” with chaos", [("names", "Big Bob"), ("moments", "chaos")], ""),
        ("en", "7-player, liberals won!", [("players", "7"), LIBERALS], ""),
        ("en", "honest accuser not believed", [("moments", "honest_accuser_ignored")], ""),
        ("en", "Russian rules in German, blitz", [("edition", "ru"), ("language", "de")], ""),
        ("ru", "7 игроков гитлер избран", [("players", "7"), ELECTED], ""),
        ("ru", "анна Гитлера застрелили на русском", [SHOT, ("language", "ru")], "анна"),
        ("ru", "победа либералов, veto, на 10", [LIBERALS, VETO, ("players", "10")], ""),
        ("ru", "русские правила казнен гитлер", [("edition", "ru"), SHOT], ""),
        (
            "pl",
            "anna 7 graczy wybrano Hitlera, zwyciestwo liberalow",
            [("players", "7"), ELECTED, LIBERALS],
            "anna",
        ),
        ("pl", "polskie zasady po włosku", [("edition", "pl"), ("language", "it")], ""),
        ("ja", "アンナ７人ヒトラー当選拒否権", [("players", "7"), ELECTED, VETO], "アンナ"),
        ("ja", "「拒否権」リベラルの勝利", [("names", "拒否権"), LIBERALS], ""),
        ("ja", "ロシア語版 2026年10月", [("edition", "ru"), *OCTOBER], ""),
        ("it", "anna 7 giocatori Hitler eletto", [("players", "7"), ELECTED], "anna"),
        ("it", "vittoria dei liberali con veto", [LIBERALS, VETO], ""),
    ],
)
def test_words_are_understood_in_any_order(language, text, meant, rest):
    reading = read(text, language)
    assert [each for each in reading.terms if each[0] != "pace"] == meant
    assert " ".join(reading.rest) == rest


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("2026", date(2026, 1, 1), date(2026, 12, 31)),
        ("2026-10", *(day for _, day in OCTOBER)),
        ("10/2026", *(day for _, day in OCTOBER)),
        ("October 2026", *(day for _, day in OCTOBER)),
        ("oct. 2026", *(day for _, day in OCTOBER)),
        ("2026 october", *(day for _, day in OCTOBER)),
        ("2026-12", date(2026, 12, 1), date(2026, 12, 31)),
        ("2026-10-05", date(2026, 10, 5), date(2026, 10, 5)),
        ("5.10.2026", date(2026, 10, 5), date(2026, 10, 5)),
        ("5 October 2026", date(2026, 10, 5), date(2026, 10, 5)),
        ("October 5, 2026", date(2026, 10, 5), date(2026, 10, 5)),
        ("2026-09 – 2026-10", date(2026, 9, 1), date(2026, 10, 31)),
        ("2026-10 – 2026-09", date(2026, 9, 1), date(2026, 10, 31)),
        ("2026-09..2026-10", date(2026, 9, 1), date(2026, 10, 31)),
        ("from September 2026 to October 2026", date(2026, 9, 1), date(2026, 10, 31)),
    ],
)
def test_a_period_is_a_year_a_month_a_day_or_two_of_them(text, since, until):
    assert terms(text) == [("since", since), ("until", until)]


@pytest.mark.parametrize(
    ("language", "text", "meant"),
    [
        ("en", "since 2026-10", ("since", date(2026, 10, 1))),
        ("en", "until 2026-10", ("until", date(2026, 10, 31))),
        ("en", "after 2026-10", ("since", date(2026, 11, 1))),
        ("en", "before 2026-10", ("until", date(2026, 9, 30))),
        ("ru", "с октября 2026", ("since", date(2026, 10, 1))),
        ("ru", "до 5.10.2026", ("until", date(2026, 10, 4))),
        ("pl", "od października 2026", ("since", date(2026, 10, 1))),
        ("ja", "2026年10月5日以降", ("since", date(2026, 10, 5))),
        ("ja", "2026年まで", ("until", date(2026, 12, 31))),
        ("it", "dal 5 ottobre 2026", ("since", date(2026, 10, 5))),
    ],
)
def test_a_word_beside_a_period_leaves_one_end_open(language, text, meant):
    assert terms(text, language) == [meant]


@pytest.mark.parametrize(
    ("language", "today", "yesterday"),
    [
        ("en", "today", "since yesterday"),
        ("en", "today", "from yesterday"),
        ("ru", "сегодня", "со вчера"),
        ("pl", "dziś", "od wczoraj"),
        ("ja", "今日", "昨日から"),
        ("it", "oggi", "da ieri"),
    ],
)
def test_days_beside_the_present_one_are_periods(language, today, yesterday):
    assert terms(today, language) == [("since", TODAY), ("until", TODAY)]
    assert terms(yesterday, language) == [("since", date(2026, 11, 24))]


@pytest.mark.parametrize(
    ("language", "text", "meant"),
    [
        ("en", "seven players", ("players", "7")),
        ("en", "Ten-player", ("players", "10")),
        ("ru", "семь игроков", ("players", "7")),
        ("ru", "игра с восемью игроками", ("players", "8")),
        ("ru", "вшестером", ("players", "6")),
        ("ru", "на семерых", ("players", "7")),
        ("pl", "siedmiu graczy", ("players", "7")),
        ("pl", "z dziewięcioma graczami", ("players", "9")),
        ("pl", "sześć osób", ("players", "6")),
        ("pl", "gra siedmioosobowa", ("players", "7")),
        ("ja", "七人", ("players", "7")),
        ("ja", "十人プレイ", ("players", "10")),
        ("it", "sette giocatori", ("players", "7")),
        ("it", "partite in sei", ("players", "6")),
    ],
)
def test_numbers_of_players_are_understood_in_words(language, text, meant):
    assert terms(text, language) == [meant]


@pytest.mark.parametrize("end", ["liberal", "fascist"])
@pytest.mark.parametrize(
    ("language", "liberal", "fascist"),
    [
        ("en", "five policies", "six policies"),
        ("en", "five liberal policies", "six fascist policies"),
        ("en", "5 policies", "6 policies"),
        ("en", "the fifth liberal policy", "the sixth fascist policy"),
        ("ru", "пять законов", "шесть законов"),
        ("ru", "пять либеральных законов", "шесть фашистских законов"),
        ("ru", "с пятью либеральными законами", "с шестью фашистскими законами"),
        ("ru", "5 законов", "6 законов"),
        ("ru", "пять поправок", "шесть поправок"),
        ("ru", "пятый либеральный закон", "шестой фашистский закон"),
        ("pl", "pięć ustaw", "sześć ustaw"),
        ("pl", "pięciu ustaw liberalnych", "sześciu ustaw faszystowskich"),
        ("pl", "piec liberalnych ustaw", "szesc faszystowskich ustaw"),
        ("ja", "政策五枚", "政策六枚"),
        ("ja", "5枚の政策", "6枚の政策"),
        ("ja", "リベラル政策を５枚", "ファシスト政策を６枚"),
        ("it", "cinque politiche", "sei politiche"),
        ("it", "cinque politiche liberali", "sei politiche fasciste"),
    ],
)
def test_numbers_of_policies_are_an_ending_in_words_and_digits(language, liberal, fascist, end):
    text = liberal if end == "liberal" else fascist
    assert terms(text, language) == [("ending", f"{end}_policies")]


def test_a_number_in_words_needs_its_unit():
    assert read("seven").terms == read("five to seven").terms == ()
    assert read("Nine Toes").rest == ("Nine Toes",)


def test_the_russian_edition_for_five_and_six_is_found_by_its_title():
    text = "правила для пятерых и шестерых участников"
    assert ("edition", "ru-5-6") in read(text, "ru").terms


def test_days_of_a_month_are_no_numbers_of_players():
    for text in ("5-10 October", "5-10-2026", "2026-5-6", "6-5"):
        assert "players" not in dict(read(text).terms)


@pytest.mark.parametrize(
    ("language", "liberal", "fascist"),
    [
        ("en", "liberal", "fascist"),
        ("ru", "либерал", "фашист"),
        ("pl", "liberał", "faszysta"),
        ("ja", "リベラル", "ファシスト"),
        ("it", "liberale", "fascista"),
    ],
)
def test_a_side_is_understood_as_the_one_that_won(language, liberal, fascist):
    assert terms(liberal, language) == [LIBERALS]
    assert terms(fascist, language) == [("winner", "fascist")]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "october"),
        ("en", "games in October"),
        ("ru", "октябрь"),
        ("ru", "в октябре"),
        ("pl", "październik"),
        ("pl", "w październiku"),
        ("ja", "10月"),
        ("it", "ottobre"),
    ],
)
def test_a_month_without_a_year_is_the_last_one_that_has_begun(language, text):
    assert terms(text, language) == OCTOBER


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("november", date(2026, 11, 1), date(2026, 11, 30)),
        ("december", date(2025, 12, 1), date(2025, 12, 31)),
        ("25 november", date(2026, 11, 25), date(2026, 11, 25)),
        ("26 november", date(2025, 11, 26), date(2025, 11, 26)),
        ("november 26", date(2025, 11, 26), date(2025, 11, 26)),
        ("29 february", date(2024, 2, 29), date(2024, 2, 29)),
        ("september – october", date(2026, 9, 1), date(2026, 10, 31)),
        ("october – december", date(2025, 10, 1), date(2025, 12, 31)),
        ("from october to december", date(2025, 10, 1), date(2025, 12, 31)),
        ("from october 2026 to december", date(2026, 10, 1), date(2025, 12, 31)),
    ],
)
def test_days_without_a_year_have_all_begun(text, since, until):
    assert terms(text) == [("since", since), ("until", until)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "october 7 players"),
        ("en", "7 players october"),
        ("ru", "октябрь 7 игроков"),
        ("ja", "10月7人"),
    ],
)
def test_a_number_of_players_is_no_day_of_the_month_beside_it(language, text):
    assert sorted(terms(text, language)) == sorted([("players", "7"), *OCTOBER])


# Nouns and verbs for each moment that players search for.
MOMENTS = {
    "hitler_elected": {
        "en": ["Hitler elected", "election of Hitler"],
        "ru": ["избрание Гитлера", "выборы Гитлера"],
        "pl": ["wybór Hitlera", "wybrany Hitler"],
        "ja": ["ヒトラー当選", "ヒトラーの選出"],
        "it": ["elezione di Hitler", "Hitler eletto"],
    },
    "hitler_executed": {
        "en": ["execution of Hitler", "Hitler was shot"],
        "ru": ["казнь Гитлера", "Гитлера убили"],
        "pl": ["egzekucja Hitlera", "Hitler zabity"],
        "ja": ["ヒトラーの処刑", "ヒトラー処刑"],
        "it": ["esecuzione di Hitler", "Hitler ucciso"],
    },
    "veto": {
        "en": ["veto", "vetoed"],
        "ru": ["вето", "право вето"],
        "pl": ["weto", "prawo weta"],
        "ja": ["拒否権", "拒否権発動"],
        "it": ["veto", "diritto di veto"],
    },
    "veto_refused": {
        "en": ["veto refused"],
        "ru": ["отказ в вето", "отклонили вето"],
        "pl": ["odmowa weta", "odrzucone weto"],
        "ja": ["拒否権却下"],
        "it": ["rifiuto del veto", "veto negato"],
    },
    "chaos": {
        "en": ["chaos", "anarchy"],
        "ru": ["хаос", "анархия"],
        "pl": ["chaos", "anarchia"],
        "ja": ["カオス", "大衆による施行"],
        "it": ["caos", "popolo frustrato", "anarchia"],
    },
    "execution": {
        "en": ["execution", "executions", "executed", "shot", "killed"],
        "ru": ["казнь", "казнён", "казнили", "расстрел", "убийство"],
        "pl": ["egzekucja", "egzekucji", "zastrzelony", "zabity"],
        "ja": ["処刑", "射殺"],
        "it": ["esecuzione", "esecuzioni", "giustiziato", "ucciso"],
    },
    "investigation": {
        "en": ["investigation", "investigated"],
        "ru": ["исследование", "исследование лояльности", "проверка", "расследование"],
        "pl": ["sprawdzanie", "sprawdzenie lojalności", "śledztwo"],
        "ja": ["忠義", "調査"],
        "it": ["lealtà", "verifica della lealtà", "indagine"],
    },
    "special_election": {
        "en": ["special election"],
        "ru": ["внеочередные выборы", "внеочередных выборов"],
        "pl": ["wybory nadzwyczajne", "wyborów nadzwyczajnych"],
        "ja": ["特別選挙"],
        "it": ["elezione speciale", "elezioni speciali"],
    },
    "peek": {
        "en": ["peek", "policy peek"],
        "ru": ["просмотр", "просмотр законов"],
        "pl": ["podglądanie", "podgląd ustaw"],
        "ja": ["覗き見", "政策の覗き見"],
        "it": ["sbirciata", "sbirciare"],
    },
    "honest_accuser_ignored": {
        "en": ["honest accuser ignored"],
        "ru": ["честному обвинению не поверили"],
        "pl": ["nie uwierzono uczciwemu oskarżeniu"],
        "ja": ["正しい告発無視"],
        "it": ["accusa onesta non creduta"],
    },
    "liberal_shot_hitler": {
        "en": ["liberal shot Hitler"],
        "ru": ["либерал убил Гитлера"],
        "pl": ["liberał zastrzelił Hitlera"],
        "ja": ["リベラルがヒトラーを射殺"],
        "it": ["un liberale ha ucciso Hitler"],
    },
    "liberal_shot_liberal": {
        "en": ["friendly fire", "a liberal shot a liberal"],
        "ru": ["дружественный огонь", "либерал убил либерала"],
        "pl": ["liberał zabił liberała"],
        "ja": ["同士討ち"],
        "it": ["fuoco amico"],
    },
    "no_liberal_policy": {
        "en": ["no liberal policies"],
        "ru": ["без либеральных законов"],
        "pl": ["bez ustaw liberalnych"],
        "ja": ["リベラル政策なし"],
        "it": ["senza politiche liberali"],
    },
    "no_fascist_policy": {
        "en": ["no fascist policies"],
        "ru": ["без фашистских законов"],
        "pl": ["bez ustaw faszystowskich"],
        "ja": ["ファシスト政策なし"],
        "it": ["senza politiche fasciste"],
    },
}


@pytest.mark.parametrize("moment", list(Moment))
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_nouns_and_verbs_of_a_moment_mean_it(moment, language):
    for text in MOMENTS[moment][language]:
        assert terms(text, language) == [("moments", moment)], text


@pytest.mark.parametrize(
    ("language", "liberals", "fascists"),
    [
        (
            "en",
            ["liberals", "liberals won", "liberal win", "won by the liberals"],
            ["fascists", "fascists won", "fascist win", "the fascists won"],
        ),
        (
            "ru",
            ["либералы", "либералы победили", "победили либералы", "победа либералов"],
            ["фашисты", "фашисты выиграли", "выиграли фашисты", "фашистская победа"],
        ),
        (
            "pl",
            ["liberałowie", "liberałowie wygrali", "wygrali liberałowie", "zwycięstwo liberałów"],
            ["faszyści", "faszyści wygrali", "wygrali faszyści", "wygrana faszystów"],
        ),
        (
            "ja",
            ["リベラル", "リベラル勝利", "リベラルの勝ち", "リベラルが勝った"],
            ["ファシスト", "ファシスト勝利", "ファシストの勝ち", "ファシストが勝利"],
        ),
        (
            "it",
            ["liberali", "vittoria liberali", "hanno vinto i liberali", "i liberali hanno vinto"],
            ["fascisti", "vittoria fascisti", "vittoria fascista", "hanno vinto i fascisti"],
        ),
    ],
)
def test_who_won_is_said_in_the_words_of_players(language, liberals, fascists):
    for meant, texts in (("liberal", liberals), ("fascist", fascists)):
        for text in texts:
            assert terms(text, language) == [("winner", meant)], text


@pytest.mark.parametrize(
    "text", ["4 players", "11", "2026-13", "31.02.2026", "oct", "1999", "vetoing"]
)
def test_what_is_no_number_of_players_and_no_day_is_left_over(text):
    assert [each for each in read(text).terms if each[0] != "names"] == []
    assert read(text).rest == (text,)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_label_of_the_page_is_understood_as_what_it_stands_for(language):
    assert set(LANGUAGES) == {code for code, _ in site.LANGUAGES}
    with translation.override(language):
        labels = {
            **{wording.moment(each): ("moments", each.value) for each in Moment},
            **{wording.winner(party): ("winner", party.value) for party in Party},
            **{wording.edition_name(code): ("edition", code) for code in EDITIONS},
            **{code: ("edition", code) for code in EDITIONS},
            **{str(pace.label): ("pace", pace.value) for pace in Pace},
        }
        # The label of such an ending may be that of a moment of the same games.
        endings = {wording.ending(end).rstrip(".。"): end.value for end in Ending}
    for label, meant in labels.items():
        assert terms(label, language) == [meant]
        assert terms(label.upper(), language) == [meant]
    for label, ending in endings.items():
        assert terms(label, language) in ([("ending", ending)], [("moments", ending)])
    for size in range(LEAST_PLAYERS, MOST_PLAYERS + 1):
        assert terms(str(size), language) == [("players", str(size))]


# Words of all the languages, and signs that have a meaning in a text.
PIECES = st.sampled_from(
    [
        *("hitler", "elected", "veto", "гитлер", "избран", "ヒトラー", "当選", "拒否権", "人"),
        *("7", "players", "игроков", "2026", "-10", "-", "/", ".", "..", "–", "年", "10月"),
        *(
            "since",
            "с",
            "まで",
            "october",
            "5",
            '"',
            "“",
            "”",
            ",",
            "、",
            " ",
            "  ",
            "anna",
            "x",
            "ё",
        ),
    ]
)
SLOWLY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join), st.text(min_size=180))


@SLOWLY
@given(text=TEXTS, language=st.sampled_from(LANGUAGES))
@example(text="2000 /0", language="en")
@example(text="2000:0", language="en")
@example(text="2000 -0", language="en")
@example(text="10  -0", language="en")
@example(text="10/ 10", language="en")
@example(text="0 /10", language="en")
def test_any_text_is_read_and_what_is_left_over_has_no_meaning(text, language):
    reading = read(text, language)
    for name, value in reading.terms:
        assert name in ("names", "players", "since", "until") or isinstance(value, str)
    again = read(",".join(reading.rest), language)
    assert again.terms == ()
    assert again.rest == reading.rest


def test_a_text_of_any_length_is_cut():
    assert read("veto " * 100_000).terms == (VETO,) * (LONGEST_QUERY // 5)
    assert len(normal_query("\ufdfa" * LONGEST_QUERY)) == LONGEST_QUERY
