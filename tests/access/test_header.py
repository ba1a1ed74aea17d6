"""A phone's header: one row wherever the language is not in it."""

import pytest
from django.test import Client

from tests.builders.person import Person
from tests.builders.tables import gather, person, user_at
from tests.pages import Reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

LANGUAGES = ("en", "ru", "pl", "ja", "it")
ROWS = """() => new Set([...document.querySelectorAll(".masthead > :not(.language), .masthead a")]
    .filter((part) => part.getClientRects().length)
    .map((part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return Math.round((top + bottom) / 40);
    })).size"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_s_header_is_one_row_for_users_and_for_guests_at_a_table(
    chromium, language
) -> None:
    table = gather()
    guest = user_at(table, 1)
    guest.is_trial = True
    guest.save(update_fields=["is_trial"])
    user = Client(HTTP_ACCEPT_LANGUAGE=language)
    user.force_login(person("Ada"))
    pages = {
        "lobby": user.get("/").content.decode(),
        "rules": user.get("/rules/").content.decode(),
        "guest": Person(guest, table, language).page(),
    }
    with Reader(chromium) as reader:
        reader.page.set_viewport_size({"width": 390, "height": 844})
        rows = {}
        for name, html in pages.items():
            reader.read(html)
            rows[name] = reader.page.evaluate(ROWS)
            wide = reader.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= 390, name
    assert rows == dict.fromkeys(pages, 1)
