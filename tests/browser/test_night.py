"""The first night in a browser: it is read aloud, and players confirm their roles."""

from collections.abc import Iterator

import pytest

from tests.browser.conftest import Site

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

# A browser's speech, replaced by a list of what is said. A test can end or break an utterance.
SPEECH = """
window.said = [];
window.cancelled = 0;
window.SpeechSynthesisUtterance = class extends EventTarget {
  constructor(text) { super(); this.text = text; }
};
Object.defineProperty(window, "speechSynthesis", { value: new (class extends EventTarget {
  getVoices() { return VOICES; }
  cancel() { window.cancelled += 1; }
  speak(utterance) {
    window.said.push({ text: utterance.text, voice: utterance.voice.name });
    setTimeout(() => utterance.dispatchEvent(new Event(window.breaks ? "error" : "end")), 50);
  }
})() });
"""
VOICES = """[
  { name: "Anna", lang: "de-DE", localService: true },
  { name: "Remote", lang: "en-US", localService: false },
  { name: "Daniel", lang: "en_GB", localService: true },
]"""
MARKED = "#panel-you [data-pause][aria-current=step]"


@pytest.fixture(scope="module")
def long_nights(tmp_path_factory) -> Iterator[Site]:
    data = tmp_path_factory.mktemp("night") / "data"
    site = Site(data, BOT_PAUSE="0.1", NIGHT_SECONDS="600")
    yield site
    site.stop()


def in_the_night(newcomer, site: Site, name: str, voices: str = "[]", **how: object):
    """Return a player on the first night of a game with bots, whose steps have no pauses."""
    person = newcomer(site, name, **how)
    person.page.add_init_script(SPEECH.replace("VOICES", voices))
    person.register()
    person.page.click("form[action='/quick/'] button")
    person.page.wait_for_selector("#panel-you .night")
    if person.javascript:
        person.page.eval_on_selector_all(
            "[data-pause]", "steps => steps.forEach((step) => { step.dataset.pause = 0; })"
        )
    return person


def told(person) -> list[str]:
    return person.page.eval_on_selector_all(
        "#panel-you [data-pause]", "steps => steps.map((step) => step.textContent)"
    )


def test_one_press_reads_every_step_aloud_in_the_reader_s_language(long_nights, newcomer) -> None:
    person = in_the_night(newcomer, long_nights, "Hoerer", VOICES)
    page = person.page
    assert page.evaluate("window.said") == []

    page.click("#night-reading")
    page.wait_for_function("steps => window.said.length === steps", arg=len(told(person)))
    page.wait_for_selector("#night-reading[aria-pressed=false]")

    said = page.evaluate("window.said")
    assert [one["text"] for one in said] == told(person)
    assert {one["voice"] for one in said} == {"Daniel"}
    assert page.locator(MARKED).count() == 0
    assert page.inner_text("[data-night-silent]") == ""
    assert person.errors == []


def test_the_keyboard_stops_what_it_started(long_nights, newcomer) -> None:
    person = in_the_night(newcomer, long_nights, "Taster", VOICES)
    page = person.page
    # The pause after the first step lasts until the press.
    page.eval_on_selector("[data-pause]", "step => { step.dataset.pause = 600; }")
    page.focus("#night-reading")
    page.keyboard.press("Enter")
    page.wait_for_selector(MARKED)
    page.wait_for_function("() => window.said.length === 1")
    before = page.evaluate("window.cancelled")

    page.keyboard.press("Space")

    page.wait_for_selector("#night-reading[aria-pressed=false]")
    assert page.locator(MARKED).count() == 0
    assert page.evaluate("window.cancelled") > before
    assert page.evaluate("document.activeElement.id") == "night-reading"


@pytest.mark.parametrize("voices", ["[]", '[{ name: "Anna", lang: "de-DE" }]'])
def test_without_a_voice_for_the_language_the_steps_are_marked_in_turn(
    long_nights, newcomer, voices
) -> None:
    person = in_the_night(newcomer, long_nights, f"Stumm{len(voices)}", voices)
    page = person.page
    page.click("#night-reading")

    for step in told(person)[:2]:
        page.wait_for_function(
            "([selector, text]) => document.querySelector(selector)?.textContent === text",
            arg=[MARKED, step],
        )
        assert page.locator(MARKED).count() == 1
    assert "no voice" in page.inner_text("[data-night-silent]")
    assert page.evaluate("window.said") == []


def test_a_voice_that_fails_is_replaced_by_marks(long_nights, newcomer) -> None:
    person = in_the_night(newcomer, long_nights, "Heiser", VOICES)
    page = person.page
    page.evaluate("window.breaks = true")
    page.click("#night-reading")

    page.wait_for_function(
        "([selector, text]) => document.querySelector(selector)?.textContent === text",
        arg=[MARKED, told(person)[1]],
    )
    assert page.evaluate("window.said.length") == 1
    assert "no voice" in page.inner_text("[data-night-silent]")


def test_the_reading_ends_with_the_night(long_nights, newcomer) -> None:
    person = in_the_night(newcomer, long_nights, "Leser", VOICES)
    page = person.page
    page.eval_on_selector("[data-pause]", "step => { step.dataset.pause = 600; }")
    page.click("#night-reading")
    page.wait_for_function("() => window.said.length === 1")

    page.click("#confirm-role")
    # The only person has confirmed, so a bot or they themselves may nominate.
    page.wait_for_selector("#confirm-role", state="detached")
    while page.locator("#panel-you .night").count():
        person.play(lambda _, choices: choices[0])
        page.wait_for_timeout(50)

    assert page.evaluate("window.said.length") == 1
    assert person.errors == []


def test_without_javascript_the_night_is_text_and_the_role_a_form(long_nights, newcomer) -> None:
    person = in_the_night(newcomer, long_nights, "Leise", javascript=False)
    page = person.page
    assert not page.locator("#night-reading").is_visible()
    assert len(told_without_script(person)) == 8

    person.post("role")

    page.wait_for_selector("#panel-action")
    assert page.locator("#confirm-role").count() == 0


def told_without_script(person) -> list[str]:
    return person.page.locator("#panel-you [data-pause]").all_inner_texts()
