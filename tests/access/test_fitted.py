"""A running game fits a laptop's window, and a phone's sheet leaves the table in sight."""

from collections.abc import Iterator

import pytest

from games.models import Table, Terms
from games.rules.knowledge import PartySeen, TopSeen
from games.rules.legality import legal_actions
from games.rules.phases import Phase
from games.services import ready
from games.services.tables import join_table, open_table
from tests.builders.person import Person
from tests.builders.tables import (
    NAMES,
    act,
    fascist_dream,
    gather,
    person,
    play_until,
    run_table,
    state_of,
    user_at,
)
from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

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
            reader.close()
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
        reader.close()
        for line, rest in [(".panel-you", ".role-words .kicker"), (".coach", "#stop-hints")]:
            assert page.locator(line).bounding_box()["height"] < 80
            assert page.eval_on_selector(rest, "(it) => it.offsetWidth") <= 1
            page.click(f"{line} .unfold > summary")
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
            reader.close()
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


# Drawn for guests, who may see them on every page.
GUESTS = ("Deputy4821", "Депутат4821", "Deputato4821", "Poseł4821", "代議士4821")

CUT_NAMES = """() => [...document.querySelectorAll(".seat-name bdi")]
    .filter((name) => name.scrollWidth > name.clientWidth + 1)
    .map((name) => name.textContent)"""


@pytest.mark.parametrize("size", [(1280, 720), (1366, 768), (390, 844), (360, 640)])
def test_the_names_of_guests_stay_whole(chromium, size) -> None:
    running = run_table(NAMES)
    waiting = gather(NAMES)
    with Reader(chromium) as reader:
        width, height = size
        reader.page.set_viewport_size({"width": width, "height": height})
        for table in (running, waiting):
            for number in range(10):
                table.seats.filter(number=number).update(name=GUESTS[number % len(GUESTS)])
            reader.read(Person(user_at(table, 0), table, "ru").page())
            assert reader.page.evaluate(CUT_NAMES) == []


# Twenty letters each, of both scripts that a page of the site is written in.
WIDE_NAMES = [
    f"Константинопольский{number}" if number % 2 else f"Zwanzigbuchstaben{number:03}"
    for number in range(10)
]

# A line is at least 14 high; the letters of a font may stand out of their line by less than 4.
CUT = """() => [...document.querySelectorAll(".headline, .banner-foot > .warning")]
    .filter((it) => it.scrollHeight > it.clientHeight + 4 || it.scrollWidth > it.clientWidth)
    .map((it) => `${it.scrollHeight} in ${it.clientHeight}: ${it.textContent}`)"""

# How far letters of the first line may stand out of the headline, which cuts off what does.
OUT_OF_THE_HEADLINE = """() => {
    const headline = document.querySelector(".headline");
    const range = new Range();
    range.selectNodeContents(headline);
    return headline.getBoundingClientRect().top - range.getClientRects()[0].top;
}"""


# How much height the headline takes, with the margin that makes up for a shorter one.
ROOM_OF_THE_HEADLINE = """() => {
    const headline = document.querySelector(".headline");
    const margin = parseFloat(getComputedStyle(headline).marginBlockEnd);
    return Math.round(headline.getBoundingClientRect().height + margin);
}"""

LANGUAGES = ("en", "ru", "pl", "ja", "it")


def with_wide_names() -> Table:
    table = run_table(NAMES)
    for number, name in enumerate(WIDE_NAMES):
        table.seats.filter(number=number).update(name=name)
    return table


def test_no_headline_is_cut_on_a_phone(chromium) -> None:
    wrong: dict[str, list[str]] = {}
    heights: set[float] = set()
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        for moment, player in moments(with_wide_names()):
            for language in LANGUAGES:
                player.language = language
                reader.read(player.page())
                if found := reader.page.evaluate(CUT):
                    wrong[f"{moment}, {language}"] = found
                assert reader.page.evaluate(OUT_OF_THE_HEADLINE) <= 0
                heights.add(reader.page.evaluate(ROOM_OF_THE_HEADLINE))
    assert not wrong
    # Whatever its length, so that nothing below it moves.
    assert len(heights) == 1


BESIDE_THE_CALL = """() => {
    const range = new Range();
    range.selectNodeContents(document.querySelector(".headline"));
    const { left } = document.querySelector(".talk-call").getBoundingClientRect();
    return [...range.getClientRects()].every((line) => line.right <= left);
}"""

