"""The lobby and the form for a new table: what a reader needs is in the window."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Table, Terms
from games.selectors.open_tables import TableFilters
from games.services.tables import open_table
from games.services.wishes import Lasts, call_all, make_wish
from tests.builders.person import Person
from tests.builders.tables import is_over, person, play_until, run_table
from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

LANGUAGES = ("en", "ru", "pl", "ja", "it")
# What stands in the first window: the bottom of each, and of the list its heading and first line.
BOTTOMS = """() => {
    // What the reader has not opened.
    document.querySelectorAll("details").forEach((it) => { it.open = false; });
    return Object.fromEntries([
    "#seek", "#quick", "#join-best", "#wish", ".lobby-ways a", ".lobby-options summary", "#waiting",
    ".panel-tables .table-row-link",
].map((part) => [part, Math.round(document.querySelector(part).getBoundingClientRect().bottom)]));
}"""
WIDE = "() => document.documentElement.scrollWidth > innerWidth"


@pytest.mark.parametrize("size", [(390, 844), (1366, 768)])
def test_the_lobby_s_first_window_shows_the_tables_and_all_ways_to_play(chromium, size) -> None:
    open_table(host=person("Sofia"), terms=Terms(edition="en", seats_wanted=7))
    wrong = {}
    with Reader(chromium) as reader:
        reader.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        for language in LANGUAGES:
            answer = Person(person("Zoe"), Table(), language).get("/")
            reader.read(answer.content.decode())
            below = {
                part: bottom
                for part, bottom in reader.page.evaluate(BOTTOMS).items()
                if bottom > size[1]
            }
            if below or reader.page.evaluate(WIDE):
                wrong[language] = below
    assert not wrong


# What a press at the middle of this part hits.
HIT = """(part) => {
    const it = document.querySelector(part);
    it.scrollIntoView({ block: "center" });
    const { left, top, width, height } = it.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit.closest("a, button").className;
}"""


@pytest.mark.parametrize("width", [390, 1366])
def test_the_button_for_a_seat_lies_above_the_link_that_covers_the_card(chromium, width) -> None:
    open_table(host=person("Sofia"), terms=Terms(edition="en", seats_wanted=7))
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": width, "height": 1200})
        reader.read(Person(person("Zoe"), Table()).get("/").content.decode())
        assert reader.page.evaluate(HIT, ".table-row-seats button") == "button small"
        assert reader.page.evaluate(HIT, ".table-row-facts .tag") == "table-row-link"


def test_one_s_own_table_is_a_line_above_the_ways_to_play(chromium) -> None:
    zoe = person("Zoe")
    open_table(host=zoe, terms=Terms(edition="en", seats_wanted=7))
    open_table(host=person("Sofia"), terms=Terms(edition="en", seats_wanted=7))
    with Reader(chromium) as reader:
        for language in LANGUAGES:
            reader.read(Person(zoe, Table(), language).get("/").content.decode())
            for width, most in ((1366, 70), (390, 120)):
                reader.page.set_viewport_size({"width": width, "height": 768})
                assert reader.page.locator(".lobby-own").bounding_box()["height"] < most
                assert reader.page.locator(".lobby-own .button").is_visible()
                play = reader.page.locator("#seek").bounding_box()
                assert play["y"] + play["height"] < 440, (language, width)
                assert not reader.page.evaluate(WIDE)


# How far the words of each way to play begin from its icon.
FROM_ICON = """() => [...document.querySelectorAll(".lobby-ways .button")].map((button) => {
    const words = document.createRange();
    words.selectNodeContents(button);
    words.setStartAfter(button.querySelector(".icon"));
    const { right } = button.querySelector(".icon").getBoundingClientRect();
    return words.getClientRects()[0].left - right;
})"""


@pytest.mark.parametrize("width", [390, 1366])
def test_the_icon_of_each_way_to_play_is_beside_its_words(chromium, width) -> None:
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": width, "height": 844})
        for language in LANGUAGES:
            reader.read(Person(person("Zoe"), Table(), language).get("/").content.decode())
            far = reader.page.evaluate(FROM_ICON)
            assert len(far) == 4 and min(far) > 0 and max(far) < 16, language


# How far the words of each heading begin from its icon.
HEADINGS = """() => [...document.querySelectorAll("main h2:has(> .icon)")].map((heading) => {
    const words = document.createRange();
    words.selectNodeContents(heading);
    words.setStartAfter(heading.querySelector(".icon"));
    const { right } = heading.querySelector(".icon").getBoundingClientRect();
    return [heading.innerText, Math.round(words.getClientRects()[0].left - right)];
})"""


def test_each_heading_stands_a_little_off_its_icon(chromium) -> None:
    play_until(run_table(["Zoe", "Boris", "Chika", "Dario", "Ewa"]), is_over)
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 1366, "height": 768})
        reader.read(Person(person("Zoe"), Table()).get("/").content.decode())
        gaps = dict(reader.page.evaluate(HEADINGS))
    assert any(name.casefold() == "my games" for name in gaps)
    assert not {name: gap for name, gap in gaps.items() if not 4 <= gap <= 16}


def test_a_phone_s_first_window_links_to_the_lists_below_one_s_own_tables(chromium) -> None:
    zoe = person("Zoe")
    for number in range(3):
        open_table(host=zoe, terms=Terms(edition="en", seats_wanted=5 + number))
    open_table(host=person("Sofia"), terms=Terms(edition="en", seats_wanted=7))
    open_table(
        host=person("Boris"),
        terms=Terms(edition="en", seats_wanted=7),
        scheduled_at=timezone.now() + timedelta(days=2),
    )
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        reader.read(Person(zoe, Table(), "ru").get("/").content.decode())
        links = reader.page.locator(".list-link")
        counts = links.locator("b").all_inner_texts()
        hrefs = links.evaluate_all("(all) => all.map((it) => it.getAttribute('href'))")
        bottoms = links.evaluate_all("(all) => all.map((it) => it.getBoundingClientRect().bottom)")
        targets = [reader.page.locator(href).count() for href in hrefs]

    assert dict(zip(hrefs, counts, strict=True)) == {"#waiting": "1", "#upcoming": "1"}
    assert max(bottoms) < 300 and targets == [1, 1]


CUT = """() => [...document.querySelectorAll(".option-list select")].filter((select) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(select);
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = font;
    const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return pen.measureText(select.selectedOptions[0].textContent).width > room;
}).map((select) => `${select.name}: ${select.selectedOptions[0].textContent}`)"""


def test_a_phone_s_new_table_has_its_button_in_sight_and_cuts_no_house_rule(chromium) -> None:
    wrong = {}
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        for language in LANGUAGES:
            answer = Person(person("Zoe"), Table(), language).get("/tables/new/")
            reader.read(answer.content.decode())
            reader.page.evaluate("document.querySelector('#house-rules').scrollIntoView()")
            button = reader.page.locator("#open").bounding_box()
            cut = reader.page.evaluate(CUT)
            if cut or button["y"] + button["height"] > 844:
                wrong[language] = cut or button
    assert not wrong


def test_a_house_rule_that_is_not_the_edition_s_is_marked(chromium) -> None:
    edge = "(name) => getComputedStyle(document.querySelector(`[name=${name}]`).closest('.field'))"
    edge += ".borderInlineStartWidth"
    with Reader(chromium) as reader:
        reader.read(Person(person("Zoe"), Table()).get("/tables/new/").content.decode())
        names = ("option_hitler_zone", "option_fascist_policies", "option_silence")
        assert {reader.page.evaluate(edge, name) for name in names} == {"0px"}
        reader.page.select_option("[name=option_fascist_policies]", "10")
        reader.page.check("[name=option_silence] >> nth=1", force=True)
        assert [reader.page.evaluate(edge, name) for name in names] == ["0px", "4px", "4px"]


def test_an_empty_lobby_has_no_filters_and_no_empty_frames(chromium) -> None:
    with Reader(chromium) as reader:
        reader.read(Person(person("Zoe"), Table()).get("/").content.decode())
        for width in (1366, 390):
            reader.page.set_viewport_size({"width": width, "height": 800})
            reader.page.evaluate("document.querySelector('.wanted').open = false")
            assert reader.page.locator(".quiet-now:visible").count() == 1
            assert not reader.page.locator(":is(.wanted, .empty):visible").count()


CALL = """() => {
    const [words, go, no] = [...document.querySelectorAll(".called > *")].map(
        (part) => (part.querySelector("button") ?? part).getBoundingClientRect()
    );
    const { height } = document.querySelector(".called").getBoundingClientRect();
    return [Math.round(height), go.top === no.top, words.right <= go.left, no.right <= innerWidth];
}"""


def test_a_call_says_which_table_and_takes_one_row_on_a_phone(chromium) -> None:
    zoe = person("Zoe")
    make_wish(user=zoe, filters=TableFilters(), lasts=Lasts.HOUR)
    open_table(host=person("Sofia"), terms=Terms(edition="en", seats_wanted=7))
    call_all()
    with Reader(chromium) as reader:
        for language in LANGUAGES:
            reader.read(Person(zoe, Table(), language).get("/rules/").content.decode())
            facts = reader.page.inner_text(".called-facts")
            assert "1/7" in facts and facts.count("·") == 2
            for width in (320, 390, 1366):
                reader.page.set_viewport_size({"width": width, "height": 844})
                height, *tidy = reader.page.evaluate(CALL)
                assert height <= 80 and all(tidy), (language, width, height, tidy)
                assert not reader.page.evaluate(WIDE)


def test_an_empty_lobby_has_the_ways_to_play_in_its_wide_part(chromium) -> None:
    zoe = Person(person("Zoe"), Table())
    widths = """() => [".lobby-start", ".lobby-tables"].map(
        (it) => document.querySelector(it).clientWidth)"""
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 1366, "height": 768})
        reader.read(zoe.get("/").content.decode())
        start, listed = reader.page.evaluate(widths)
        assert start > 1.5 * listed
        open_table(host=person("Sofia"), terms=Terms(edition="en", seats_wanted=7))
        reader.read(zoe.get("/").content.decode())
        start, listed = reader.page.evaluate(widths)
        assert listed > 1.5 * start


def test_filters_take_half_a_phone_s_row_each_and_fold_before_the_tables(chromium) -> None:
    open_table(host=person("Sofia"), terms=Terms(edition="en", seats_wanted=7))
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        for language in LANGUAGES:
            reader.read(Person(None, Table(), language).get("/?edition=en").content.decode())
            reader.page.evaluate("document.querySelector('.wanted').open = false")
            assert reader.page.locator(".wanted").bounding_box()["height"] < 130
            reader.page.evaluate("document.querySelector('.wanted').open = true")
            tops = "(all) => all.map((it) => Math.round(it.getBoundingClientRect().top))"
            fields = reader.page.locator(".wanted-fields select")
            assert len(set(fields.evaluate_all(tops))) == 2, language
            assert not reader.page.evaluate(WIDE)


# What does not stand in its place: lines that wrap, and a last line of one short word.
UNTIDY = """() => [...document.querySelectorAll(".own-list > li")].flatMap((row) => {
    const lines = (part) => {
        const text = new Range();
        text.selectNodeContents(row.querySelector(part));
        const found = new Map();
        for (const { top, left, right } of text.getClientRects()) {
            const line = Math.round(top / 8);
            const [from, to] = found.get(line) ?? [left, right];
            found.set(line, [Math.min(from, left), Math.max(to, right)]);
        }
        return [...found.values()].map(([from, to]) => to - from);
    };
    const title = lines(".own-ending");
    const wrong = title.length > 1 && title.at(-1) < .4 * title[0] ? ["a widow"] : [];
    const { height } = row.querySelector(".own-result").getBoundingClientRect();
    const { right } = row.querySelector("time").getBoundingClientRect();
    if (height > 40 || right > row.getBoundingClientRect().right + 1) wrong.push("result");
    return wrong;
})"""


# Returns the chosen words for which these lists are too narrow.
LISTS_CUT = """(selects) => selects.filter((select) => {
    const copy = select.cloneNode(false);
    copy.append(select.selectedOptions[0].cloneNode(true));
    copy.style.cssText = "inline-size: max-content; position: absolute";
    select.after(copy);
    const needed = copy.offsetWidth;
    copy.remove();
    return select.offsetWidth < needed;
}).map((select) => select.selectedOptions[0].text)"""


# Chooses the longest words in each list.
CHOOSE_LONGEST = """() => {
    for (const list of document.querySelectorAll(".board-fields select"))
        list.selectedIndex = [...list.options].reduce(
            (best, it) => (it.text.length > list.options[best].text.length ? it.index : best), 0);
}"""


def test_a_laptop_s_lists_of_leaderboards_keep_their_places_whatever_is_chosen(chromium) -> None:
    with Reader(chromium) as reader:
        page = reader.page
        page.set_viewport_size({"width": 1366, "height": 768})
        for language in LANGUAGES:
            reader.read(Person(person("Zoe"), Table(), language).get("/ratings/").content.decode())
            # The lists show what is chosen whole, in one row, and a change applies at once.
            lists, check = page.locator(".board-fields select"), page.locator("#filter_friends")
            before = [part.bounding_box() for part in (*lists.all(), check)]
            assert len({box["y"] for box in before[:-1]}) == 1, language
            assert before[-1]["y"] > before[0]["y"] + before[0]["height"], language
            page.evaluate(CHOOSE_LONGEST)
            assert [part.bounding_box() for part in (*lists.all(), check)] == before, language
            assert not lists.evaluate_all(LISTS_CUT), language
            assert not page.locator(".board-foot button").is_visible()


def test_a_row_of_one_s_own_games_scans_well_on_a_phone(chromium) -> None:
    for names in (("Ada", "Boris", "Chika", "Dario", "Ewa"), ("Ada", *"BCDEFGHIJ")):
        play_until(run_table(names), is_over)
    wrong = {}
    with Reader(chromium) as reader:
        for language in LANGUAGES:
            page = Person(person("Ada"), Table(), language).get("/games/").content.decode()
            reader.read(page)
            assert reader.page.locator(".own-list > li").count() == 2
            for width in (390, 360, 320):
                reader.page.set_viewport_size({"width": width, "height": 844})
                if found := reader.page.evaluate(UNTIDY) or reader.page.evaluate(WIDE):
                    wrong[language, width] = found
    assert not wrong
