"""The rulebook: its contents mark the chapter that is read."""

from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.nightly, pytest.mark.django_db]

READING = Path(settings.BASE_DIR) / "games/static/games/reading.js"
LAPTOPS = [(1280, 720), (1366, 768)]


def page(path: str, language: str) -> str:
    answer = Client().get(path, headers={"accept-language": language})
    assert answer.status_code == 200
    return answer.content.decode()


MARKED = """() => [...document.querySelectorAll("[aria-current=location]")]
    .map((link) => link.hash)"""
# A chapter's heading as high in the window as one reads.
GO_TO = """(anchor) => scrollTo(0,
    document.querySelector(anchor).getBoundingClientRect().top + scrollY - 200)"""


def marked_after(reader: Reader, script: str, *given: str) -> list[str]:
    reader.page.evaluate(script, *given)
    reader.page.evaluate("new Promise((it) => requestAnimationFrame(() => setTimeout(it, 50)))")
    return reader.page.evaluate(MARKED)


def test_the_contents_mark_the_chapter_that_is_read(chromium) -> None:
    with Reader(chromium) as reader:
        for width, height in [*LAPTOPS, (390, 844)]:
            reader.page.set_viewport_size({"width": width, "height": height})
            reader.read(page("/rules/en/", "en"))
            anchors = reader.page.evaluate(
                "[...document.querySelectorAll('.rulebook-contents ol a')].map((it) => it.hash)"
            )
            reader.page.add_script_tag(path=READING)
            for anchor in anchors[:8]:
                assert marked_after(reader, GO_TO, anchor) == [anchor]
            assert marked_after(reader, "scrollTo(0, 1e6)") == [anchors[-1]]
            # What a link leads to, however short it is and however near to the end.
            for anchor in (anchors[-3], anchors[-2], anchors[3]):
                led = f"location.hash = '{anchor}'"
                assert marked_after(reader, led) == [anchor]
            told = reader.page.locator("[data-reading]")
            assert told.text_content() == "4. The night"
            assert told.is_visible() == (width == 390)
