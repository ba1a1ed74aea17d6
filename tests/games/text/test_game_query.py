"""What the search for games reads in a text, in the site's languages."""

from datetime import date

import pytest
from django.conf import settings as site
from django.utils import translation
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import wording
from games.analysis.moments import Moment
from games.models import Pace
from games.rules.components import LEAST_PLAYERS, MOST_PLAYERS, Party
from games.rules.editions import EDITIONS
from games.rules.phases import Ending
from games.selectors.game_text import grammar
from games.text.game_query import LONGEST_QUERY, Reading, normal_query

LANGUAGES = ("en", "ru", "pl", "ja", "it")
OCTOBER = [("since", date(2026, 10, 1)), ("until", date(2026, 10, 31))]
VETO = ("moments", "veto")
ELECTED = ("moments", "hitler_elected")
SHOT = ("moments", "hitler_executed")
LIBERALS = ("winner", "liberal")


def read(text: str, language: str = "en") -> Reading:
    return grammar(language).read(text)


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
            [("players", 7), ELECTED, *OCTOBER, VETO],
            "anna",
        ),
        ("en", "Games of “Big Bob” with chaos", [("names", "Big Bob"), ("moments", "chaos")], ""),
        ("en", "7-player, liberals won!", [("players", 7), LIBERALS], ""),
        ("en", "honest accuser not believed", [("moments", "honest_accuser_ignored")], ""),
        ("en", "Russian rules in German, blitz", [("edition", "ru"), ("language", "de")], ""),
        ("ru", "7 игроков гитлер избран", [("players", 7), ELECTED], ""),
        ("ru", "анна Гитлера застрелили на русском", [SHOT, ("language", "ru")], "анна"),
        ("ru", "победа либералов, veto, на 10", [LIBERALS, VETO, ("players", 10)], ""),
        ("ru", "русские правила казнен гитлер", [("edition", "ru"), SHOT], ""),
        (
            "pl",
            "anna 7 graczy wybrano Hitlera, zwyciestwo liberalow",
            [("players", 7), ELECTED, LIBERALS],
            "anna",
        ),
        ("pl", "polskie zasady po włosku", [("edition", "pl"), ("language", "it")], ""),
        ("ja", "アンナ７人ヒトラー当選拒否権", [("players", 7), ELECTED, VETO], "アンナ"),
        ("ja", "「拒否権」リベラルの勝利", [("names", "拒否権"), LIBERALS], ""),
        ("ja", "ロシア語版 2026年10月", [("edition", "ru"), *OCTOBER], ""),
        ("it", "anna 7 giocatori Hitler eletto", [("players", 7), ELECTED], "anna"),
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
    "text", ["4 players", "11", "2026-13", "31.02.2026", "october", "1999", "vetoing"]
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
        assert terms(str(size), language) == [("players", size)]


# Words of all the languages, and signs that have a meaning in a text.
PIECES = st.sampled_from(
    [
        *("hitler", "elected", "veto", "гитлер", "избран", "ヒトラー", "当選", "拒否権", "人"),
        *("7", "players", "игроков", "2026", "-10", "-", "/", ".", "..", "–", "年", "10月"),
        *("since", "с", "まで", "october", '"', "“", "”", ",", "、", " ", "  ", "anna", "x", "ё"),
    ]
)
SLOWLY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join), st.text(min_size=180))


@SLOWLY
@given(text=TEXTS, language=st.sampled_from(LANGUAGES))
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
