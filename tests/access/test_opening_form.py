"""The form for a new table on a laptop: what stands in line, and what stays in sight."""

import pytest
from django.test import Client

from tests.builders.tables import person
from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

LANGUAGES = ["en", "ru", "pl", "ja", "it"]


def form(language: str) -> str:
    client = Client()
    client.force_login(person("Ada"))
    return client.get("/tables/new/", headers={"accept-language": language}).content.decode()


FIRST_ROW = """() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const [rules, players] = [box("label[for=id_edition]"), box(".seats-of > legend")];
    const boxes = ["#id_edition", "#id_least_seats", "#id_seats_wanted"].map(box);
    return { label: rules.bottom - players.bottom, gap: boxes[0].top - rules.bottom,
        boxes: boxes.map(({ top }) => top - boxes[0].top) };
}"""


def test_the_first_row_of_a_new_table_stands_in_line(chromium) -> None:
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 1366, "height": 768})
        for language in LANGUAGES:
            reader.read(form(language))
            row = reader.page.evaluate(FIRST_ROW)
            assert abs(row["label"]) <= 3
            assert 0 <= row["gap"] <= 10
            assert row["boxes"] == [0, 0, 0]


FOLD = """() => {
    document.querySelectorAll("details").forEach((it) => { it.open = false; });
    const bar = document.querySelector(".open-bar").getBoundingClientRect();
    return bar.top - document.querySelector(".fold > summary").getBoundingClientRect().bottom;
}"""


def test_a_laptop_shows_the_first_fold_of_a_new_table_above_its_button(chromium) -> None:
    with Reader(chromium) as reader:
        for language in LANGUAGES:
            for width, height in [(1280, 720), (1366, 768)]:
                reader.page.set_viewport_size({"width": width, "height": height})
                reader.read(form(language))
                # In the lowest window, long words leave room for less: there it fades.
                if height > 720 or language in ("en", "ja", "it"):
                    assert reader.page.evaluate(FOLD) >= 0
