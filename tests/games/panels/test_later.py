"""A table's page opens with what is seen at first, and links bring the rest of it."""

import re

import pytest

from games.models import Table
from games.services import chat
from tests.builders.person import Person
from tests.builders.tables import play_until, run_table, user_at

LINK = re.compile(r'data-hx-get="([^"]*rest=[^"]*)"')
PARTS = {"log": r'id="(round-\d+)"', "history": r'id="(term-\d+)"', "talk": r'id="(said-[\w-]+)"'}


@pytest.fixture
def late(db) -> Table:
    """Return a table with some rounds, and more messages than a page opens with."""
    table = run_table()
    play_until(table, lambda state: state.round == 4)
    for number in range(12):
        chat.say(
            table=table,
            user=user_at(table, 1),
            place="table",
            text=f"Nr {number}",
            key=f"k{number}",
        )
    return table


def links(html: str, panel: str) -> list[str]:
    return [found.replace("&amp;", "&") for found in LINK.findall(html) if f"rest={panel}" in found]


def opened(person: Person) -> str:
    """Return the page as it opens."""
    return person.get(person.url).content.decode()


@pytest.mark.parametrize("panel", PARTS)
def test_following_the_links_brings_each_row_once_and_in_order(late, panel):
    person = Person(user_at(late, 0), late)
    whole = re.findall(PARTS[panel], person.page())
    html = opened(person)
    rows = re.findall(PARTS[panel], html)
    assert 0 < len(rows) < len(whole)
    while asked := links(html, panel):
        assert len(asked) == 1
        html = person.get(asked[0]).content.decode()
        rows += re.findall(PARTS[panel], html)

    assert rows == whole


def test_the_page_keeps_the_digests_of_whole_panels(late):
    person = Person(user_at(late, 0), late)
    digests = re.compile(r'data-panel="(\w+)" data-digest="(\w+)"')

    assert digests.findall(opened(person)) == digests.findall(person.page())
    # So the first comparison brings nothing.
    have = " ".join(":".join(pair) for pair in digests.findall(opened(person)))
    assert person.get(f"{person.url}panels/", HTTP_X_PANELS=have).status_code == 204


def test_the_rules_and_the_phrases_come_when_they_are_asked_for(late):
    person = Person(user_at(late, 0), late)
    html = opened(person)
    assert 'class="powers"' not in html and "<optgroup" not in html
    [rules] = links(html, "rules")
    [older, phrases] = links(html, "phrasebook")

    assert 'class="powers"' in person.get(rules).content.decode()
    form = person.get(phrases).content.decode()
    assert form.startswith('<form id="phrase-form"')
    assert "csrfmiddlewaretoken" in form
    asked = re.compile(r'<details id="(ask-[\w-]+)"')
    assert len(asked.findall(html)) == 1
    after = asked.findall(person.get(older).content.decode())
    assert asked.findall(html) + after == asked.findall(person.page())


def test_rows_that_have_left_the_panel_have_no_older_ones(late):
    person = Person(user_at(late, 0), late)
    answer = person.get(f"{person.url}panels/?rest=talk&after=said-table-0")

    assert (answer.status_code, answer.content) == (200, b"")


def test_the_rest_is_the_viewer_s_own(late):
    # The gallery's messages reach no living player, whatever they ask for.
    watching = Person(None, late)
    assert links(opened(watching), "phrasebook") == []
    assert watching.get(f"{watching.url}panels/?rest=phrasebook").content == b""
