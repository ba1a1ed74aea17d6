"""The replay of a game: it fits a laptop's window, and a phone's headline keeps names whole."""

from collections.abc import Sequence

import pytest
from django.test import Client

from tests.builders.tables import is_over, play_until, run_table, user_at
from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

LONG_NAMES = [f"Zwanzigbuchstaben{number:03}" for number in range(10)]

MEASURE = """() => {
    const box = (selector) => [...document.querySelectorAll(selector)].map((found) => {
        const { top, bottom, left, right } = found.getBoundingClientRect();
        const text = found.textContent.trim().replace(/\\s+/g, " ");
        return { top, bottom, left, right, what: `${selector} ${text}` };
    });
    const wrong = [];
    const inside = [
        ".headline", ".replay-steps .button", "#replay-play", "#replay-slider", ".replay-rounds a",
        "#eyes", ".nameplate", ".seat-ballot", ".track", ".tracker", ".piles",
    ];
    for (const one of inside.flatMap(box))
        if (one.top < 0 || one.bottom > innerHeight || one.left < 0 || one.right > innerWidth)
            wrong.push(`outside: ${one.what}`);
    for (const over of box(".nameplate, .placard, .seat-ballot"))
        for (const under of box(".track h3, .space, .step, .piles dd, .headline, .desk > button"))
            if (over.left < under.right - 2 && under.left < over.right - 2
                && over.top < under.bottom - 2 && under.top < over.bottom - 2)
                wrong.push(`${over.what} covers ${under.what}`);
    // With its shadow, and its corners when it is turned.
    for (const ballot of box(".seat-ballot"))
        if (ballot.left < 6) wrong.push(`at the edge: ${ballot.what}`);
    for (const role of document.querySelectorAll(".seat-role")) {
        const name = role.parentNode.querySelector("bdi");
        const lines = new Range();
        lines.selectNodeContents(name);
        const words = new Range();
        words.selectNodeContents(role.lastChild);
        // A font's box reaches above its capitals and below its descenders.
        const gap = words.getBoundingClientRect().top - lines.getBoundingClientRect().bottom;
        if (gap < -2) wrong.push(`${name.textContent} runs into ${role.textContent}`);
    }
    for (const ballot of box(".seat-ballot"))
        for (const name of box(".seat-name bdi"))
            if (ballot.left < name.right - 2 && name.left < ballot.right - 2
                && ballot.top < name.bottom - 2 && name.top < ballot.bottom - 2)
                wrong.push(`${ballot.what} covers ${name.what}`);
    const headline = document.querySelector(".headline");
    const text = new Range();
    text.selectNodeContents(headline);
    const { bottom } = headline.getBoundingClientRect();
    const lines = [...text.getClientRects()].filter((line) => line.width);
    if (lines.some((line) => line.top + line.bottom > 2 * bottom))
        wrong.push(`cut off: ${headline.textContent}`);
    return wrong;
}"""


def a_replay_of_ten(language: str) -> tuple[Client, str, Sequence[int]]:
    """Return a player's browser, the path of the replay and the moves where it stops."""
    table = run_table(LONG_NAMES)
    play_until(table, is_over)
    client = Client(HTTP_ACCEPT_LANGUAGE=language)
    client.force_login(user_at(table, 0))
    path = f"{table.get_absolute_url()}replay/"
    stops = client.get(path).context["replay"].stops
    return client, path, stops


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_replay_of_ten_players_fits_a_laptop_s_window(chromium, language) -> None:
    client, path, stops = a_replay_of_ten(language)
    wrong: dict[str, list[str]] = {}
    with Reader(chromium) as reader:
        # The end, then every third step, in turn with the viewer's eyes and with all cards open.
        for turn, move in enumerate((stops[-1], *stops[::3])):
            eyes = "all" if turn % 2 else "0"
            reader.read(client.get(f"{path}?move={move}&eyes={eyes}").content.decode())
            for width, height in [(1280, 600), (1280, 720), (1366, 768), (1920, 1080)]:
                reader.page.set_viewport_size({"width": width, "height": height})
                if found := reader.page.evaluate(MEASURE):
                    wrong[f"{width}x{height}, move {move}, {eyes}"] = found
    assert not wrong


