"""Late or repeated answers, and answers for another state, leave a page as a fresh one."""

import pytest

from tests.browser.opening import gathered

pytestmark = [pytest.mark.browser, pytest.mark.nightly]


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
