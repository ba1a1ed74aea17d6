"""The search for finished games by ranges of players and by bots, in the text and among the
filters."""

import re

import pytest
from django.test import Client

from tests.builders.archive import archived_game

pytestmark = pytest.mark.django_db


def ask(text: str = "", language: str = "en", **more: str):
    client = Client(headers={"Accept-Language": language})
    return client.get("/archive/", {"q": text, **more}, follow=True)


def sizes(answer) -> list[int]:
    return sorted(game.players for game in answer.context["found"].games)


@pytest.fixture(autouse=True)
def _games() -> None:
    for players in range(5, 11):
        archived_game("Ada", "Boris", players=players)


def test_a_range_finds_all_its_numbers():
    assert sizes(ask("6-8 players")) == sizes(ask(players="6-8")) == [6, 7, 8]
    assert sizes(ask("8+")) == [8, 9, 10]
    assert sizes(ask("7 players")) == [7]


def test_the_list_of_the_filters_offers_numbers_and_ranges_and_the_chosen_one():
    page = ask("6-8 players").content.decode()
    offered = re.findall(
        r'<option value="([\d-]+)"', page.partition('name="players"')[2].partition("</select>")[0]
    )
    assert offered == ["5", "6", "7", "8", "9", "10", "5-6", "7-8", "9-10", "6-8"]
    assert '<option value="6-8" selected>6–8</option>' in page
    assert ">6–8 players</bdi>" in page


@pytest.mark.parametrize("bad", ["4", "5-11", "5-6-7", "x", "5-x", "٥"])
def test_a_range_that_no_game_has_is_told_and_does_not_filter(bad):
    answer = Client().get("/archive/", {"q": "", "players": bad})
    assert answer.status_code == 200 and len(sizes(answer)) == 6
    assert answer.context["form"].errors.keys() == {"players"}


@pytest.mark.parametrize(("given", "address"), [("8-6", "6-8"), ("7-7", "7"), ("7-", "7")])
def test_each_range_has_one_address(given, address):
    assert ask(players=given).request["QUERY_STRING"] == f"players={address}"


def test_games_with_and_without_bots_are_told_apart():
    alone = archived_game("Ada", "Boris", "Chika", "Dora", "Emil", players=5)
    people, bots = ask("no bots"), ask("with bots")
    assert [game.code for game in people.context["found"].games] == [alone.code]
    assert sizes(bots) == [5, 6, 7, 8, 9, 10]
    assert [chip.label for chip, _ in people.context["chips"]] == ["People only"]
    assert [chip.label for chip, _ in bots.context["chips"]] == ["With bots"]
    assert sizes(ask(company="people")) == [5]


def test_games_are_found_by_their_length_in_whole_minutes():
    # The rows of the list round: 19 and a half minutes are 20.
    seconds = {"short": 1169, "at least medium": 1170, "at most medium": 2670, "long": 2671}
    code = {each: archived_game("Ada", "Boris", seconds=seconds[each]).code for each in seconds}

    def found(text: str = "", **more: str) -> list[str]:
        found = ask(text, **more).context["found"].games
        return [each for each in code if code[each] in {game.code for game in found}]

    assert found("short") == found(length="0-19") == ["short"]
    assert found("medium length") == ["at least medium", "at most medium"]
    assert found("long games with Ada") == found("long games") == ["long"]
    assert [chip.label for chip, _ in ask("long").context["chips"]] == ["45 minutes or more"]
    # Without an end, and with another end than the list of the filters has.
    assert found(length="-20") == ["short", "at least medium"]
    page = ask(length="21-44")
    assert ">21 to 44 minutes</bdi>" in page.content.decode()
    assert '<option value="21-44" selected>21 to 44 minutes</option>' in page.content.decode()
    rows = ask("long").content.decode(), ask("short").content.decode()
    assert "<span>45 minutes</span>" in rows[0]
    assert "<span>19 minutes</span>" in rows[1]


@pytest.mark.parametrize("bad", ["short", "20", "44-20", "20-44-50", "1000-", "٥-", "x-5"])
def test_a_length_that_no_game_can_have_is_told_and_does_not_filter(bad):
    answer = Client().get("/archive/", {"q": "", "length": bad})
    assert answer.status_code == 200 and len(sizes(answer)) == 6
    assert answer.context["form"].errors.keys() == {"length"}


def test_a_row_never_rounds_a_length_across_an_hour():
    for minutes in (57, 60, 64, 121):
        archived_game("Ada", "Boris", seconds=60 * minutes)
    page = ask("at least 1 hour").content.decode()
    for length in ("1 hour", "1 hour, 4 minutes", "2 hours, 1 minute"):
        assert f"<span>{length}</span>" in page
    assert "57 minutes" not in page
    assert "<span>57 minutes</span>" in ask("under an hour").content.decode()
    japanese = ask("1時間以上", "ja").content.decode().replace("\u2060", "")
    assert "<span>1時間4分</span>" in japanese


def test_only_a_list_with_games_calls_them_those_of_the_search_before():
    told = "The games below are from the search before."
    assert told in ask("5 players").content.decode()
    assert told not in ask("5 players, veto").content.decode()
