"""The journeys after a game: the end, its replay by keys, another game, and one's own games."""

import re
import time

import pytest

from tests.browser.person import Person

LONGEST_GAME_SECONDS = 600


def play_to_the_end(person: Person) -> None:
    give_up = time.monotonic() + LONGEST_GAME_SECONDS
    while not person.is_over:
        assert time.monotonic() < give_up
        if not person.play(lambda _, choices: choices[0]):
            time.sleep(0.1)


def place(person: Person) -> str:
    return person.page.inner_text(".replay-place")


@pytest.mark.nightly
def test_the_end_leads_to_the_replay_another_game_and_one_s_games(site, newcomer):
    rosa = newcomer(site, "Rosa")
    page = rosa.page
    rosa.register()
    page.click("#quick")
    page.wait_for_selector("#panel-action")
    play_to_the_end(rosa)
    table = page.url

    # The end: the result, every hand, and the buttons in their order.
    page.wait_for_selector(".ending-head")
    assert page.locator(".hands li").count() > 0
    order = page.eval_on_selector_all(
        ".choices.ending :is(button, a)", "buttons => buttons.map(button => button.id)"
    )
    assert order[:3] == ["again", "share", "replay"]

    # One press shares: only bots played with her, so no one else is asked.
    status = "fetch(`${location.pathname}replay/`, {credentials: 'omit'}).then(it => it.status)"
    assert page.evaluate(status) == 404
    label = page.inner_text("#share")
    page.click("#share")
    page.wait_for_function("was => document.querySelector('#share').innerText !== was", arg=label)
    page.wait_for_function(f"async () => await {status} === 200", polling=200)
    assert page.url == table

    # The replay, without a reload, by keys and by the slider.
    page.click("#replay")
    page.wait_for_selector("[data-replay]")
    # Keys work when the script has been loaded.
    page.wait_for_load_state()
    # Times as at the table, which tells the whole moment on demand.
    assert page.locator("time.said-at:not([title])").count() == 0
    page.evaluate("window.isSamePage = true")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(r"move=1\b"))
    page.keyboard.press("End")
    page.wait_for_selector("#step-next:not([href])")
    last = place(rosa)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "was => document.querySelector('.replay-place').innerText !== was", arg=last
    )
    page.focus("#replay-slider")
    page.keyboard.press("Home")
    page.wait_for_url(re.compile(r"move=0\b"))
    page.wait_for_selector("#step-previous:not([href])")
    # Two presses: the nomination, then all ballots at once.
    page.focus("#replay-slider")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(r"move=1\b"))
    page.wait_for_function("document.querySelector('#replay-slider').defaultValue === '1'")
    page.focus("#replay-slider")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(r"move=(?![01]\b)\d+"))
    page.keyboard.press("Home")
    page.wait_for_url(re.compile(r"move=0\b"))
    # By itself, until it is paused, by the button or by Space; the button says what it would do.
    page.select_option("#replay-speed", "900")
    label = page.inner_text("#replay-play")
    page.click("#replay-play")
    assert page.inner_text("#replay-play") != label
    page.wait_for_url(re.compile(r"move=1\b"))
    page.wait_for_url(re.compile(r"move=(?![01]\b)\d+"))
    page.click("#replay-play")
    assert page.inner_text("#replay-play") == label
    page.focus("#step-next")
    page.keyboard.press("Space")
    assert page.inner_text("#replay-play") != label
    page.keyboard.press("Space")
    assert page.inner_text("#replay-play") == label
    # Steps leave no history: one goes back from the game to where it was chosen.
    entries = page.evaluate("history.length")
    page.click("#step-first")
    page.wait_for_url(re.compile(r"move=0\b"))
    page.click("#step-next")
    page.wait_for_url(re.compile(r"move=1\b"))
    assert page.evaluate("history.length") <= entries + 1
    page.select_option("#eyes", "all")
    page.wait_for_url(re.compile(r"eyes=all"))
    page.wait_for_selector(".seat-role")
    assert page.evaluate("window.isSamePage")
    page.go_back()
    page.wait_for_url(re.compile(r"eyes=(?!all)"))

    # Again: a new table for the same company.
    page.click("#replay-back")
    page.wait_for_url(table)
    page.click("#again")
    page.wait_for_url(lambda url: "/tables/" in url and url != table)

    # My games: from the lobby to the list to the replay.
    page.goto("/")
    page.click("#my-games ~ p a[href='/games/']")
    page.wait_for_selector("#own-games")
    page.click(".own-list a[href$='/replay/']")
    page.wait_for_selector("[data-replay]")
    assert rosa.errors == []


@pytest.mark.nightly
def test_the_roles_are_turned_over_one_by_one_until_a_press_shows_them_all(site, newcomer):
    otto = newcomer(site, "Otto", motion=True)
    otto.register()
    otto.page.click("#quick")
    otto.page.wait_for_selector("#panel-action")
    play_to_the_end(otto)
    otto.page.wait_for_selector(".seats.is-unmasked", timeout=10_000)
    seen = "seat => Number(getComputedStyle(seat).opacity)"
    assert otto.page.eval_on_selector(".seat:last-child .seat-role", seen) == 0
    otto.page.keyboard.press("Shift")
    otto.page.wait_for_selector(".seats:not(.is-unmasked)")
    assert otto.page.eval_on_selector(".seat:last-child .seat-role", seen) == 1
