"""The pages after a game use the width that they have."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils import translation

from accounts.models import User
from tests.builders.archive import archived_game
from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]


@pytest.fixture
def reader(chromium) -> Iterator[Reader]:
    with Reader(chromium) as reader:
        yield reader


def _archive(language: str, query: str = "") -> str:
    with translation.override(language):
        answer = Client(headers={"Accept-Language": language}).get(f"/archive/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_found_game_has_its_ending_on_one_line_and_two_buttons(reader):
    archived_game("Ada", "Boris", "Chika", "Dario", "Ewa")
    User.objects.update(shows_games="all")
    page = reader.page
    for language in ("en", "ru"):
        reader.read(_archive(language))
        page.set_viewport_size({"width": 1366, "height": 768})
        title = ".found-games > li > a"
        assert page.eval_on_selector(title, "(it) => it.getBoundingClientRect().width") > 700
        assert (
            page.eval_on_selector(title, "(it) => parseFloat(getComputedStyle(it).columnGap)") > 4
        )
        page.set_viewport_size({"width": 390, "height": 844})
        # The reader opens all folds.
        page.eval_on_selector(".found-more", "(it) => { it.open = false; }")
        height = page.eval_on_selector(
            ".found-games .actions", "(it) => it.getBoundingClientRect().height"
        )
        assert height < 60, language


@pytest.mark.parametrize("language", ["en", "ru", "pl", "ja", "it"])
def test_a_phone_shows_the_whole_value_of_each_filter(reader, language):
    reader.page.set_viewport_size({"width": 390, "height": 844})
    reader.read(_archive(language, "?winner=liberal&players=7&more=1"))
    cut = reader.page.evaluate("""() => [...document.querySelectorAll('.search .field > select')]
        .filter((it) => {
            const pen = document.createElement('canvas').getContext('2d');
            const style = getComputedStyle(it);
            pen.font = style.font;
            const room = it.clientWidth - parseFloat(style.paddingLeft)
                - parseFloat(style.paddingRight);
            return pen.measureText(it.selectedOptions[0].text).width > room;
        }).map((it) => it.selectedOptions[0].text)""")
    assert cut == []
