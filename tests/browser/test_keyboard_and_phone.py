"""The site works with only a keyboard, and nothing jumps under a pointer."""

import re
import time

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

LONGEST_WALK = 120
LONGEST_GAME_SECONDS = 150

FOCUSED = """() => {
    const it = document.activeElement;
    const value = it.value || it.textContent.trim();
    return { tag: it.tagName, id: it.id, name: it.name || "", value };
}"""


def tab_to(person, wanted) -> None:
    """Press Tab until the focused element satisfies `wanted`."""
    for _ in range(LONGEST_WALK):
        person.page.keyboard.press("Tab")
        if wanted(person.page.evaluate(FOCUSED)):
            return
    raise AssertionError("the keyboard does not come there")


def test_a_keyboard_is_enough_from_registering_to_the_end_of_a_game(site, newcomer) -> None:
    person = newcomer(site, "Klawiatura", language="pl")
    keyboard = person.page.keyboard
    person.page.goto("/account/register/")
    tab_to(person, lambda it: it["name"] == "username")
    keyboard.type(person.name)
    tab_to(person, lambda it: it["name"] == "password1")
    keyboard.type("correct horse battery")
    keyboard.press("Enter")
    person.page.wait_for_selector("form[action='/quick/']")
    person.page.evaluate("document.body.focus()")
    quick = person.page.locator("form[action='/quick/'] button").inner_text().strip()
    tab_to(person, lambda it: it["tag"] == "BUTTON" and it["value"] == quick)
    keyboard.press("Enter")
    person.page.wait_for_selector("#panel-you .role")

    give_up = time.monotonic() + LONGEST_GAME_SECONDS
    pressed: set[str] = set()
    voted_in = ""
    while not person.is_over:
        assert time.monotonic() < give_up, person.page.inner_text("#panel-banner")
        decision, choices = person.offer()
        if not choices or decision == voted_in:
            person.page.wait_for_timeout(100)
            continue
        tab_to(person, lambda it, wanted=choices[0]: it["value"] == wanted)
        keyboard.press("Enter")
        pressed.add(choices[0].partition(":")[0])
        voted_in = decision if choices[0].startswith("vote:") else ""
        person.page.wait_for_timeout(400)
        # The focus stays in the main part while panels change.
        assert person.page.evaluate("document.activeElement.closest('main') !== null")
    assert "vote" in pressed
    # Go on to the next game, which begins at once among bots.
    tab_to(person, lambda it: it["id"] == "again")
    table = person.page.url
    keyboard.press("Enter")
    person.page.wait_for_url(lambda url: "/tables/" in url and url != table)
    person.page.wait_for_selector("#panel-you .role")


# The cumulative layout shift of Web Vitals: from 0.1 on a user notices it.
SHIFTS = """
    window.shifted = 0;
    new PerformanceObserver((seen) => {
        for (const shift of seen.getEntries()) shifted += shift.value;
    }).observe({type: "layout-shift", buffered: true});
"""


@pytest.mark.parametrize(("language", "width"), [("ru", 390), ("pl", 1280)])
def test_nothing_jumps_when_pictures_and_types_come_late(site, newcomer, language, width) -> None:
    page = newcomer(site, "Late", language=language, width=width).page
    page.add_init_script(SHIFTS)
    late = []

    def comes_late(route) -> None:
        page.wait_for_timeout(400)
        late.append(route.request.url)
        route.continue_()

    # Phones do not load the placard.
    wanted = ["woff2"] if width < 800 else ["placard", "woff2"]
    page.route(re.compile(r"placard|woff2"), comes_late)
    page.goto("/", wait_until="networkidle")
    page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
    assert all(any(part in url for url in late) for part in wanted)
    assert page.evaluate("shifted") < 0.1