MEASURE_PHONE = """() => {
    const wrong = [];
    const box = (selector) => document.querySelector(selector)?.getBoundingClientRect();
    const isOver = document.querySelector(".extra");
    const last = isOver ? "#step-previous" : "#step-next";
    for (const down of [0, 300, 700, 1200]) {
        scrollTo(0, down);
        const { left, right, top, bottom } = box(last);
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        if (!hit?.closest(last)) wrong.push(`${hit?.className} covers ${last} at ${down}`);
        const inSight = isOver ? [] : [".headline", ".counts", ".hand"];
        for (const name of [...inSight, ".replay-place", "#replay-play", "#replay-slider"]) {
            const found = box(name);
            if (found && (found.top < 0 || found.bottom > innerHeight || found.right > innerWidth))
                wrong.push(`${name} is out of sight at ${down}`);
        }
        const [banner, hand] = [box(".panel-banner"), box(".panel-action")];
        if (!isOver && hand && hand.top - banner.bottom < 400) wrong.push("no room for the seats");
        if (hand && hand.bottom > box(".replay-controls").top + 2)
            wrong.push("the hand lies over the steps");
    }
    const headline = document.querySelector(".headline");
    const { paddingInlineEnd, textWrapStyle } = getComputedStyle(headline);
    if (!isOver && (parseFloat(paddingInlineEnd) || textWrapStyle === "balance"))
        wrong.push("the headline leaves a part of its width");
    return wrong;
}"""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_phone_shows_headline_counts_and_hand_beside_free_steps(chromium, language) -> None:
    client, path, stops = a_replay_of_ten(language)
    wrong = {}
    hands = 0
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        for move in (*stops[:6], stops[-1]):
            reader.read(client.get(f"{path}?move={move}&eyes=all").content.decode())
            hands += reader.page.locator(".panel-action .hand").count()
            if found := reader.page.evaluate(MEASURE_PHONE):
                wrong[move] = found
    assert not wrong
    assert hands


@pytest.mark.parametrize("size", [(390, 844), (1366, 768)])
def test_the_night_leaves_room_for_the_board(chromium, size) -> None:
    client, path, _ = a_replay_of_ten("ru")
    with Reader(chromium) as reader:
        reader.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        for eyes in range(10):
            reader.read(client.get(f"{path}?move=0&eyes={eyes}").content.decode())
            reader.page.locator(".night-fold").evaluate("(fold) => { fold.open = false; }")
            night = reader.page.locator(".night").bounding_box()
            assert night["height"] < 0.36 * size[1], (eyes, night)


SPLIT_NAMES = """() => [...document.querySelectorAll(".panel-banner bdi")].filter((name) => {
    const text = new Range();
    text.selectNodeContents(name);
    return new Set([...text.getClientRects()].map((line) => Math.round(line.top))).size > 1;
}).map((name) => name.textContent)"""


@pytest.mark.parametrize(
    ("language", "names"),
    [("it", ["ゆきこ", "ひかるこ", "みさき", "ちひろこ", "つばさ"]), ("ja", LONG_NAMES[:5])],
)
def test_a_name_of_another_script_stays_whole_in_a_headline(chromium, language, names) -> None:
    table = run_table(names)
    play_until(table, is_over)
    client = Client(HTTP_ACCEPT_LANGUAGE=language)
    client.force_login(user_at(table, 0))
    path = f"{table.get_absolute_url()}replay/"
    split = {}
    with Reader(chromium) as reader:
        for move in client.get(path).context["replay"].stops:
            reader.read(client.get(f"{path}?move={move}").content.decode())
            for width in (390, 360, 320):
                reader.page.set_viewport_size({"width": width, "height": 844})
                if found := reader.page.evaluate(SPLIT_NAMES):
                    split[f"move {move}, {width}"] = found
    assert not split


def test_on_a_phone_the_rounds_stand_above_the_board_and_are_wide_enough(chromium) -> None:
    client, path, stops = a_replay_of_ten("en")
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        reader.read(client.get(f"{path}?move={stops[3]}").content.decode())
        rounds = reader.page.locator(".replay-rounds a").all()
        boxes = [link.bounding_box() for link in rounds]
        assert len(boxes) > 3
        assert min(box["width"] for box in boxes) >= 40
        assert max(box["y"] for box in boxes) < reader.page.locator(".board").bounding_box()["y"]


def test_the_folded_evidence_is_as_high_as_its_sister_cards(chromium) -> None:
    client, path, stops = a_replay_of_ten("en")
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        reader.read(client.get(f"{path}?move={stops[3]}&eyes=0").content.decode())
        cards = reader.page.locator(".evidence-box, #notes")
        assert cards.count() == 2
        heights = cards.evaluate_all(
            "(all) => all.map((it) => { it.open = false; return it.offsetHeight; })"
        )
        assert abs(heights[0] - heights[1]) <= 4, heights
