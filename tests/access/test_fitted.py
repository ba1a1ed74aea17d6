"""A running game fits a laptop's window, and a phone's sheet leaves the table in sight."""

import pytest

from games.rules.knowledge import PartySeen, TopSeen
from games.rules.phases import Phase
from tests.builders.person import Person
from tests.builders.tables import NAMES, act, fascist_dream, run_table, state_of, user_at
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


@pytest.mark.parametrize("size", [(1280, 720), (1366, 768), (1600, 900), (1920, 1080)])
def test_ten_seats_need_no_scrolling(chromium, size) -> None:
    table = run_table(NAMES)
    seen: set[str] = set()
    wrong: dict[str, list[str]] = {}
    with Reader(chromium) as reader:
        width, height = size
        reader.page.set_viewport_size({"width": width, "height": height})
        while len(seen) < 8:
            state = state_of(table)
            # The first night, which shows the role at length, counts as a phase of its own.
            phase = "night" if state.round == 1 and state.phase is Phase.NOMINATION else state.phase
            if phase not in seen and (phase == "night" or state.round > 1):
                seen.add(phase)
                actor = user_at(table, state.to_act[0])
                reader.read(Person(actor, table, "ru").page())
                reader.page.evaluate(CLOSE)
                found = reader.page.evaluate(MEASURE)
                if found:
                    wrong[phase] = found
            act(table, fascist_dream(state, state.to_act[0]))
    assert not wrong


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
    table = run_table(NAMES)
    seen: set[str] = set()
    wrong: dict[str, list[str]] = {}
    with Reader(chromium) as reader:
        width, height = size
        reader.page.set_viewport_size({"width": width, "height": height})
        while len(seen) < 8:
            state = state_of(table)
            phase = state.phase
            readers = {phase: state.to_act[0]}
            if state.knowledge and isinstance(state.knowledge[-1], PartySeen | TopSeen):
                # What the power showed stands in the sheet of its President.
                readers["revealed"] = state.knowledge[-1].seat
            for moment, seat in readers.items():
                if moment in seen or state.round == 1:
                    continue
                seen.add(moment)
                reader.read(Person(user_at(table, seat), table, language).page())
                reader.page.evaluate(CLOSE)
                share = 1 / 3 if phase is Phase.ELECTION else 0.6
                found = reader.page.evaluate(MEASURE_PHONE, share)
                if found:
                    wrong[moment] = found
            act(table, fascist_dream(state, state.to_act[0]))
    assert not wrong