COUNTED = """() => {
    const count = document.querySelector(".talk-call [data-unread]");
    count.hidden = false;
    count.textContent = "12";
}"""


def test_the_warning_of_hitler_is_read_whole_on_a_phone(chromium) -> None:
    table = with_wide_names()
    play_until(table, lambda state: state.fascist >= 3 and state.phase is Phase.NOMINATION)
    wrong: dict[str, list[str]] = {}
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        for language in LANGUAGES:
            reader.read(Person(user_at(table, 0), table, language).page())
            assert reader.page.locator(".banner-foot > .warning").is_visible()
            if found := reader.page.evaluate(CUT):
                wrong[language] = found
            # The button of the chat covers neither it nor the headline, whatever it counts.
            reader.page.evaluate(COUNTED)
            call, warning, banner = (
                reader.page.locator(each).bounding_box()
                for each in (".talk-call", ".banner-foot > .warning", "#panel-banner")
            )
            assert call["y"] + call["height"] <= warning["y"]
            assert warning["y"] + warning["height"] <= banner["y"] + banner["height"]
            assert reader.page.evaluate(BESIDE_THE_CALL)
    assert not wrong


# Where a ballot or the flag of a report lies on a word. A flag is in the corner of its link.
COVERED = """() => {
    const wrong = [];
    const words = [...document.querySelectorAll(
        ".seat-name > bdi, .seat-name > a, .seat-you, .marks > li, .placard, .track h3, .space",
    )].filter((it) => it.getClientRects().length);
    const marks = [...document.querySelectorAll(".seat-ballot")];
    // With a mouse it shows only under the pointer.
    const flags = innerWidth < 900 ? document.querySelectorAll(".nameplate > .report") : [];
    for (const flag of flags) {
        const { right, top } = flag.getBoundingClientRect();
        marks.push({ className: "flag", getBoundingClientRect: () =>
            ({ left: right - 14, right, top, bottom: top + 15 }) });
    }
    for (const mark of marks)
        for (const word of words) {
            const a = mark.getBoundingClientRect(), b = word.getBoundingClientRect();
            const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            // A turned ballot has a larger box than itself.
            if (across > 2 && down > 2) wrong.push(`${mark.className}: ${word.textContent.trim()}`);
        }
    return [...new Set(wrong)];
}"""


def test_no_ballot_and_no_flag_lies_on_a_word(chromium) -> None:
    table = with_wide_names()
    play_until(table, lambda state: state.round == 4 and state.phase is Phase.NOMINATION)
    wrong: dict[str, list[str]] = {}
    with Reader(chromium) as reader:
        for width, height in [(1280, 720), (1366, 768), (390, 844)]:
            reader.page.set_viewport_size({"width": width, "height": height})
            for language in ("ru", "it"):
                reader.read(Person(user_at(table, 0), table, language).page())
                assert reader.page.locator(".seat-ballot").count() >= 8
                if found := reader.page.evaluate(COVERED):
                    wrong[f"{width}, {language}"] = found
    assert not wrong


ROWS = """() => {
    const box = (it) => it.getBoundingClientRect();
    const wrong = [];
    const end = Math.min(
        innerHeight, box(document.querySelector(".panel-phrasebook")).bottom,
        box(document.querySelector(".talk-foot")).top,
    );
    for (const row of document.querySelectorAll(
        ".phrasebook > :not(form), .phrase-form > *, .ask[open] button, #say-text",
    )) {
        const { top, bottom } = box(row);
        if (top < end - 2 && bottom > end + 1) wrong.push(`cut: ${row.textContent.trim()}`);
    }
    const answers = [...document.querySelectorAll(".ask.due .ask-answers > button")];
    if (answers.length !== 8) wrong.push(`${answers.length} answers`);
    if (answers.some((it) => box(it).bottom > end)) wrong.push("an answer is hidden");
    if (box(document.querySelector(".talk-foot")).bottom > innerHeight) wrong.push("no foot");
    return wrong;
}"""


