"""Before the game: what those at the table wait for, and the way to invite others."""

import re

import pytest

from games.models import Table, Terms, Visibility
from games.services import tables
from tests.builders.person import Person
from tests.builders.tables import NAMES, fresh, person

pytestmark = pytest.mark.django_db


def open_with(names: tuple[str, ...], visibility: Visibility = Visibility.PRIVATE) -> Table:
    host, *others = (person(name) for name in names)
    terms = Terms(edition="en", seats_wanted=7, visibility=visibility)
    table = tables.open_table(host=host, terms=terms)
    for user in others:
        tables.join_table(table=table, user=user)
    return fresh(table)


def invitation(html: str) -> tuple[str, str]:
    """Return the element and the id of the invitation."""
    found = re.search(r'<(\w+) class="invite[^>]* id="([\w-]+)"', html)
    assert found is not None
    return found[1], found[2]


def test_those_who_wait_read_how_many_players_the_host_still_needs():
    for seated, words in [
        (2, "3 more players needed, then the host can start"),
        (4, "1 more player needed, then the host can start"),
        (5, "Waiting for the host to start"),
    ]:
        Table.objects.all().delete()
        table = open_with(NAMES[:seated])

        page = Person(person("Boris"), table).page()
        assert words in page
        assert ("needed, then the host" in page) == (seated < 5)
        # The host reads it below the button.
        page = Person(person("Ada"), table).page()
        assert "then the host can start" not in page
        assert ("You need at least 5 players to start." in page) == (seated < 5)


def test_the_host_of_a_private_table_has_the_link_unfolded_while_seats_are_free():
    for visibility, element in [("private", "div"), ("unlisted", "details"), ("public", "details")]:
        Table.objects.all().delete()
        table = open_with(NAMES[:2], Visibility(visibility))
        pages = {name: Person(person(name), table).page() for name in ("Ada", "Boris")}
        found = {name: invitation(page) for name, page in pages.items()}
        assert found == {"Ada": (element, "invitation"), "Boris": ("details", "invitation")}


def test_a_full_table_s_invitation_is_folded_even_where_it_was_open_before():
    table = open_with(NAMES[:7])
    for name in ("Ada", "Boris"):
        page = Person(person(name), table).page()
        # What a reader has opened stays open by its id (live.js).
        assert invitation(page) == ("details", "invitation-to-watch")
        assert 'id="invitation-qr-to-watch"' in page
        assert "Invite friends to watch" in page
    tables.leave_table(table=table, user=person("Giulia"))
    assert invitation(Person(person("Ada"), fresh(table)).page()) == ("div", "invitation")
