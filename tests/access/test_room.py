"""No text overflows, runs over an edge or lies on other text, however large it is.

`make test` looks at half of the main pages, each in half of the sizes; axe looks at the others
(test_axe).
"""

import pytest
from django.conf import settings

from tests.nightly import NIGHTLY
from tests.pages import ROOM, Reader, main_pages_once, pages, told

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

LANGUAGES = [code for code, _ in settings.LANGUAGES]
# The window's width and height, and the size of text that the browser's user has chosen.
SIZES = [
    *((1366, 768, 16), (1366, 768, 24), (1280, 720, 20)),
    *((390, 844, 16), (390, 844, 20), (320, 640, 16)),
]


def faults(chromium, shown) -> str:
    wrong: dict[str, list[str]] = {}
    looked = 0
    with Reader(chromium) as reader:
        tools = reader.page.context.new_cdp_session(reader.page)
        for name, html in shown:
            looked += 1
            reader.read(html)
            for width, height, text in SIZES if NIGHTLY else SIZES[looked % 2 :: 2]:
                reader.page.set_viewport_size({"width": width, "height": height})
                tools.send("Page.setFontSizes", {"fontSizes": {"standard": text}})
                for what in reader.page.evaluate(ROOM):
                    wrong.setdefault(what, []).append(f"{name} at {width}, {text} px")
    assert looked >= 15
    return told(wrong)


def test_half_of_the_main_pages_have_room_for_their_text(chromium) -> None:
    assert faults(chromium, main_pages_once(*LANGUAGES)[1::2]) == ""


@pytest.mark.nightly
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_has_room_for_its_text(chromium, language) -> None:
    assert faults(chromium, pages(language)) == ""


def test_text_without_room_would_be_found(chromium) -> None:
    words = '<p style="{}">Some words</p>'
    styles = ("width: 3ch; overflow: hidden", "margin-left: -3ch", "margin-top: -1.9em")
    with Reader(chromium) as reader:
        reader.read("<!doctype html><p>Above</p>" + "".join(map(words.format, styles)))
        blamed = " ".join(reader.page.evaluate(ROOM))
    for fault in ("does not fit", "over the edge", "one over the other"):
        assert fault in blamed
