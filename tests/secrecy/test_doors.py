"""What a request says about itself, and nobody should believe."""

import re

import pytest

from games.screens import forget_all
from tests.games.person import Person
from tests.games.stories import form_of, gather, run_table, standing


@pytest.mark.parametrize("length", ["true", "-1", "1e3", "٣", "9" * 5000, "47, 47", " "])
def test_a_length_that_is_no_number_is_refused_on_a_page_of_ours(db, length):
    table = run_table()
    ada = Person(table.host, table)
    before = standing(table)

    answer = ada.post(f"{ada.url}act/", form_of(table, "nominate:2"), CONTENT_LENGTH=length)

    assert answer.status_code == 400
    assert "<html" in answer.content.decode()
    assert standing(table) == before


def without_masks(page: str) -> str:
    return re.sub(r"\b[A-Za-z0-9]{64}\b", "token", page)


@pytest.mark.parametrize("prefix", ["/x", "//evil.example", "x", "/" * 99])
def test_nobody_moves_our_links_to_another_site(db, prefix):
    """Not their own, and not those that are rendered once and shown to all."""
    table = gather()
    forget_all()
    ada = Person(table.host, table)
    plain = without_masks(ada.page())
    forget_all()

    moved = ada.get(ada.url, SCRIPT_NAME=prefix).content.decode()

    assert f'action="{ada.url}start/"' in moved
    assert "evil.example" not in moved
    assert without_masks(ada.page()) == plain
