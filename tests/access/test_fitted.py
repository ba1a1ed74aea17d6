"""A running game fits a laptop's window, and a phone's sheet leaves the table in sight."""

from collections.abc import Iterator

import pytest

from games.models import Table
from games.rules.knowledge import PartySeen, TopSeen
from games.rules.legality import legal_actions
from games.rules.phases import Phase
from tests.builders.person import Person
from tests.builders.tables import (
    NAMES,
    act,
    fascist_dream,
    play_until,
    run_table,
    state_of,
    user_at,
)
from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

# What the reader has not opened.
CLOSE = (
    """document.querySelectorAll("details:not(.annals)").forEach((it) => { it.open = false; })"""
)

MEASURE = """() => {
    const box = (selector) => [...document.querySelectorAll(selector)].map((found) => {
        const { top, bottom, left, right } = found.getBoundingClientRect();
        return { top, bottom, left, right, what: `${selector} ${found.textContent.trim()}` };
    });
    const wrong = [];
    if (document.documentElement.scrollHeight > innerHeight) wrong.push("the page scrolls");
    const strip = document.querySelector(".strip");
    if (strip.scrollHeight > strip.clientHeight + 1)
        wrong.push(`the column scrolls: ${strip.scrollHeight} in ${strip.clientHeight}`);
    // Four lines of the chat.
    const chat = document.querySelector(".talk-box .panel-talk").clientHeight;
    if (chat < 84) wrong.push(`the chat is ${chat} high`);
    const inside = [
        ".space", ".panel-action", ".panel-you", ".sheet-tabs", ".nameplate", "#say-text",
    ];
    for (const one of inside.flatMap(box))
        if (one.bottom > innerHeight || one.right > innerWidth || one.top < 0)
            wrong.push(`outside: ${one.what}`);
    for (const plate of box(".nameplate"))
        for (const space of box(".space, .step, .piles dd"))
            if (plate.left < space.right - 2 && space.left < plate.right - 2
                && plate.top < space.bottom - 2 && space.top < plate.bottom - 2)
                wrong.push(`covers a space: ${plate.what}`);
    return wrong;
}"""


# Every sight of a game that a player has to act on, or that a power shows.
MOMENTS = {
    *("night", "nomination", "election", "president_discards", "chancellor_enacts"),
    *("investigation", "special_election", "execution", "revealed"),
    *("veto_choice", "veto_proposed"),
}


def moments(table: Table) -> Iterator[tuple[str, Person]]:
    """Play a game, and yield each moment when it comes first, with who reads it."""
    seen: set[str] = set()
    state = state_of(table)
    while state.outcome is None:
        seat = state.to_act[0]
        moment = str(state.phase)
        veto = next((it for it in legal_actions(state, seat) if it.kind == "propose_veto"), None)
        if state.round == 1:
            # The first night shows the role at length, and the round after it is like the others.
            moment = "night" if state.phase is Phase.NOMINATION else ""
        elif veto is not None:
            moment = "veto_choice"
        came = {moment: seat} if moment else {}
        last = state.knowledge[-1] if state.knowledge else None
        if isinstance(last, PartySeen | TopSeen) and state.phase is Phase.NOMINATION:
            came["revealed"] = last.seat
        for new in came.keys() - seen:
            seen.add(new)
            yield new, Person(user_at(table, came[new]), table)
        is_next = veto is not None and "veto_proposed" not in seen
        state = act(table, veto if is_next else fascist_dream(state, seat))
    assert seen == MOMENTS


@pytest.mark.parametrize("size", [(1280, 720), (1366, 768), (1600, 900), (1920, 1080)])
def test_ten_seats_need_no_scrolling(chromium, size) -> None:
    wrong: dict[str, list[str]] = {}
    with Reader(chromium) as reader:
        width, height = size
        reader.page.set_viewport_size({"width": width, "height": height})
        for moment, player in moments(run_table(NAMES)):
            player.language = "ru"
            reader.read(player.page())
            reader.page.evaluate(CLOSE)
            found = reader.page.evaluate(MEASURE)
            if found:
                wrong[moment] = found
    assert not wrong


