"""What a stranger sees first: the front page and a game to watch, without scrolling."""

import pytest
from django.test import Client

from tests.builders.ratings import stands
from tests.builders.tables import is_over, person, play_until, run_table
from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

LANGUAGES = ("en", "ru", "pl", "ja", "it")
LAPTOPS = ((1366, 768), (1280, 720))

# Returns what is not wholly in the window.
HIDDEN = """(parts) => parts.flatMap((part) => [...document.querySelectorAll(part)])
    .filter((element) => element.getClientRects().length)
    .filter((element) => {
        const { top, bottom, left, right } = element.getBoundingClientRect();
        return top < 0 || bottom > innerHeight || left < 0 || right > innerWidth;
    }).map((element) => element.innerText || element.id)"""
# Returns the width of the placeholder's words, and of the room for them.
PLACEHOLDER = """(field) => {
    const style = getComputedStyle(field);
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = style.font;
    const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
    return [pen.measureText(field.placeholder).width, field.clientWidth - padding];
}"""
WORDS = (".welcome h1", ".welcome .lead", "#play-name", "#play-now", ".welcome .learn a")


def page_at(path: str, language: str) -> str:
    return Client(HTTP_ACCEPT_LANGUAGE=language).get(path).content.decode()


def test_a_stranger_sees_what_it_is_and_where_to_begin(chromium) -> None:
    wrong = {}
    with Reader(chromium) as reader:
        for language in LANGUAGES:
            reader.read(page_at("/", language))
            page = reader.page
            for width, height in LAPTOPS:
                page.set_viewport_size({"width": width, "height": height})
                assert page.locator(".welcome-words > .actions > a:visible").count() == 3
                found = page.evaluate(HIDDEN, [*WORDS, ".welcome-words > .actions > a"])
                if found:
                    wrong[language, width] = found
            page.set_viewport_size({"width": 390, "height": 844})
            found = page.evaluate(HIDDEN, [".welcome-name", *WORDS])
            if found or not page.is_visible(".welcome-name"):
                wrong[language, 390] = found
            for path in ("register", "sign-in"):
                assert page.locator(f'header a[href*="/{path}/"]:visible').count() == 1
                assert not page.locator(f'.welcome a[href*="/{path}/"]:visible').count()
            words, room = page.locator("#play-name").evaluate(PLACEHOLDER)
            assert words <= room, language
    assert not wrong


def test_the_watched_game_fills_a_laptop_s_window(chromium) -> None:
    with Reader(chromium) as reader:
        for language in LANGUAGES:
            reader.read(page_at("/watch/", language))
            page = reader.page
            for width, height in LAPTOPS:
                page.set_viewport_size({"width": width, "height": height})
                table = page.locator(".film-table").bounding_box()
                assert table["height"] > 0.75 * height
                assert table["width"] > 0.65 * width
                # The small film leaves out the words of the tracks and of the offices.
                for words in page.locator(".film-table :is(h3:not(.sr-only), .placard)").all():
                    assert words.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)") > 0
                parts = [".watch h1", ".film-table", ".film-caption", ".watch :is(a, button)"]
                assert not page.evaluate(HIDDEN, parts), (language, width)
                column = (".watch h1", "#film-previous", ".watch .actions > .primary")
                lefts = {page.locator(part).bounding_box()["x"] for part in column}
                assert max(lefts) - min(lefts) < 2


def test_a_phone_shows_the_first_rows_of_the_leaderboard(chromium) -> None:
    for number in range(10):
        stands(f"Anastazja Wiśnia {number}", 1900 - number)
    with Reader(chromium) as reader:
        page = reader.page
        for language in LANGUAGES:
            reader.read(page_at("/ratings/", language))
            # The reader opens all folds.
            page.evaluate("document.querySelector('.board-filters').open = false")
            filters, first = page.locator(".board-fields"), "tbody tr:nth-child(-n + 5)"
            page.set_viewport_size({"width": 390, "height": 844})
            assert not page.evaluate(HIDDEN, ["h1", ".board-filters > summary", first]), language
            assert page.locator(first).count() == 5
            page.set_viewport_size({"width": 320, "height": 640})
            assert not page.evaluate(HIDDEN, ["tbody tr:first-child"]), language
            assert not page.locator(".board-fields select").first.is_visible()
            # On a laptop the filters are open, and nothing says twice what is chosen.
            page.set_viewport_size({"width": 1366, "height": 768})
            assert (
                filters.is_visible() and not page.locator(".board-filters > summary").is_visible()
            )


# Returns the lowest edge of these parts, with the folds as they are sent.
LOWEST = """(parts) => Math.max(...parts.flatMap((part) => [...document.querySelectorAll(part)])
    .map((element) => element.getBoundingClientRect().bottom))"""


@pytest.mark.parametrize("size", [(390, 844), (1366, 768)])
@pytest.mark.parametrize("name", ["Ada", "Sofia"])
def test_the_truth_begins_with_the_result_and_the_contents(chromium, size, name) -> None:
    table = run_table(("Ada", *(f"Zwanzigbuchstaben{number:03}" for number in range(6))))
    play_until(table, is_over)
    parts = [".truth-head h1", ".truth-head .actions", ".truth-contents"]
    with Reader(chromium) as reader:
        reader.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        for language in LANGUAGES:
            client = Client(HTTP_ACCEPT_LANGUAGE=language)
            client.force_login(person(name))
            reader.read(client.get(f"{table.get_absolute_url()}truth/").content.decode())
            assert reader.page.locator(".truth-result").count() == (name == "Ada")
            assert reader.page.evaluate(LOWEST, parts) <= size[1], language


def test_the_steps_of_the_watched_game_stand_under_its_caption_and_the_ways_on_in_two_rows(
    chromium,
) -> None:
    with Reader(chromium) as reader:
        page = reader.page
        for width, height in [(390, 844), (1366, 768)]:
            page.set_viewport_size({"width": width, "height": height})
            reader.read(page_at("/watch/", "en"))
            words = page.locator(".film-caption > span").bounding_box()
            steps = page.locator("#film-next").bounding_box()
            assert 0 < steps["y"] - words["y"] - words["height"] < 24
            ways = page.locator(".watch .actions > :not([type=hidden])").all()
            play, *links = [way.bounding_box() for way in ways]
            assert len(links) == 2 and links[0]["y"] == links[1]["y"] > play["y"]
