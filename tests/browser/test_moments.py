"""Moments, the animations of a game: shown only to those who want motion, and in no one's way."""

import time

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

LONGEST_SECONDS = 90

# Records each moment that is still in the page when painted, and whether it catches presses.
WATCH = """
window.laid = [];
addEventListener("DOMContentLoaded", () => new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes)
      if (node.classList?.contains("moment"))
        requestAnimationFrame(() => {
          if (node.isConnected)
            window.laid.push([node.className, getComputedStyle(node).pointerEvents]);
        });
}).observe(document.body, { childList: true, subtree: true }));
"""


LISTEN = """
window.lines = [];
window.AudioContext = class extends AudioContext {
  constructor() { super(); window.lines.push(this); }
};
"""


def laid_in_a_round(person) -> list[list[str]]:
    """Play a quick game until ballots are shown once; return the moments that appeared."""
    person.register()
    person.page.add_init_script(WATCH)
    person.page.click("form[action='/quick/'] button")
    person.page.wait_for_selector("#panel-you .role")
    give_up = time.monotonic() + LONGEST_SECONDS
    while not person.page.locator(".seats.revealed").count():
        assert time.monotonic() < give_up, person.page.inner_text("#panel-banner")
        if not person.play(lambda _, choices: choices[0]):
            person.page.wait_for_timeout(50)
    person.page.wait_for_timeout(500)
    return person.page.evaluate("window.laid")


def test_ballots_are_turned_with_a_verdict_that_no_press_can_hit(site, newcomer) -> None:
    person = newcomer(site, "Schaulust", motion=True)
    laid = laid_in_a_round(person)

    assert any("verdict" in name for name, _ in laid), laid
    assert {events for _, events in laid} == {"none"}
    # The moment disappears by itself.
    person.page.wait_for_selector(".verdict", state="detached")
    assert person.errors == []


def test_who_asked_for_less_motion_is_shown_none(site, newcomer) -> None:
    person = newcomer(site, "Stillstand", motion=False)

    assert laid_in_a_round(person) == []
    assert person.errors == []


# Puts the moment of truth into the banner, as a frame does, and tells how the answer looks then.
ASK = """ending => {
  document.getElementById("panel-banner").innerHTML = `<div class="truth" data-announce>
    <p class="truth-question">Chancellor Bo, are you Hitler?</p>
    <p class="truth-answer">Answer</p></div>${ending}`;
  document.dispatchEvent(new CustomEvent("htmx:oobAfterSwap"));
  return new Promise((resolve) => setTimeout(() => resolve({
    answer: getComputedStyle(document.querySelector("#panel-banner .truth-answer")).opacity,
    curtains: document.querySelectorAll(".curtain").length,
  })));
}"""
GOES_ON, ENDS = '<p class="headline">Next</p>', '<div class="extra fascist"></div>'
ANSWERED = """() =>
  getComputedStyle(document.querySelector("#panel-banner .truth-answer")).opacity === "1"
"""


def at_a_still_table(newcomer, site, name: str, *, motion: bool, **look: int):
    """Return a player whose page no longer hears of the game: no frame replaces its banner."""
    person = newcomer(site, name, motion=motion, **look)
    person.register()
    person.page.click("form[action='/quick/'] button")
    person.page.wait_for_selector("#panel-action button[name=choice]")
    person.line.cut()
    return person


# Enacts a fascist policy, as a frame does, and tells whether the policy is shown over the page,
# above the sheet with the choices.
ENACT = """() => {
  document.querySelector(".track.fascist .space").classList.add("filled");
  document.dispatchEvent(new CustomEvent("htmx:oobAfterSwap"));
  return new Promise((resolve) => setTimeout(() => {
    const policy = document.querySelector(".enacted-policy");
    const sheet = document.querySelector("#panel-action").getBoundingClientRect();
    resolve(policy !== null && policy.offsetTop + policy.offsetHeight < sheet.top);
  }));
}"""


@pytest.mark.parametrize(("width", "is_shown"), [(390, True), (1366, False)])
def test_an_enacted_policy_is_shown_over_the_page_where_the_tracks_may_be_out_of_sight(
    site, newcomer, width, is_shown
) -> None:
    person = at_a_still_table(newcomer, site, "Ferne", motion=True, width=width, height=844)

    assert person.page.evaluate(ENACT) == is_shown
    person.page.wait_for_selector(".enacted-policy", state="detached")


def test_the_answer_to_who_is_hitler_comes_after_a_beat(site, newcomer) -> None:
    person = at_a_still_table(newcomer, site, "Frage", motion=True)

    assert person.page.evaluate(ASK, GOES_ON) == {"answer": "0", "curtains": 0}
    person.page.wait_for_function(ANSWERED)
    # The same answer, drawn again with the banner, is not held back a second time.
    assert person.page.evaluate(ASK, GOES_ON) == {"answer": "1", "curtains": 0}
    assert person.errors == []


def test_an_answer_that_ends_the_game_comes_on_a_curtain_that_lifts(site, newcomer) -> None:
    person = at_a_still_table(newcomer, site, "Vorhang", motion=True)

    assert person.page.evaluate(ASK, ENDS)["curtains"] == 1
    assert person.page.inner_text(".curtain").split("\n")[0] == "Chancellor Bo, are you Hitler?"
    person.page.wait_for_selector(".curtain", state="detached")
    assert person.errors == []


@pytest.mark.parametrize("ending", [GOES_ON, ENDS])
def test_with_less_motion_the_answer_stands_beside_the_question_at_once(
    site, newcomer, ending
) -> None:
    person = at_a_still_table(newcomer, site, f"Antwort{len(ending)}", motion=False)

    assert person.page.evaluate(ASK, ending) == {"answer": "1", "curtains": 0}
    assert person.errors == []


def test_a_sound_is_heard_and_the_loudspeaker_is_let_go_after_it(site, newcomer) -> None:
    person = newcomer(site, "Ohr")
    person.register()
    person.page.add_init_script(LISTEN)
    person.page.click("form[action='/quick/'] button")
    person.page.wait_for_selector("#panel-you .role")
    assert person.page.evaluate("window.lines.length") == 0

    def waits_until(state: str) -> None:
        is_so = "state => window.lines.length === 1 && window.lines[0].state === state"
        person.page.wait_for_function(is_so, arg=state)

    person.page.click("#panel-you")
    waits_until("running")
    # No one presses anything, and the game waits.
    waits_until("suspended")

    sound = 'document.dispatchEvent(new CustomEvent("chancellery:sound", { detail: "turn" }))'
    person.page.evaluate(sound)

    waits_until("running")
    waits_until("suspended")
    assert person.errors == []
