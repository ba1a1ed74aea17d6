"""What pages say at a table follows the document that it is played by."""

import html
import re

import pytest
from django.urls import reverse

from games.rules.powers import Power
from tests.builders.person import Person
from tests.builders.tables import fresh, is_over, play_until, run_table, user_at

pytestmark = pytest.mark.django_db


def words(page: str) -> str:
    """Return the words of a page."""
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page.split("<main")[1]).split()))


def test_no_page_of_a_game_without_investigations_speaks_of_them():
    table = run_table(edition="ru-5-6")
    ada = Person(user_at(table, 0), table)
    pages = [ada.page()]
    play_until(table, lambda state: state.phase is Power.EXECUTION)
    pages.append(ada.page())
    play_until(table, is_over)
    table = fresh(table)
    ada = Person(user_at(table, 0), table)
    pages += [
        ada.page(),
        ada.get(reverse("games:truth", args=[table.code])).content.decode(),
        ada.get(reverse("games:replay", args=[table.code])).content.decode(),
        ada.get(reverse("games:marks", args=["ru-5-6"])).content.decode(),
    ]

    assert [re.findall(r"[^.]*investigat[^.]*", words(page), re.I) for page in pages] == [[]] * 6
    marks = ada.get(reverse("games:marks", args=["en"])).content.decode()
    assert "Investigated by a President" in marks
