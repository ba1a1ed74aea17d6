"""Browsers draw, commit and reveal their parts of the seal without the players' help."""

import json

import pytest

from games.rules.record import read_record, verify
from games.rules.seals import read_published, verify_published
from tests.browser.person import Person

pytestmark = pytest.mark.browser


def open_table(host: Person, guests: list[Person], *, bots: bool = True) -> str:
    host.page.goto("/tables/new/")
    host.page.select_option("select[name=edition]", "en")
    host.page.select_option("select[name=seats_wanted]", "5")
    host.page.check("input[name=visibility][value=unlisted]")
    host.page.check("input[name=pace][value=untimed]")
    host.page.click("#open")
    host.page.wait_for_selector("#panel-seats")
    path = host.page.url.removeprefix(host.line.url)
    for guest in guests:
        guest.page.goto(path)
        guest.page.click("#join")
        guest.page.wait_for_selector("#leave")
    if bots:
        host.page.click("#fill")
        host.page.wait_for_selector("#fill", state="detached")
    return path


def has_cards(person: Person) -> None:
    person.page.wait_for_selector("#panel-action [name=choice], #panel-you .secret")


def published(person: Person, path: str) -> dict:
    return json.loads(person.page.request.get(f"{path}seal/").text())


@pytest.mark.nightly
def test_a_quick_game_is_dealt_with_the_players_own_contribution(site, newcomer) -> None:
    ada = newcomer(site, "Ada-quick")
    ada.register()
    commitment = ada.page.get_attribute("form[action='/quick/'] [name=commitment]", "value")
    ada.page.click("form[action='/quick/'] button")
    has_cards(ada)
    path = ada.page.url.removeprefix(ada.line.url)
    told = published(ada, path)
    assert told["commitment"] == commitment
    assert told["by"].count("player") == 1
    assert not ada.errors


def test_two_browsers_reveal_and_the_server_draws_for_one_without_javascript(
    site, newcomer
) -> None:
    ada, boris = newcomer(site, "Ada-seal"), newcomer(site, "Boris-seal", width=390, height=844)
    chika = newcomer(site, "Chika-seal", javascript=False)
    for person in (ada, boris, chika):
        person.register()
    path = open_table(ada, [boris, chika])

    ada.page.click("#start")
    has_cards(ada)
    has_cards(boris)

    told = published(ada, path)
    assert told["by"] == ["player", "player", "server", "server", "server"]
    ada.page.click("[popovertarget=rules-of-table]")
    ada.page.wait_for_selector("#rules-of-table:has-text('2 players’ browsers took part')")


@pytest.mark.nightly
def test_a_browser_that_has_lost_its_part_draws_anew_before_the_freeze(site, newcomer) -> None:
    ada = newcomer(site, "Ada-anew")
    ada.register()
    path = open_table(ada, [])
    ada.page.evaluate("localStorage.clear()")
    before = ada.page.get_attribute("#seal-step", "data-hash")
    ada.page.reload()
    ada.page.wait_for_function(
        "before => document.querySelector('#seal-step').dataset.hash !== before", arg=before
    )

    ada.page.click("#start")
    has_cards(ada)

    assert published(ada, path)["by"][0] == "player"
    assert published(ada, path)["attempts"] == []


@pytest.mark.nightly
def test_a_browser_that_cannot_reveal_costs_one_attempt(site, newcomer) -> None:
    ada, boris = newcomer(site, "Ada-again"), newcomer(site, "Boris-again")
    for person in (ada, boris):
        person.register()
    path = open_table(ada, [boris])
    # As if the connection failed for these posts alone: the page itself is there.
    boris.page.route("**/seal/", lambda route: route.abort())

    ada.page.click("#start")
    ada.page.wait_for_selector("#panel-action:has-text('dealt')")
    frozen = published(ada, path)
    has_cards(ada)

    told = published(ada, path)
    assert told["by"][:2] == ["player", "server"]
    assert [attempt["missing"] for attempt in told["attempts"]] == [[1]]
    assert told["attempts"][0]["commitment"] == frozen["commitment"]
    ada.page.click("[popovertarget=rules-of-table]")
    ada.page.wait_for_selector("#rules-of-table:has-text('No answer from Boris-again')")


@pytest.mark.nightly
def test_the_record_of_a_browser_s_game_matches_what_was_saved_of_its_seal(site, newcomer) -> None:
    ada = newcomer(site, "Ada-record")
    ada.register()
    path = open_table(ada, [])
    ada.page.click("#start")
    has_cards(ada)
    saved = read_published(published(ada, path))
    for _ in range(400):
        if ada.page.locator("#replay").count():
            break
        ada.play(lambda person, choices: choices[-1])
        ada.page.wait_for_timeout(50)
    record = read_record(json.loads(ada.page.request.get(f"{path}record/").text()))
    assert verify(record) == []
    assert verify_published(record.seal, saved) == []
    assert record.seal.by[0] == "player"
