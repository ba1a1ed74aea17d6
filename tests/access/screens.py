"""Take pictures of every page and phase, for people to review. `make screens` runs it.

    SCREENS=folder LANGUAGES="en ja" LOOKS="light-1280 dark-390" make screens

Writes a folder for each look, with a picture for each page and language; and index.html, which
shows a page's languages side by side.
"""

import os
import re
from itertools import product
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.html import format_html, format_html_join

from tests.pages import Reader, pages

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

FOLDER = Path(os.environ.get("SCREENS", "screens"))
LANGUAGES = os.environ.get("LANGUAGES", "").split() or [code for code, _ in settings.LANGUAGES]
LOOKS = os.environ.get("LOOKS", "").split() or [
    f"{theme}-{width}" for theme, width in product(("light", "dark"), (1280, 390))
]
# Maximum height of a picture, in pixels: the rules in Japanese are long.
HIGHEST = 6000


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_has_its_picture_taken(chromium, language) -> None:
    with Reader(chromium) as reader:
        page = reader.page
        for number, (name, html) in enumerate(pages(language)):
            reader.read(html)
            for look in LOOKS:
                theme, width = look.split("-")
                page.emulate_media(color_scheme=theme)
                page.set_viewport_size({"width": int(width), "height": 900})
                high = min(HIGHEST, page.evaluate("document.documentElement.scrollHeight"))
                page.set_viewport_size({"width": int(width), "height": max(900, high)})
                path = FOLDER / look / f"{number:03} {_slug(name)} {language}.png"
                path.parent.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=path)


def test_languages_stand_side_by_side() -> None:
    rows = []
    for look in LOOKS:
        found: dict[str, list[Path]] = {}
        for path in sorted((FOLDER / look).glob("*.png")):
            found.setdefault(path.stem.rpartition(" ")[0], []).append(path.relative_to(FOLDER))
        rows += [
            format_html(
                "<h2>{} {}</h2><p>{}</p>",
                look,
                name,
                format_html_join(
                    "\n", '<img loading="lazy" width="380" src="{}">', ((path,) for path in paths)
                ),
            )
            for name, paths in found.items()
        ]
    (FOLDER / "index.html").write_text(
        '<!doctype html><meta charset="utf-8"><title>Screens</title>' + "\n".join(rows)
    )


def _slug(name: str) -> str:
    return re.sub(r"[^\w]+", "-", name).strip("-")
