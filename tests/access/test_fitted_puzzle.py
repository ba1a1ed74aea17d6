"""The puzzle: nothing covers what is evidence, and a phone shows the claims without a fold."""

from datetime import date

import pytest
from django.test import Client

from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

COVERED = """() => {
    const boxes = (selector) => [...document.querySelectorAll(selector)].map((found) => {
        const { top, bottom, left, right } = found.getBoundingClientRect();
        return { top, bottom, left, right, what: `${selector} ${found.textContent.trim()}` };
    });
    const under = [".marks > li", ".seat-name bdi", ".placard", ".track h3", ".space", ".step",
                   ".puzzle-head h1", ".desk > button", ".puzzle-answer"].flatMap(boxes);
    return boxes(".seat-ballot").flatMap((ballot) => [
        ...ballot.left < 0 || ballot.right > innerWidth
            || (innerWidth > 900 && ballot.bottom > innerHeight)
            ? [`outside: ${ballot.what}`] : [],
        ...under.filter((it) => ballot.left < it.right - 1 && it.left < ballot.right - 1
            && ballot.top < it.bottom - 1 && it.top < ballot.bottom - 1)
            .map((it) => `${ballot.what} covers ${it.what}`),
    ]);
}"""

ON_A_PHONE = """() => ({
    claims: [...document.querySelectorAll(".story")].filter((it) => it.checkVisibility()).length,
    cut: [...document.querySelectorAll(".term *")].filter((it) => it.checkVisibility()
        && it.getBoundingClientRect().right > innerWidth).map((it) => it.textContent),
    buttons: [...document.querySelectorAll(".puzzle-bar > *")].map((it) => {
        const { top, bottom } = it.getBoundingClientRect();
        return top > 0 && bottom <= innerHeight;
    }),
})"""
HIDDEN = """parts => parts.filter((part) => [...document.querySelectorAll(part)]
    .some((it) => it.getBoundingClientRect().bottom > innerHeight))"""


@pytest.mark.parametrize(("language", "day"), [("en", 24), ("pl", 13), ("ru", 13)])
def test_marks_claims_and_the_form_are_in_sight(chromium, language, day) -> None:
    client = Client(HTTP_ACCEPT_LANGUAGE=language)
    path = f"/puzzle/{date(2026, 11, day)}/"
    with Reader(chromium) as reader:
        for _ in range(2):
            page = client.get(path).content.decode()
            client.post(path, {"more": "on"})
            client.post(path, {"more": "on"})
            reader.read(page)
            for width, height in [(1280, 720), (1366, 768), (1920, 1080), (390, 844)]:
                reader.page.set_viewport_size({"width": width, "height": height})
                assert reader.page.evaluate(COVERED) == []
                if width > 900:
                    assert reader.page.evaluate(HIDDEN, ["h1", ".puzzle-answer"]) == []
            # The reader opens all folds.
            reader.page.evaluate("document.getElementById('history-fold').open = false")
            seen = reader.page.evaluate(ON_A_PHONE)
            assert seen["claims"] == page.count('class="story')
            # However long the evidence, the form is one press away.
            assert seen["buttons"] == [True, True]
            assert reader.page.get_attribute(".puzzle-bar > a", "href") == "#answer"
            reader.page.set_viewport_size({"width": 320, "height": 640})
            assert reader.page.evaluate(ON_A_PHONE)["cut"] == []


@pytest.mark.parametrize("language", ["en", "ru", "it"])
def test_outcomes_stay_in_the_card_and_whole_on_a_phone(chromium, language) -> None:
    client = Client(HTTP_ACCEPT_LANGUAGE=language)
    marks = {f"seat_{seat}": "liberal" for seat in range(7)}
    for _ in range(4):
        client.post("/puzzle/2026-11-01/", marks | {"more": "on"})
    with Reader(chromium) as reader:
        for width in (390, 360, 320):
            reader.page.set_viewport_size({"width": width, "height": 844})
            reader.read(client.get("/puzzle/2026-11-01/").content.decode())
            out = reader.page.evaluate("""() => {
                document.querySelector('.annals').open = false;
                return [...document.querySelectorAll('.term-outcome > b')].filter((it) => {
                    const range = document.createRange();
                    range.selectNodeContents(it);
                    const card = it.closest('.term').getBoundingClientRect();
                    return range.getBoundingClientRect().right > card.right + 1;
                }).map((it) => it.textContent);
            }""")
            assert out == [], width


@pytest.mark.parametrize("language", ["en", "ru", "pl"])
def test_a_phone_s_bar_is_even_and_a_placard_has_one_line(chromium, language) -> None:
    client = Client(HTTP_ACCEPT_LANGUAGE=language)
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        reader.read(client.get("/puzzle/2026-11-01/").content.decode())
        heights = reader.page.evaluate(
            "[...document.querySelectorAll('.puzzle-bar > *')].map((it) => it.offsetHeight)"
        )
        assert len(heights) == 2 and heights[0] == heights[1] <= 56
        # Its words are one line high, and stand inside the frame.
        lines = reader.page.evaluate("""() => [...document.querySelectorAll(".placard")].map(
            (placard) => {
                const words = new Range();
                words.selectNodeContents(placard.lastChild);
                const { height, left, right } = words.getBoundingClientRect();
                const frame = placard.getBoundingClientRect();
                return height < 22 && left > frame.left + 2 && right < frame.right - 2;
            })""")
        assert lines and all(lines)
