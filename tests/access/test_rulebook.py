"""The rulebook: its contents, and what stands in line."""

from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

READING = Path(settings.BASE_DIR) / "games/static/games/reading.js"
LAPTOPS = [(1280, 720), (1366, 768)]
LANGUAGES = ["en", "ru", "pl", "ja", "it"]


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


def test_on_a_phone_the_way_to_the_contents_covers_no_line_by_half(chromium) -> None:
    with Reader(chromium) as reader:
        for width, height in [(390, 844), (320, 640)]:
            reader.page.set_viewport_size({"width": width, "height": height})
            for language in ("en", "ru"):
                reader.read(page(f"/rules/{language}/", language))
                reader.page.evaluate("scrollTo(0, 3000)")
                bar = reader.page.locator(".to-contents").bounding_box()
                sheet = reader.page.locator(".rulebook-chapters").bounding_box()
                assert bar["x"] <= sheet["x"] + 1
                assert bar["x"] + bar["width"] >= sheet["x"] + sheet["width"] - 1
                assert round(bar["y"] + bar["height"]) == height
                assert bar["height"] < 60
                assert reader.page.evaluate("document.documentElement.scrollWidth") == width


def test_the_facts_of_an_edition_take_a_line_each(chromium) -> None:
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 1366, "height": 768})
        for language in ("en", "pl"):
            reader.read(page("/rules/", language))
            heights = reader.page.eval_on_selector_all(
                ".shelf .facts > div", "(all) => all.map((it) => it.offsetHeight)"
            )
            assert max(heights) < 40


def test_the_placard_begins_where_the_pictures_beside_it_do(chromium) -> None:
    with Reader(chromium) as reader:
        for width, height in LAPTOPS:
            reader.page.set_viewport_size({"width": width, "height": height})
            for language in LANGUAGES:
                reader.read(page("/rules/", language))
                tops = reader.page.eval_on_selector_all(
                    ".round-placard, .round-picture",
                    "(all) => all.map((it) => it.getBoundingClientRect().top)",
                )
                # It hangs a little askew.
                assert max(tops) - min(tops) <= 6
