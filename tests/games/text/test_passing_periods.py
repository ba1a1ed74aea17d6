"""Weeks, months and years beside the present day, as the search for games reads them."""

from datetime import date

import pytest

from games.selectors.game_text import grammar

WEDNESDAY = date(2026, 11, 25)
# This and the last week, month and year on that day.
PASSING_DAYS = (
    (date(2026, 11, 23), date(2026, 11, 29)),
    (date(2026, 11, 16), date(2026, 11, 22)),
    (date(2026, 11, 1), date(2026, 11, 30)),
    (date(2026, 10, 1), date(2026, 10, 31)),
    (date(2026, 1, 1), date(2026, 12, 31)),
    (date(2025, 1, 1), date(2025, 12, 31)),
)
PASSING_WORDS = {
    "en": "this week, last week, this month, games of last month, this year, last year",
    "ru": "на этой неделе, на прошлой неделе, в этом месяце, прошлый месяц, этот год, прошлый год",
    "pl": "w tym tygodniu, w zeszłym tygodniu, w tym miesiącu, zeszły miesiąc, ten rok, zeszły rok",
    "ja": "今週, 先週の, 今月, 先月, 今年, 去年",
    "it": (
        "questa settimana, la settimana scorsa, questo mese, il mese scorso, quest’anno, "
        "l’anno scorso"
    ),
}


def meant(text: str, language: str = "en", today: date = WEDNESDAY) -> list:
    reading = grammar(language).read(text, today)
    assert reading.rest == (), reading
    return list(reading.terms)


@pytest.mark.parametrize("language", PASSING_WORDS)
def test_this_and_the_last_week_month_and_year_are_periods(language):
    texts = PASSING_WORDS[language].split(", ")
    for text, (first, last) in zip(texts, PASSING_DAYS, strict=True):
        assert meant(text, language) == [("since", first), ("until", last)], text


@pytest.mark.parametrize(
    ("language", "text", "term"),
    [
        ("en", "since last month", ("since", date(2026, 10, 1))),
        ("en", "before this week", ("until", date(2026, 11, 22))),
        ("ru", "с прошлой недели", ("since", date(2026, 11, 16))),
        ("pl", "od zeszłego miesiąca", ("since", date(2026, 10, 1))),
        ("ja", "先週から", ("since", date(2026, 11, 16))),
        ("it", "dall’anno scorso", ("since", date(2025, 1, 1))),
        ("it", "dalla settimana scorsa", ("since", date(2026, 11, 16))),
    ],
)
def test_a_period_beside_the_present_day_may_leave_one_end_open(language, text, term):
    assert meant(text, language) == [term]


def test_a_week_begins_on_monday_and_the_month_before_january_is_december():
    monday = date(2026, 11, 23)
    assert meant("this week", today=monday)[0] == ("since", monday)
    assert meant("this week", today=date(2026, 11, 29))[0] == ("since", monday)
    december = [("since", date(2025, 12, 1)), ("until", date(2025, 12, 31))]
    assert meant("last month", today=date(2026, 1, 31)) == december
    # The calendar has no year before its first one.
    assert grammar("en").read("last year", date.min).terms == ()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "last 7 days"),
        ("en", "in the past 7 days"),
        ("ru", "последние 7 дней"),
        ("ru", "за последние 7 дней"),
        ("pl", "ostatnie 7 dni"),
        ("ja", "過去7日間"),
        ("it", "ultimi 7 giorni"),
    ],
)
def test_the_last_days_end_today(language, text):
    assert meant(text, language) == [("since", date(2026, 11, 19)), ("until", WEDNESDAY)]
    # The calendar has no days before its first one.
    assert "since" not in dict(grammar(language).read(text, date.min).terms)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "november 20 to november 25"),
        ("en", "20 Nov until 25 Nov"),
        ("ru", "20 ноября по 25 ноября"),
        ("pl", "20 listopada do 25 listopada"),
        ("it", "20 novembre al 25 novembre"),
    ],
)
def test_a_period_may_have_a_word_between_its_days(language, text):
    days = [("since", date(2026, 11, 20)), ("until", date(2026, 11, 25))]
    assert meant(text, language) == days


@pytest.mark.parametrize("text", ["14 oct", "oct 14", "14 Oct 2026", "14 October"])
def test_a_day_may_have_the_short_name_of_its_month(text):
    assert meant(text) == [("since", date(2026, 10, 14)), ("until", date(2026, 10, 14))]


def test_such_a_period_depends_on_the_present_day_alone_and_not_on_the_period_behind_it():
    first = date(2026, 11, 1)
    told = meant("last month – yesterday", today=first)
    assert told == [("since", date(2026, 10, 1)), ("until", date(2026, 10, 31))]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Hitler elected chancellor"),
        ("en", "Hitler was elected as chancellor"),
        ("en", "elected Hitler chancellor"),
        ("ru", "Гитлера избрали канцлером"),
        ("ru", "избрание Гитлера канцлером"),
        ("ru", "канцлером стал Гитлер"),
        ("pl", "Hitler wybrany na kanclerza"),
        ("pl", "wybrano Hitlera na kanclerza"),
        ("ja", "ヒトラーが首相に選出"),
        ("ja", "ヒトラーが首相になった"),
        ("it", "Hitler eletto cancelliere"),
        ("it", "Hitler è stato eletto cancelliere"),
    ],
)
def test_hitler_s_election_may_name_the_office(language, text):
    elected = "hitler_elected"
    assert meant(text, language) in ([("moments", elected)], [("ending", elected)])
