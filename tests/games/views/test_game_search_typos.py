"""Known words are offered for mistyped ones in the search for finished games."""

import pytest
from django.test import Client

from tests.builders.tables import person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("language", "typed", "offered", "mended"),
    [
        ("en", "novmber", "November", "November"),
        ("en", "7 players, 12 octobr 2026", "October", "7 players, 12 October 2026"),
        ("en", "hitler electd", "Hitler elected", "Hitler elected"),
        ("ru", "нооябрь", "ноябрь", "ноябрь"),
    ],
)
def test_mistyped_words_of_the_search_are_offered_as_they_are_spelt(
    language, typed, offered, mended
):
    client = Client(headers={"Accept-Language": language})
    page = client.get("/archive/", {"q": typed}, follow=True)
    meant = dict(page.context["meant"])
    assert offered in meant
    answer = client.get(meant[offered], follow=True)
    assert answer.context["unknown"] == () and answer.context["meant"] == []
    assert answer.context["was"] == mended
    assert f">{offered}</a>" in page.content.decode()


def test_nothing_is_offered_for_words_that_are_like_none_and_no_name_ever_is():
    person("Anastazja")
    for typed in ("zed", "qwertyuiop", "Anastazia", "November", "x" * 200):
        page = Client().get("/archive/", {"q": typed}, follow=True)
        assert page.context["meant"] == [], typed
