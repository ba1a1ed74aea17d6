"""The numbers of players that the search for games reads in a text, bots, and days from a number to
another, in the site's languages, and lengths."""

from datetime import date

import pytest
from django.utils import translation

from games import wording
from games.selectors.game_text import grammar

TODAY = date(2026, 11, 25)


def meant(text: str, language: str = "en") -> tuple[dict, tuple[str, ...]]:
    reading = grammar(language).read(text, TODAY)
    return dict(reading.terms), reading.rest


@pytest.mark.parametrize(
    ("language", "text", "players"),
    [
        ("en", "5-6 players", "5-6"),
        ("en", "7 – 10 players", "7-10"),
        ("en", "5 or 6 players", "5-6"),
        ("en", "five or six players", "5-6"),
        ("en", "between 5 and 8 players", "5-8"),
        ("en", "from 5 to 8", "5-8"),
        ("en", "5 players to 8 players", "5-8"),
        ("en", "7p", "7"),
        ("en", "5-6p", "5-6"),
        ("en", "8+", "8-10"),
        ("en", "8+ players", "8-10"),
        ("en", "8 or more players", "8-10"),
        ("en", "8 players and up", "8-10"),
        ("en", "at least eight players", "8-10"),
        ("en", "more than 8 players", "9-10"),
        ("en", "over 9 players", "10"),
        ("en", ">=9", "9-10"),
        ("en", "< 7 players", "5-6"),
        ("en", "up to 6 players", "5-6"),
        ("en", "no more than 6 players", "5-6"),
        ("en", "max 6", "5-6"),
        ("en", "fewer than 6 players", "5"),
        ("en", "3-6 players", "5-6"),
        ("ru", "от 5 до 8 игроков", "5-8"),
        ("ru", "от пяти до шести игроков", "5-6"),
        ("ru", "пять-шесть игроков", "5-6"),
        ("ru", "не менее восьми игроков", "8-10"),
        ("ru", "больше 8 игроков", "9-10"),
        ("ru", "8 игроков и более", "8-10"),
        ("ru", "до 6 игроков", "5-6"),
        ("pl", "od 5 do 8 graczy", "5-8"),
        ("pl", "pięciu lub sześciu graczy", "5-6"),
        ("pl", "co najmniej 8 graczy", "8-10"),
        ("pl", "więcej niż 8 graczy", "9-10"),
        ("pl", "8 lub więcej osób", "8-10"),
        ("pl", "najwyżej 6 graczy", "5-6"),
        ("ja", "5〜6人", "5-6"),
        ("ja", "五〜六人", "5-6"),
        ("ja", "8人から10人", "8-10"),
        ("ja", "8人以上", "8-10"),
        ("ja", "6人以下", "5-6"),
        ("ja", "8人未満", "5-7"),
        ("it", "tra 5 e 8 giocatori", "5-8"),
        ("it", "cinque o sei giocatori", "5-6"),
        ("it", "almeno 8 giocatori", "8-10"),
        ("it", "più di 8 giocatori", "9-10"),
        ("it", "8 o più giocatori", "8-10"),
        ("it", "fino a 6 giocatori", "5-6"),
    ],
)
def test_a_range_of_players_is_a_filter(language, text, players):
    assert meant(f"Anna, {text}, veto", language) == (
        {"players": players, "moments": "veto"},
        ("Anna",),
    )


def test_numbers_that_no_game_has_are_not_understood():
    for text in ("more than 10 players", "fewer than 5 players", "1-3 players", "12 players"):
        assert meant(text) == ({}, (text,))


def test_a_range_in_words_needs_its_unit():
    assert meant("five or more") == ({}, ("five or more",))


def test_a_number_behind_another_one_may_count_something_else():
    assert meant("7 and 6 reds")[0] == {"players": "7", "ending": "fascist_policies"}
    assert meant("8 + Anna") == ({"players": "8"}, ("Anna",))
    assert meant("ru 5-6") == ({"edition": "ru-5-6"}, ())
    # The Italian game for eight, not from eight on.
    assert meant("partita da 8 giocatori", "it") == ({"players": "8"}, ())


