"""Late or repeated answers, and answers for another state, leave a page as a fresh one."""

import pytest

from tests.browser.opening import open_table
from tests.browser.person import Person

pytestmark = pytest.mark.browser


def gathered(site, newcomer, called: str) -> list[Person]:
    """Start a game of three people and two bots, and return the people once they may vote."""
    people = [newcomer(site, f"{called} {name}") for name in ("Ada", "Bela", "Cleo")]
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
    # Do not wait for the night screen: it is over as soon as a bot nominates.
    for person in people:
        person.page.wait_for_selector("#panel-you .role")
    ballot = "#panel-action button[value='vote:ja']"
    nominate = "#panel-action button[value^='nominate:']"
    for person in people:
        person.page.wait_for_selector(f"{ballot}, {nominate}, #panel-action:not(:has(button))")
    for person in people:
        if person.page.locator(nominate).count():
            person.page.locator(nominate).first.click()
    for person in people:
        person.page.wait_for_selector(ballot)
    return people


def test_rows_made_for_another_state_of_a_panel_are_not_taken_for_it(site, newcomer) -> None:
    ada, bela, cleo = gathered(site, newcomer, "Late")
    seat = f"#seat-{ada.page.get_attribute('[data-you]', 'data-you')}"
    before = ada.page.eval_on_selector("#panel-seats", "panel => panel.outerHTML")
    ada.press("vote:ja")
    voted = "#panel-action [aria-pressed=true]"
    ada.page.wait_for_selector(voted)
    cleo.page.wait_for_selector(f"{seat} .mark-voted", state="attached")

    # As if an answer from before the vote had arrived after the frame that shows the vote.
    ada.page.eval_on_selector("#panel-seats", "(panel, html) => panel.outerHTML = html", before)
    # The frame for Bela's ballot brings Bela's row, and not Ada's.
    bela.press("vote:ja")
    bela.page.wait_for_selector(voted)

    ada.page.wait_for_function(
        "([selector, html]) => document.querySelector(selector).innerHTML === html",
        arg=[seat, cleo.page.eval_on_selector(seat, "seat => seat.innerHTML")],
        timeout=20_000,
    )


def test_a_move_shows_although_its_frame_never_comes(site, newcomer) -> None:
    ada, *_ = gathered(site, newcomer, "Cut off")
    page = ada.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    # As if the connection were broken and nothing had noticed: frames arrive nowhere.
    page.evaluate(
        """() => {
            const parse = JSON.parse;
            JSON.parse = (text, ...more) => {
                const frame = parse(text, ...more);
                return frame && frame.html !== undefined && frame.panels ? {} : frame;
            };
        }"""
    )

    ada.press("vote:ja")

    page.wait_for_selector("#panel-action [aria-pressed=true]", timeout=5_000)
    assert any(url.endswith("/panels/") for url in asked)
