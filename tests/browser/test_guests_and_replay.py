"""A stranger plays at once as a guest, keeps the game, and steps through its replay."""

import re
import time

import pytest

from tests.browser.person import PASSWORD

LONGEST_GAME_SECONDS = 90


def move_of(page) -> int:
    return int(re.search(r"[?&]move=(\d+)", page.url)[1])


@pytest.mark.parametrize(("language", "name"), [("en", "Zosia"), ("ja", "さゆり")])
def test_a_stranger_plays_at_once_and_keeps_the_seat(fast, newcomer, language, name):
    guest = newcomer(fast, name, language=language)
    page = guest.page
    page.goto("/")
    page.fill("#play-name", guest.name)
    begun = time.monotonic()
    page.click("#play-now")
    page.wait_for_selector("#panel-you .role")
    page.locator("#panel-action form.act button").first.click()
    page.wait_for_selector("#panel-action button[name=choice]")
    # Two presses; on an idle machine this takes two seconds.
    assert time.monotonic() - begun < LONGEST_GAME_SECONDS

    table = page.url
    page.click(".masthead-keep")
    page.fill("#id_password", PASSWORD)
    page.locator("main form button.primary").first.click()
    page.wait_for_url(table)
    assert page.locator(".masthead-keep").count() == 0
    assert page.locator("#panel-you .role").count()
    assert guest.errors == []


def test_a_replay_is_stepped_through_by_keys_and_by_itself(fast, newcomer):
    guest = newcomer(fast, "Ania")
    page = guest.page
    page.goto("/")
    page.fill("#play-name", guest.name)
    page.click("#play-now")
    page.locator("#panel-action form.act button").first.click()
    give_up = time.monotonic() + LONGEST_GAME_SECONDS
    while not guest.is_over:
        assert time.monotonic() < give_up
        if not guest.play(lambda _, choices: choices[0]):
            time.sleep(0.1)

    page.click("#replay")
    page.wait_for_selector("[data-replay]")
    page.evaluate("window.isSamePage = true")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(r"move=1\b"))
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(r"move=(?!1\b)\d+"))
    # All ballots together.
    assert move_of(page) > 2
    page.keyboard.press("End")
    page.wait_for_selector("#step-next:not([href])")
    page.keyboard.press("Home")
    page.wait_for_url(re.compile(r"move=0\b"))
    page.select_option("#replay-speed", "900")
    page.click("#replay-play")
    page.wait_for_url(re.compile(r"move=1\b"))
    page.wait_for_url(re.compile(r"move=(?![01]\b)\d+"))
    page.click("#replay-play")
    assert page.get_attribute("#replay-play", "aria-pressed") == "false"
    assert page.evaluate("window.isSamePage")
    here = move_of(page)
    page.go_back()
    page.wait_for_url(re.compile(rf"move=(?!{here}\b)\d+"))
    assert guest.errors == []
