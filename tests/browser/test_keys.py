"""The keys of a table: quick for players who know them, never in the way of typing."""

import pytest

from tests.browser.opening import gathered, open_table
from tests.browser.person import Person

pytestmark = pytest.mark.browser

JA = "#panel-action button[value='vote:ja']"
NEIN = "#panel-action button[value='vote:nein']"


@pytest.mark.nightly
def test_j_and_n_vote_and_typing_does_not(site, newcomer) -> None:
    ada, bela, *_ = gathered(site, newcomer, "Keys")
    page = ada.page
    assert page.get_attribute(JA, "title") == "Key: J"
    assert page.get_attribute(JA, "aria-keyshortcuts") == "J"

    page.focus("#say-text")
    page.keyboard.type("jn")
    assert page.input_value("#say-text") == "jn"
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Control+j")
    page.keyboard.press("n")

    page.wait_for_selector(f"{NEIN}[aria-pressed=true]")
    assert page.locator(f"{JA}[aria-pressed=true]").count() == 0
    # On a Russian keyboard the letter beside H is another one.
    page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown',"
        " { key: 'о', code: 'KeyJ', bubbles: true, cancelable: true }))"
    )
    page.wait_for_selector(f"{JA}[aria-pressed=true]")

    # Turned off, they stay off.
    page = bela.page
    page.keyboard.press("?")
    page.locator("#keys").wait_for()
    page.uncheck("#keys input")
    page.keyboard.press("Escape")
    assert page.get_attribute(JA, "aria-keyshortcuts") is None
    page.reload()
    page.wait_for_selector(JA)
    page.keyboard.press("j")
    page.keyboard.press("?")
    page.wait_for_timeout(500)
    assert page.locator(f"{JA}[aria-pressed=true]").count() == 0
    assert page.locator("#keys").is_hidden()


@pytest.mark.nightly
def test_digits_lead_to_players_by_their_seat_and_enter_confirms(site, newcomer) -> None:
    people = [newcomer(site, f"Digits {name}") for name in ("Ada", "Bela", "Cleo")]
    president = nominating(people)
    page = president.page
    choice = page.locator("#panel-action button[value^='nominate:']").first
    value = choice.get_attribute("value")
    seat = int(value.partition(":")[2])

    page.keyboard.press(str(seat + 1))
    assert page.evaluate("document.activeElement.value") == value
    # Nothing is sent before Enter.
    assert president.offer()[0].endswith("nomination")
    page.keyboard.press("Enter")

    page.wait_for_selector(f"#seat-{seat}.nominee")


def nominating(people: list[Person]) -> Person:
    """Start a game of these people and two bots; return the player who nominates."""
    for person in people:
        person.register()
    path = open_table(people[0], seats=5, pace="relaxed")
    for person in people[1:]:
        person.page.goto(path)
        person.post("join")
        person.page.wait_for_selector("[data-you]", state="attached")
    people[0].page.wait_for_selector("form[action$='/fill/']")
    people[0].post("fill")
    people[0].page.wait_for_selector("#start:not([disabled])")
    people[0].post("start")
    nominate = "#panel-action button[value^='nominate:']"
    for _ in range(40):
        for person in people:
            if person.page.locator(nominate).count():
                return person
            person.play(lambda _, choices: choices[-1])
        people[0].page.wait_for_timeout(300)
    raise AssertionError("no person became the candidate")


@pytest.mark.nightly
def test_a_move_and_the_keys_are_at_most_three_tabs_away(site, newcomer) -> None:
    ada, *_ = gathered(site, newcomer, "Tabs")
    page = ada.page
    page.reload()
    page.wait_for_selector(JA)
    reached = []
    for _ in range(3):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.textContent.trim()"))
    assert "Skip to your move" in reached and "Keys" in reached
    page.keyboard.press("Enter")
    page.locator("#keys").wait_for()
