"""axe finds no fault on half of the main pages, and in `make nightly` on any page, in any phase.

Each page is checked in one combination of language, theme and width, which change from page to
page; `make access` checks every page in every combination (AXE=all).
"""

import os
from importlib.resources import files
from itertools import product

import pytest
from django.conf import settings

from tests.pages import Reader, main_pages_once, pages, told

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

LANGUAGES = [code for code, _ in settings.LANGUAGES]
LOOKS = list(product(("light", "dark"), (1280, 390)))
NARROW = 640
IS_WHOLE = os.environ.get("AXE") == "all"
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """
async (rules) => {
  const { violations } = await axe.run(document, {
    runOnly: rules, resultTypes: ["violations"],
  });
  return violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}
"""


def blamed_on(chromium, shown) -> str:
    wrong: dict[str, list[str]] = {}
    looks = 0
    with Reader(chromium) as reader:
        page = reader.page
        for number, (name, html) in enumerate(shown):
            reader.read(html)
            page.evaluate(AXE)
            for theme, width in LOOKS if IS_WHOLE else [LOOKS[number % len(LOOKS)]]:
                looks += 1
                page.emulate_media(color_scheme=theme)
                page.set_viewport_size({"width": width, "height": 900})
                if width < NARROW:
                    # In a whole page the bar at the foot of a phone's window covers nothing.
                    height = page.evaluate("document.documentElement.scrollHeight")
                    page.set_viewport_size({"width": width, "height": max(900, height)})
                for blamed in page.evaluate(RUN, RULES):
                    wrong.setdefault(blamed, []).append(f"{name}, {theme}, {width}")
    assert looks >= 15
    return told(wrong)


def test_axe_finds_nothing_on_half_of_the_main_pages(chromium) -> None:
    assert blamed_on(chromium, main_pages_once(*LANGUAGES)[::2]) == ""


@pytest.mark.nightly
@pytest.mark.parametrize("languages", [*LANGUAGES] if IS_WHOLE else [" ".join(LANGUAGES)])
def test_axe_finds_nothing_on_any_page(chromium, languages) -> None:
    assert blamed_on(chromium, pages(*languages.split())) == ""


def test_it_would_find_something(chromium) -> None:
    with Reader(chromium) as reader:
        reader.read('<!doctype html><title>x</title><main><img src="/static/x.png"></main>')
        reader.page.evaluate(AXE)
        blamed = " ".join(reader.page.evaluate(RUN, RULES))
    assert "image-alt" in blamed and "html-has-lang" in blamed
