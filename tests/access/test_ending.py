"""The end of a game: what it was and what comes next, without scrolling."""

import pytest

from games.rules.actions import Action, Nominate
from games.rules.components import Role
from games.rules.legality import legal_actions
from games.rules.state import GameState
from tests.builders.person import Person
from tests.builders.tables import NAMES, fascist_dream, is_over, play_until, run_table, user_at
from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

# In this order on the page. "The truth" leads on from the replay.
PARTS = (
    ".extra", ".ending-head", ".ending-part", ".ending-roles", ".hands", ".ending-turn",
    "#again", "#share", "#replay", "#truth", ".ending-keep", "#report",
)  # fmt: skip

MEASURE = """(parts) => {
    document.querySelector(".hands").open = false;
    const wrong = [];
    let before = null;
    const sheets = document.querySelector(".sheets").getBoundingClientRect();
    const field = document.querySelector("#say-text").getBoundingClientRect();
    if (innerWidth > 1000 && field.bottom > innerHeight) wrong.push("nowhere to write");
    for (const part of parts) {
        const element = document.querySelector(part);
        const { top, bottom, left, right } = element.getBoundingClientRect();
        if (top < 0 || bottom > innerHeight || left < 0 || right > innerWidth)
            wrong.push(`out of sight: ${part}, ${Math.round(bottom)} of ${innerHeight}`);
        // On a laptop the chat stands below, and what does not fit above scrolls behind it.
        if (innerWidth > 1000 && element.closest(".panel-action") && bottom > sheets.top)
            wrong.push(`behind the chat: ${part}, ${bottom - sheets.top}`);
        if (before && !(before.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING))
            wrong.push(`out of order: ${part}`);
        before = element;
    }
    return wrong;
}"""

HIDDEN_SEATS = """() => [...document.querySelectorAll(".nameplate")]
    .filter(plate => plate.getBoundingClientRect().bottom > innerHeight)
    .map(plate => plate.innerText)"""
# A nameplate may lie on the edge of a track, but not on its words, cards or counters.
COVERED = """() => {
    const boxes = (part) => [...document.querySelectorAll(part)].map((it) =>
        it.getBoundingClientRect());
    return boxes(".nameplate").flatMap((plate) =>
        boxes(".track h3, .space, .step, .piles dd").filter((part) =>
            plate.left < part.right - 2 && part.left < plate.right - 2
            && plate.top < part.bottom - 2 && part.top < plate.bottom - 2)).length;
}"""
LONG_NAMES = [f"Zwanzigbuchstaben{number:03}" for number in range(10)]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_end_and_what_comes_next_fit_the_first_window(chromium, language) -> None:
    table = run_table(NAMES)
    play_until(table, is_over)
    # Guests also read how to keep the game.
    guest = user_at(table, 0)
    guest.is_trial = True
    guest.save(update_fields=["is_trial"])
    wrong = {}
    with Reader(chromium) as reader:
        reader.read(Person(guest, table, language).page())
        for width, height in [(1280, 720), (1366, 768), (390, 844)]:
            reader.page.set_viewport_size({"width": width, "height": height})
            found = reader.page.evaluate(MEASURE, PARTS)
            if found or not reader.page.is_visible(".ending-keep"):
                wrong[width] = found
        reader.read(Person(user_at(table, 1), table, language).page())
        assert not reader.page.is_visible(".ending-keep")
    assert not wrong


def elect_hitler(state: GameState, seat: int) -> Action:
    """Return an action of a game that Hitler's election ends."""
    hitler = state.setup.roles.index(Role.HITLER)
    return next(
        (
            action
            for action in legal_actions(state, seat)
            if state.fascist >= 3 and isinstance(action, Nominate) and action.target == hitler
        ),
        fascist_dream(state, seat),
    )


@pytest.mark.parametrize("players", [7, 10])
def test_at_the_end_no_nameplate_covers_a_track(chromium, players) -> None:
    # With the question to Hitler and the marks of bots, little room is left.
    table = run_table(NAMES[:players])
    play_until(table, is_over, elect_hitler)
    table.seats.exclude(number=0).update(user=None, bot="careful")
    covered = {}
    with Reader(chromium) as reader:
        reader.read(Person(user_at(table, 0), table).page())
        for width, height in [(1280, 720), (1366, 768), (1920, 1080)]:
            reader.page.set_viewport_size({"width": width, "height": height})
            if found := reader.page.evaluate(COVERED):
                covered[width] = found
    assert not covered


def test_a_laptop_shows_the_roles_of_ten_players_in_the_first_window(chromium) -> None:
    table = run_table(LONG_NAMES)
    play_until(table, is_over)
    hidden = {}
    with Reader(chromium) as reader:
        reader.read(Person(user_at(table, 0), table, "ru").page())
        for width, height in [(1280, 720), (1366, 768), (1920, 1080)]:
            reader.page.set_viewport_size({"width": width, "height": height})
            if found := reader.page.evaluate(HIDDEN_SEATS):
                hidden[width] = found
    assert not hidden