def test_the_role_and_the_hint_take_a_line_that_opens(chromium) -> None:
    table = run_table(NAMES)
    play_until(table, lambda state: state.round == 2 and state.phase is Phase.NOMINATION)
    player = Person(user_at(table, state_of(table).to_act[0]), table, "ru")
    with Reader(chromium) as reader:
        page = reader.page
        page.set_viewport_size({"width": 1280, "height": 720})
        reader.read(player.page())
        page.evaluate(CLOSE)
        for line, rest in [(".panel-you", ".role-words .kicker"), (".coach", "#stop-hints")]:
            closed = page.locator(line).bounding_box()["height"]
            assert closed < 80
            page.click(f"{line} .unfold > summary")
            assert page.locator(line).bounding_box()["height"] > closed + 10
            assert page.locator(rest).bounding_box()["height"] > 10


# The sheet with the viewer's move, and what must stay in sight above it.
MEASURE_PHONE = """(share) => {
    const sheet = document.querySelector(".panel-action").getBoundingClientRect();
    const wrong = [];
    if (sheet.height > innerHeight * share + 1)
        wrong.push(`the sheet takes ${Math.round(sheet.height)} of ${innerHeight}`);
    if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is too wide");
    for (const down of [0, document.documentElement.scrollHeight / 2]) {
        scrollTo(0, down);
        const top = document.querySelector(".panel-action").getBoundingClientRect().top;
        const counts = document.querySelectorAll(".counts > *");
        if (counts.length < 3) wrong.push("no counts");
        for (const one of counts) {
            const box = one.getBoundingClientRect();
            if (!box.height || box.top < 0 || box.bottom > top || box.right > innerWidth)
                wrong.push(`out of sight after ${down}: ${one.textContent.trim()}`);
        }
    }
    return wrong;
}"""


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_on_a_phone_the_sheet_leaves_the_tracks_in_sight(chromium, size, language) -> None:
    wrong: dict[str, list[str]] = {}
    with Reader(chromium) as reader:
        width, height = size
        reader.page.set_viewport_size({"width": width, "height": height})
        for moment, player in moments(run_table(NAMES)):
            player.language = language
            reader.read(player.page())
            reader.page.evaluate(CLOSE)
            found = reader.page.evaluate(MEASURE_PHONE, 1 / 3 if moment == "election" else 0.6)
            if found:
                wrong[moment] = found
    assert not wrong


# Twenty letters each, of one word or two.
LONG_NAMES = (
    "Wilhelmwolfgangmuell",
    "Константинопольскийё",
    "Αλέξανδροςκωνσταντίν",
    "さくらのはなびらがちりぬるをわかよたれ",
    "漢字名前漢字名前漢字名前漢字名前漢字名前",
    "عبدالرحمنعبدالرحيمال",
    "नमस्तेभारतवर्षमहाराजाधिराज",
    "Максимилиан Полянски",
    "김수한무거북이와두루미삼천갑자동방삭",
    "Maximiliana Wolkowna",
)

BROKEN = """() => {
    const wrong = [];
    for (const name of document.querySelectorAll(".nameplate bdi, .line .name")) {
        const frame = name.closest(".nameplate, .line").getBoundingClientRect();
        const { left, right } = name.getBoundingClientRect();
        if (left < frame.left || right > frame.right) wrong.push(`too wide: ${name.textContent}`);
        const text = name.firstChild;
        for (const { index, 0: word } of text.data.matchAll(/\\S+/g)) {
            const range = new Range();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top)));
            if (lines.size > 1) wrong.push(`${name.closest("[id]").id}: ${word}`);
        }
    }
    return wrong;
}"""


@pytest.mark.parametrize("size", [(1280, 720), (1600, 900), (390, 844), (320, 640)])
def test_long_names_of_any_script_stay_whole(chromium, size) -> None:
    table = run_table(NAMES)
    for number, name in enumerate(LONG_NAMES):
        table.seats.filter(number=number).update(name=name)
    play_until(table, lambda state: state.round == 3)
    with Reader(chromium) as reader:
        width, height = size
        reader.page.set_viewport_size({"width": width, "height": height})
        html = Person(user_at(table, 0), table, "ru").page()
        assert all(f'title="{name}"' in html for name in LONG_NAMES)
        reader.read(html)
        reader.page.locator(".sheet-tabs [value=log]").evaluate("(tab) => { tab.checked = true; }")
        assert reader.page.evaluate(BROKEN) == []
