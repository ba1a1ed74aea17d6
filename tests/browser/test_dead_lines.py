"""Pages notice a dead line in ten seconds, say so, and count down by the server's clock."""

import re
import time
from datetime import UTC, datetime

import pytest

from tests.browser.opening import gathered, open_table

pytestmark = pytest.mark.browser

LOST = "#network:has-text('Connection lost')"
# The device's clock is wrong, and its stopwatch is right.
FAST_CLOCK = "{ const now = Date.now; Date.now = () => now() + 150_000; }"
# Notes what the bar says, and how many sockets are opened from now on.
WATCH = """() => {
    const bar = document.getElementById("network");
    window.seen = [];
    const look = () => bar.textContent && seen.push(bar.textContent);
    new MutationObserver(look).observe(bar, { childList: true });
    const Real = WebSocket;
    window.WebSocket = class extends Real {
        constructor(url) { super(url); seen.push("a socket"); }
    };
}"""


def test_a_line_that_swallows_everything_is_told_in_ten_seconds_on_every_page_that_listens(
    site, newcomer
) -> None:
    ada = newcomer(site, "Swallowed")
    ada.register()
    table = open_table(ada, seats=5, pace="relaxed")
    pages = [ada.page]
    for path in ("/", "/rules/"):
        pages.append(ada.context.new_page())
        pages[-1].goto(path)
    # Until all of them have their sockets.
    pages[-1].wait_for_timeout(1_500)
    ada.line.swallow()
    began = time.monotonic()

    for page in pages:
        page.wait_for_selector(LOST, timeout=15_000)
        assert time.monotonic() - began < 10.5, page.url

    ada.line.mend()
    for page in pages:
        page.wait_for_selector("html:not(.offline)", state="attached", timeout=30_000)
        assert page.inner_text("#network") == ""
    assert table in pages[0].url
    assert not ada.errors


@pytest.mark.nightly
@pytest.mark.parametrize("path", ["/", "/rules/"])
def test_a_page_that_is_left_tells_nothing_and_opens_no_line(site, newcomer, path) -> None:
    ada = newcomer(site, f"Leaver {len(path)}")
    ada.register()
    ada.page.goto(path)
    ada.page.wait_for_timeout(1_000)
    ada.page.evaluate(WATCH)

    # Firefox closes the sockets of a page before it says that the page is left.
    ada.line.cut()
    ada.page.wait_for_timeout(200)
    ada.page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))")
    ada.page.wait_for_timeout(4_000)

    assert ada.page.evaluate("seen") == []


def ask_for_friendship(person, other) -> None:
    person.page.goto("/account/people/")
    person.page.fill("#ask_name", other.name)
    person.page.press("#ask_name", "Enter")
    person.page.wait_for_load_state()


@pytest.mark.nightly
def test_of_a_browser_s_pages_the_one_last_in_sight_holds_the_bell_for_all(site, newcomer) -> None:
    ada, boris, cleo = (newcomer(site, f"Bell {name}") for name in ("Ada", "Boris", "Cleo"))
    for person in (ada, boris, cleo):
        person.register()
    pages, sockets = [ada.page, ada.context.new_page()], []
    for page in pages:
        page.on("websocket", lambda socket: sockets.append(socket))
        with page.expect_websocket():
            page.goto("/rules/")
        page.wait_for_timeout(1_000)
    assert [socket.is_closed() for socket in sockets] == [True, False]

    ask_for_friendship(boris, ada)
    for page in pages:
        page.wait_for_selector("#bell:has-text('1')")
    # The first page takes over when the other is closed.
    with pages[0].expect_websocket():
        pages[1].close()
    pages[0].wait_for_timeout(1_000)
    ask_for_friendship(cleo, ada)

    pages[0].wait_for_selector("#bell:has-text('2')")
    assert not ada.errors


def seconds_left(page) -> tuple[int, float]:
    """Return what the countdown shows, and the seconds that are left."""
    text, until = page.eval_on_selector(
        ".banner-foot time[data-countdown], #panel-banner time[data-countdown]",
        "clock => [clock.textContent, clock.dateTime]",
    )
    minutes, seconds = re.fullmatch(r"(\d+):(\d\d)", text).groups()
    left = datetime.fromisoformat(until) - datetime.now(UTC)
    return int(minutes) * 60 + int(seconds), left.total_seconds()


@pytest.mark.nightly
def test_the_countdown_follows_the_server_s_clock_however_wrong_the_device_s_is(
    site, newcomer
) -> None:
    ada, *_ = gathered(site, newcomer, "Clocks")
    page = ada.page
    page.add_init_script(FAST_CLOCK)
    # As if the page had come late: what it says of the time is old.
    page.route(
        page.url,
        lambda route: route.fulfill(
            body=re.sub(
                r'data-now="(\d+)"',
                lambda found: f'data-now="{int(found[1]) - 60_000}"',
                (answer := route.fetch()).text(),
            ),
            headers=answer.headers,
        ),
    )
    page.reload()
    # The first answer over the line sets the clock right.
    page.wait_for_timeout(2_500)

    shown, left = seconds_left(page)

    assert abs(shown - left) < 2


@pytest.mark.nightly
def test_a_row_that_the_page_has_not_asked_for_yet_is_no_error(site, newcomer) -> None:
    ada = newcomer(site, "Rows")
    ada.register()
    said: list[str] = []
    ada.page.on("console", lambda message: said.append(message.text))

    def answers(line) -> None:
        server = line.connect_to_server()
        server.on_message(line.send)
        line.send('{"html": "<b id=term-1 data-hx-swap-oob=true>1</b>", "panels": {}}')

    ada.page.route_web_socket("**/live/**", answers)
    ada.page.goto("/")
    ada.page.wait_for_timeout(2_000)

    assert not [text for text in said if "oobErrorNoTarget" in text]


@pytest.mark.nightly
def test_without_a_clipboard_the_link_is_selected_and_not_called_copied(site, newcomer) -> None:
    ada = newcomer(site, "Copyist")
    ada.register()
    # As where the site has no TLS.
    ada.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    open_table(ada, seats=5, pace="relaxed")
    ada.page.eval_on_selector_all("details", "all => all.forEach(one => { one.open = true })")
    button = ada.page.locator("[data-copies=invite]").first

    button.click()

    assert button.inner_text() == "Selected. Now copy it."
    selected = (
        "document.activeElement.value.slice(...['selectionStart', 'selectionEnd']"
        ".map(end => document.activeElement[end]))"
    )
    assert ada.page.evaluate(selected) == ada.page.input_value("#invite")