@pytest.mark.parametrize(
    ("language", "text", "first", "last"),
    [
        ("en", "5-10 October", (10, 5), (10, 10)),
        ("en", "October 5-10", (10, 5), (10, 10)),
        ("en", "between 5 and 10 October", (10, 5), (10, 10)),
        ("en", "5 October - 10 November", (10, 5), (11, 10)),
        ("en", "7 nov-9 nov", (11, 7), (11, 9)),
        ("en", "11/20/2026", (11, 20), (11, 20)),
        ("en", "20/11/2026", (11, 20), (11, 20)),
        ("en", "5/10/2026", (5, 10), (5, 10)),
        ("it", "5/10/2026", (10, 5), (10, 5)),
        ("it", "dal 5 al 10 ottobre", (10, 5), (10, 10)),
        ("ru", "с 5 по 10 октября", (10, 5), (10, 10)),
        ("pl", "od 5 do 10 listopada", (11, 5), (11, 10)),
        ("ja", "10月5日〜10日", (10, 5), (10, 10)),
        ("ja", "10月5日から10日", (10, 5), (10, 10)),
    ],
)
def test_days_may_have_their_month_once_and_in_numbers(language, text, first, last):
    days = {"since": date(2026, *first), "until": date(2026, *last)}
    assert meant(text, language) == (days, ())


def test_numbers_before_a_month_are_days_and_before_players_are_none():
    assert meant("up to 6 October")[0] == {"until": date(2026, 10, 6)}
    october = {"since": date(2026, 10, 1), "until": date(2026, 10, 31)}
    assert meant("October 5-6 players")[0] == {**october, "players": "5-6"}
    assert meant("5-31 feb") == ({}, ("5-31 feb",))


@pytest.mark.parametrize(
    ("language", "people", "bots"),
    [
        ("en", "no bots", "with bots"),
        ("en", "without bots", "bots"),
        ("ru", "без ботов", "с ботами"),
        ("pl", "bez botów", "z botami"),
        ("ja", "ボットなし", "ボットあり"),
        ("it", "senza bot", "con bot"),
    ],
)
def test_games_with_and_without_bots_have_words(language, people, bots):
    assert meant(people, language) == ({"company": "people"}, ())
    assert meant(bots, language) == ({"company": "bots"}, ())


@pytest.mark.parametrize(
    ("language", "text", "length"),
    [
        ("en", "short games", "0-19"),
        ("en", "long", "45-"),
        ("en", "under 30 minutes", "0-29"),
        ("en", "less than 10 minutes", "0-9"),
        ("en", "longer than 30 min", "31-"),
        ("en", "20 minutes or less", "0-20"),
        ("en", "45+ minutes", "45-"),
        ("en", "20-30 min", "20-30"),
        ("en", "over an hour", "61-"),
        ("en", "at least 2 hours", "120-"),
        ("en", "1-2 hours", "60-120"),
        ("ru", "короткие игры", "0-19"),
        ("ru", "от 20 до 44 минут", "20-44"),
        ("ru", "дольше 2 часов", "121-"),
        ("pl", "krótkie gry", "0-19"),
        ("pl", "ponad godzinę", "61-"),
        ("pl", "do 30 minut", "0-30"),
        ("ja", "短いゲーム", "0-19"),
        ("ja", "1時間以上", "60-"),
        ("ja", "20分以内", "0-20"),
        ("it", "partite brevi", "0-19"),
        ("it", "oltre 2 ore", "121-"),
    ],
)
def test_lengths_are_read_as_ranges_of_minutes(language, text, length):
    assert meant(text, language) == ({"length": length}, ())


@pytest.mark.parametrize(
    ("text", "length"),
    [("12 minutes", "9-15"), ("30-minute games", "22-38"), ("1 hour", "45-75"), ("2h", "90-150")],
)
def test_a_length_alone_means_about_as_long(text, length):
    assert meant(text) == ({"length": length}, ())


@pytest.mark.parametrize(
    ("language", "text", "players", "length"),
    [
        ("en", "10 players under 30 minutes", "10", "0-29"),
        ("en", "5-10 players, 20 minutes", "5-10", "15-25"),
        ("ru", "7 игроков до 30 минут", "7", "0-30"),
        ("ja", "7人 30分以内", "7", "0-30"),
    ],
)
def test_a_length_is_no_number_of_players(language, text, players, length):
    assert meant(text, language) == ({"players": players, "length": length}, ())
    assert meant("1200 minutes") == ({}, ("1200 minutes",))


@pytest.mark.parametrize("language", ["en", "ru", "pl", "ja", "it"])
@pytest.mark.parametrize("length", ["0-19", "0-1", "20-44", "21-31", "45-", "31-", "61-", "2-3"])
def test_the_label_of_a_length_is_read_as_that_length(language, length):
    with translation.override(language):
        assert meant(wording.game_length(length), language) == ({"length": length}, ())
