"""The lobby's first window shows the tables, and all ways to start playing."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Table, Terms
from games.services.tables import open_table
from tests.builders.person import Person
from tests.builders.tables import person
from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

LANGUAGES = ("en", "ru", "pl", "ja", "it")
# What stands in the first window: the bottom of each, and of the list its heading and first line.
BOTTOMS = """() => {
    // What the reader has not opened.
    document.querySelectorAll("details").forEach((it) => { it.open = false; });
    return Object.fromEntries([
    "#seek", "#quick", "#join-best", "#wish", ".lobby-ways a", ".lobby-options summary", "#waiting",
    ".panel-tables .table-row-link",
].map((part) => [part, Math.round(document.querySelector(part).getBoundingClientRect().bottom)]));
}"""
WIDE = "() => document.documentElement.scrollWidth > innerWidth"


@pytest.mark.parametrize("size", [(390, 844), (1366, 768)])
def test_the_lobby_s_first_window_shows_the_tables_and_all_ways_to_play(chromium, size) -> None:
    open_table(host=person("Sofia"), terms=Terms(edition="en", seats_wanted=7))
    wrong = {}
    with Reader(chromium) as reader:
        reader.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        for language in LANGUAGES:
            answer = Person(person("Zoe"), Table(), language).get("/")
            reader.read(answer.content.decode())
            below = {
                part: bottom
                for part, bottom in reader.page.evaluate(BOTTOMS).items()
                if bottom > size[1]
            }
            if below or reader.page.evaluate(WIDE):
                wrong[language] = below
    assert not wrong


def test_a_phone_s_first_window_links_to_the_lists_below_one_s_own_tables(chromium) -> None:
    zoe = person("Zoe")
    for number in range(3):
        open_table(host=zoe, terms=Terms(edition="en", seats_wanted=5 + number))
    open_table(host=person("Sofia"), terms=Terms(edition="en", seats_wanted=7))
    open_table(
        host=person("Boris"),
        terms=Terms(edition="en", seats_wanted=7),
        scheduled_at=timezone.now() + timedelta(days=2),
    )
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        reader.read(Person(zoe, Table(), "ru").get("/").content.decode())
        links = reader.page.locator(".list-link")
        counts = links.locator("b").all_inner_texts()
        hrefs = links.evaluate_all("(all) => all.map((it) => it.getAttribute('href'))")
        bottoms = links.evaluate_all("(all) => all.map((it) => it.getBoundingClientRect().bottom)")
        targets = [reader.page.locator(href).count() for href in hrefs]

    assert dict(zip(hrefs, counts, strict=True)) == {"#waiting": "4", "#upcoming": "1"}
    assert max(bottoms) < 300 and targets == [1, 1]
