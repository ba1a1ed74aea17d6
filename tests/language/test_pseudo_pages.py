"""Pages in two pseudo-languages: nothing untranslated, nothing cut off.

In "en-xa" untranslated text is what has no accents, and every sentence is 40 % longer; "ar-xb"
runs from right to left. See config/i18n/pseudo.py. Some of the main pages stand for all pages,
which `make nightly` looks at.
"""

from itertools import islice
from pathlib import Path

import pytest
from django.conf import settings as site_settings

from config.i18n.pseudo import PSEUDO, pseudo_make, pseudo_sources
from games.models import Table
from games.rulebook.documents import AUTHORS, NAMES
from tests.pages import ROOM, Reader, main_pages, pages, told

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

# "ar-xb" is checked at one width only: text that has room when longer has room from right to
# left too, as far as one look could tell.
WIDTHS = {"en-xa": (1280, 320), "ar-xb": (390,)}
STRINGS = (Path(__file__).parent / "strings.js").read_text(encoding="utf-8")


@pytest.fixture
def pseudo_languages(settings, tmp_path) -> None:
    # The same languages as with settings.PSEUDO_LANGUAGES.
    pseudo_make(sources=pseudo_sources(Path(site_settings.LOCALE_PATHS[0])), into=tmp_path)
    settings.LANGUAGES = [*site_settings.LANGUAGES, ("en-xa", "Àççéñţš"), ("ar-xb", "Řîĝĥţ")]
    settings.LOCALE_PATHS = [tmp_path, *site_settings.LOCALE_PATHS]


def faults(chromium, language, shown) -> str:
    wrong: dict[str, list[str]] = {}
    looked = 0
    names = [*AUTHORS, *(name for document in NAMES.values() for name in document.values())]
    with Reader(chromium) as reader:
        page = reader.page
        for name, html in shown:
            looked += 1
            reader.read(html)
            same = [*Table.objects.values_list("code", flat=True), *names]
            for width in WIDTHS[language]:
                page.set_viewport_size({"width": width, "height": 900})
                found = page.evaluate(STRINGS, {"turned": PSEUDO[language], "codes": same})
                for what in [*found, *page.evaluate(ROOM)]:
                    wrong.setdefault(what, []).append(f"{name} at {width}")
    assert looked >= 6
    return told(wrong)


@pytest.mark.usefixtures("pseudo_languages")
def test_some_pages_are_translated_and_have_room(chromium) -> None:
    assert faults(chromium, "en-xa", islice(main_pages("en-xa"), 10)) == ""


@pytest.mark.usefixtures("pseudo_languages")
def test_some_pages_run_from_right_to_left(chromium) -> None:
    assert faults(chromium, "ar-xb", islice(main_pages("ar-xb"), 6)) == ""


@pytest.mark.nightly
@pytest.mark.parametrize("language", PSEUDO)
@pytest.mark.usefixtures("pseudo_languages")
def test_every_page_is_translated_and_has_room(chromium, language) -> None:
    assert faults(chromium, language, pages(language)) == ""
