"""A page says whether a move was sent, and whether it can reach the site at all."""

import pytest

from tests.browser.opening import gathered

pytestmark = pytest.mark.browser

JA = "#panel-action button[value='vote:ja']"
PRESSED = f"{JA}[aria-pressed=true]"
# Makes the viewer's move, or pauses the bots. Returns whether a paused bot is next.
IS_PAUSED_AT_A_BOT = """() => {
    const at = (selector) => document.querySelector(selector);
    const isPaused = Boolean(at(".banner-foot .clock"));
    if (isPaused && at("#next-move")) return true;
    const isToMove = at("#panel-action .act button") && !at("#panel-action [aria-pressed=true]");
    if (isToMove) at("#panel-action .act button").click();
    else if (!isPaused && at("#next-move")) at("#pause").click();
    return false;
}"""


@pytest.mark.nightly
def test_a_move_without_a_network_is_said_to_be_unsent_until_it_is_sent(site, newcomer) -> None:
    ada, *_ = gathered(site, newcomer, "Unplugged")
    page, bar = ada.page, ada.page.locator("#network")
    ada.line.cut()
    ada.context.set_offline(True)
    bar.filter(has_text="You’re offline").wait_for()

    page.click(JA)

    page.locator(f"{JA} .unsent", has_text="Not sent, try again").wait_for()
    ada.line.mend()
    ada.context.set_offline(False)
    # The page sends it again by itself.
    page.locator(f"{PRESSED} .sent", has_text="Sent").wait_for()
    bar.wait_for(state="hidden")


@pytest.mark.nightly
def test_an_answer_that_takes_long_is_told_and_may_be_asked_for_again(site, newcomer) -> None:
    ada, *_ = gathered(site, newcomer, "Slow")
    page = ada.page
    held = []
    page.route("**/act/", lambda route: held.append(route))

    page.click(JA)

    page.locator(f"{JA} .sending", has_text="Sending").wait_for(timeout=1_500)
    page.locator(f"{JA} .unsent").wait_for(timeout=5_000)
    page.locator("#network", has_text="Your move wasn’t sent").wait_for()
    page.click(JA)
    page.locator(f"{JA} .sending").wait_for(timeout=1_500)
    assert len(held) == 2
    held[1].continue_()
    page.wait_for_selector(PRESSED)
    page.locator("#network").wait_for(state="hidden")


@pytest.mark.nightly
def test_a_move_that_a_broken_server_refused_may_be_sent_again(site, newcomer) -> None:
    ada, *_ = gathered(site, newcomer, "Broken")
    page = ada.page
    page.route("**/act/", lambda route: route.fulfill(status=502, body="Bad gateway"), times=1)

    page.click(JA)
    page.locator(f"{JA} .unsent", has_text="Not sent, try again").wait_for()
    page.locator("#network", has_text="Your move wasn’t sent").wait_for()

    page.click(JA)
    page.wait_for_selector(PRESSED)
    page.locator("#network").wait_for(state="hidden")


@pytest.mark.nightly
def test_a_move_that_is_refused_late_is_not_called_unsent(site, newcomer) -> None:
    ada, *_ = gathered(site, newcomer, "Refused")
    page = ada.page
    held = []
    page.route("**/act/", lambda route: held.append(route), times=1)
    page.click(JA)
    page.locator(f"{JA} .unsent").wait_for(timeout=5_000)

    held[0].fulfill(status=422, body="", headers={"X-Live": "0"})

    page.locator(f"{JA} .post-state").wait_for(state="detached")
    page.locator("#network").wait_for(state="hidden")


@pytest.mark.nightly
def test_a_move_that_arrived_although_its_answer_was_lost_counts_as_sent(site, newcomer) -> None:
    ada, *_ = gathered(site, newcomer, "Lost")
    page = ada.page

    def answers_nobody(route) -> None:
        route.fetch()
        route.abort()

    page.route("**/act/", answers_nobody)
    page.click(JA)

    page.locator(f"{PRESSED} .sent").wait_for()
    page.locator("#network").wait_for(state="hidden")


@pytest.mark.nightly
def test_a_move_whose_answer_comes_after_its_effect_counts_as_sent(site, newcomer) -> None:
    ada = newcomer(site, "Paused")
    ada.register()
    page = ada.page
    page.click("form[action='/quick/'] button")
    # The bots act quickly, so each step looks and presses at once.
    page.wait_for_selector("#panel-you .role")
    while not page.evaluate(IS_PAUSED_AT_A_BOT):
        page.wait_for_timeout(600)
    # The frame that shows the move replaces the form before the answer is read.
    page.route("**/next/", lambda route: (page.wait_for_timeout(1000), route.continue_()))

    page.click("#next-move")

    page.wait_for_timeout(4_500)
    assert not page.locator("#network").is_visible()
    assert page.locator("#panel-action .unsent").count() == 0


@pytest.mark.nightly
def test_a_press_meant_for_next_casts_no_ballot(site, newcomer) -> None:
    ada = newcomer(site, "Hasty")
    ada.register()
    page = ada.page
    page.click("form[action='/quick/'] button")
    page.wait_for_selector("#panel-you .role")
    # Both buttons are made by hand, so that the second press comes in time on any machine.
    page.evaluate(
        """() => {
            window.press = (id) => document.getElementById(id).dispatchEvent(
                new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }),
            );
            for (const [id, name] of [["next-move", "button"], ["a-ballot", "button ballot"]]) {
                const button = Object.assign(document.createElement("button"), { className: name });
                document.getElementById(id)?.remove();
                button.id = id;
                button.addEventListener("click", () => { button.dataset.pressed = "yes"; });
                document.body.append(button);
            }
        }"""
    )

    page.evaluate("press('next-move'); press('a-ballot')")
    assert page.get_attribute("#a-ballot", "data-pressed") is None
    page.wait_for_timeout(1000)
    page.evaluate("press('a-ballot')")
    assert page.get_attribute("#a-ballot", "data-pressed") == "yes"


@pytest.mark.nightly
def test_a_second_press_on_the_ballot_that_is_in_sends_nothing(site, newcomer) -> None:
    ada, *_ = gathered(site, newcomer, "Twice")
    page = ada.page
    page.click(JA)
    page.wait_for_selector(PRESSED)
    sent = []
    page.on("request", lambda request: sent.append(request.url) if "/act/" in request.url else None)

    page.click(PRESSED)
    page.locator(PRESSED).press("Enter")
    page.wait_for_timeout(500)

    assert sent == []
    page.click("#panel-action button[value='vote:nein']")
    page.wait_for_selector("#panel-action button[value='vote:nein'][aria-pressed=true]")
    assert len(sent) == 1