def test_the_panel_names_hitler_and_the_other_fascists(chromium) -> None:
    table = run_table(NAMES)
    state = play_until(table, is_over)
    names = [
        [NAMES[seat] for seat, theirs in enumerate(state.setup.roles) if theirs is role]
        for role in (Role.HITLER, Role.FASCIST)
    ]
    with Reader(chromium) as reader:
        for user in (user_at(table, 0), None):
            reader.read(Person(user, table).page())
            told = reader.page.locator(".ending-roles > span")
            found = [line.locator("bdi").all_inner_texts() for line in told.all()]
            assert found == names


LOOSE_COMMAS = """() => [...document.querySelectorAll(".line bdi")].filter((name) => {
    if (!/^[,.:、。!?]/.test(name.nextSibling?.data ?? "")) return false;
    const comma = new Range();
    comma.setStart(name.nextSibling, 0);
    comma.setEnd(name.nextSibling, 1);
    const letters = new Range();
    letters.selectNodeContents(name);
    const last = [...letters.getClientRects()].at(-1);
    return comma.getBoundingClientRect().top > last.bottom - 2;
}).map((name) => name.parentNode.textContent)"""


@pytest.mark.parametrize("language", ["en", "ja"])
def test_no_line_of_the_log_begins_with_a_comma(chromium, language) -> None:
    table = run_table(NAMES)
    play_until(table, is_over)
    loose = {}
    with Reader(chromium) as reader:
        reader.read(Person(user_at(table, 0), table, language).page())
        for width in range(320, 480, 7):
            reader.page.set_viewport_size({"width": width, "height": 844})
            if found := reader.page.evaluate(LOOSE_COMMAS):
                loose[width] = found
    assert not loose


def test_an_icon_of_the_links_stays_with_its_words(chromium) -> None:
    table = run_table(NAMES)
    play_until(table, is_over)
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        for language in ("it", "ru"):
            reader.read(Person(user_at(table, 0), table, language).page())
            assert reader.page.evaluate(
                """() => [...document.querySelectorAll(".ending-links a:has(.icon)")].map(link => {
                    const icon = link.querySelector(".icon").getBoundingClientRect();
                    const words = new Range();
                    words.selectNodeContents(link.lastChild);
                    // Words that break to a new line of the text begin left of their icon.
                    return words.getBoundingClientRect().left >= icon.right;
                })"""
            ) == [True, True]


def test_a_laptop_opens_every_hand_without_cutting_what_stands_below(chromium) -> None:
    table = run_table(NAMES[:7])
    play_until(table, is_over)
    with Reader(chromium) as reader:
        reader.read(Person(user_at(table, 0), table).page())
        for width, height in [(1366, 768), (1366, 900)]:
            reader.page.set_viewport_size({"width": width, "height": height})
            assert reader.page.evaluate(
                """() => document.querySelector("#report").getBoundingClientRect().bottom
                    <= document.querySelector(".sheets").getBoundingClientRect().top"""
            )
            assert reader.page.locator(".hands li").first.is_visible()


def test_after_the_end_a_phone_offers_no_notice_and_its_chat_button_scrolls_away(chromium) -> None:
    table = run_table(NAMES[:5])
    with Reader(chromium) as reader:
        page = reader.page
        page.set_viewport_size({"width": 390, "height": 844})
        for is_at_end in (False, True):
            if is_at_end:
                play_until(table, is_over)
            reader.read(Person(user_at(table, 0), table).page())
            page.evaluate("document.querySelector('[data-switch=notifies]').hidden = false")
            assert page.locator("[data-switch=notifies]").is_visible() is not is_at_end
            page.evaluate("scrollTo(0, 9999)")
            page.wait_for_timeout(100)
            assert (page.locator(".talk-call").bounding_box()["y"] < 0) is is_at_end


def test_a_message_lies_over_the_table_until_it_is_closed(chromium) -> None:
    table = run_table(NAMES[:5])
    play_until(table, is_over)
    viewer = Person(user_at(table, 0), table)
    with Reader(chromium) as reader:
        page = reader.page
        page.set_viewport_size({"width": 1366, "height": 768})
        reader.read(viewer.page())
        before = page.locator(".board").bounding_box()
        viewer.post("/account/look/", {"theme": "light", "motion": "", "next": viewer.url})
        reader.read(viewer.page())
        assert page.locator(".board").bounding_box() == before
        assert page.locator(".flash [role=status] .message").is_visible()
        page.click(".flash button")
        assert not page.locator(".flash").is_visible()