def test_a_laptop_cuts_no_row_below_the_chat(chromium) -> None:
    table = run_table()
    state = play_until(
        table,
        lambda state: (
            state.phase is Phase.ELECTION and any(isinstance(it, TopSeen) for it in state.knowledge)
        ),
    )
    seat = next(it.seat for it in state.knowledge if isinstance(it, TopSeen))
    wrong: dict[str, list[str]] = {}
    with Reader(chromium) as reader:
        for width, height in [(1280, 720), (1366, 768)]:
            reader.page.set_viewport_size({"width": width, "height": height})
            for language in ("ru", "pl"):
                reader.read(Person(user_at(table, seat), table, language).page())
                reader.close()
                reader.page.evaluate("document.querySelector('.ask.due').open = true")
                if found := reader.page.evaluate(ROWS):
                    wrong[f"{width}, {language}"] = found
    assert not wrong


ANSWERS = """() => {
    const inside = [...document.querySelectorAll(".panel-phrasebook, .talk-box")]
        .map((it) => it.getBoundingClientRect());
    const bottom = Math.min(innerHeight, ...inside.map((it) => it.bottom));
    const answers = [...document.querySelectorAll(".ask.due .ask-answers > button")];
    return answers.map((it) => Math.round(it.getBoundingClientRect().bottom - bottom));
}"""


@pytest.mark.parametrize("size", [(1280, 720), (1366, 768)])
def test_a_laptop_shows_all_answers_to_what_the_viewer_may_claim(chromium, size) -> None:
    table = run_table()
    play_until(table, lambda state: state.round == 2 and state.phase is Phase.NOMINATION)
    officers = [item.seat for item in state_of(table).knowledge]
    hidden: dict[str, list[int]] = {}
    with Reader(chromium) as reader:
        width, height = size
        reader.page.set_viewport_size({"width": width, "height": height})
        # One of them has to nominate meanwhile.
        for seat in officers:
            for language in ("ja", "ru"):
                reader.read(Person(user_at(table, seat), table, language).page())
                reader.close()
                reader.page.evaluate("document.querySelector('.ask.due').open = true")
                below = reader.page.evaluate(ANSWERS)
                assert len(below) >= 3
                if max(below) > 0:
                    hidden[f"{seat}, {language}"] = below
    assert not hidden


WORD_OF_THE_BUTTON = """() => {
    const words = [...document.querySelector(".talk-call").childNodes]
        .find((it) => it.nodeType === Node.TEXT_NODE && it.data.trim());
    const range = new Range();
    range.selectNodeContents(words);
    return range.getBoundingClientRect().left;
}"""


def test_a_phone_s_chat_button_says_that_a_claim_is_due(chromium) -> None:
    table = run_table()
    play_until(table, lambda state: state.round == 2 and state.phase is Phase.NOMINATION)
    officers = {item.seat for item in state_of(table).knowledge}
    marked = set()
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        for seat in range(5):
            reader.read(Person(user_at(table, seat), table).page())
            mark = reader.page.locator(".talk-call .claim-due")
            if mark.is_visible():
                marked.add(seat)
                assert mark.get_attribute("aria-label") == "You can claim what you saw"
                # It stands beside the word, not on it.
                box = mark.bounding_box()
                assert box["x"] + box["width"] <= reader.page.evaluate(WORD_OF_THE_BUTTON)
    assert marked == officers


# A reader opens it, as it opens all that folds.


@pytest.mark.parametrize("language", ["ru", "pl"])
def test_a_full_table_s_bar_is_low_and_holds_the_answer_to_the_ready_check(
    chromium, language
) -> None:
    table = gather(("Ada", "Boris", "Chika", "Dario", "Ewa"), is_private=True)
    boris = Person(person("Boris"), table, language)
    bar = "#panel-action"
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        reader.read(boris.page())
        reader.close()
        assert not reader.page.locator("#invite").is_visible()
        assert reader.page.locator(bar).bounding_box()["height"] < 844 / 4
        ready.call_ready(table=table, user=person("Ada"))
        reader.read(boris.page())
        reader.close()
        answer = reader.page.locator(f"{bar} #ready.primary").bounding_box()
        assert answer["y"] + answer["height"] <= 844
        assert reader.page.locator(bar).bounding_box()["height"] < 844 / 4


def test_the_own_seat_is_no_higher_than_others_before_the_game(chromium) -> None:
    table = open_table(host=person("Phonea7"), terms=Terms(edition="en", seats_wanted=7))
    join_table(table=table, user=person("Phoneb7"))
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        reader.read(Person(person("Phonea7"), table).page())
        height = reader.page.eval_on_selector_all(
            ".nameplate", "(all) => all.slice(0, 3).map((it) => it.offsetHeight)"
        )
        assert height[0] <= max(height[1:]) + 8, height
