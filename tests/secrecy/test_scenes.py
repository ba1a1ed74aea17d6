"""Hidden facts are shown where they should be, and certain words never where they should not.

`test_pairs` shows that nothing else is revealed; this shows that the pages compared there have
content.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.models import Table
from games.rules.phases import Phase
from tests.builders.person import Person
from tests.builders.tables import (
    NAMES,
    in_phase,
    is_over,
    person,
    play_until,
    run_table,
)

TEMPLATES = Path(__file__).parents[2] / "templates"


def viewers(table: Table) -> Iterator[tuple[int | None, Person]]:
    for seat in table.seats.all():
        yield seat.number, Person(seat.user, table)
    yield None, Person(person("Sofia"), table)
    yield None, Person(None, table)


def test_what_a_player_may_know_is_there(db):
    table = run_table()
    state = play_until(table, in_phase(Phase.PRESIDENT_DISCARDS))
    pages = {seat: viewer.page() for seat, viewer in viewers(table)}
    assert pages[state.president].count('value="discard:') == 3
    assert all('value="discard:' not in pages[seat] for seat in pages if seat != state.president)


def panel(page: str, name: str) -> str:
    return page.split(f'id="panel-{name}"')[1].split("</section>")[0]


ROLE_WORDS = re.compile(r"\b(liberal|fascist|hitler)\b", re.IGNORECASE)


@pytest.mark.parametrize(("players", "round_number"), [(5, 1), (7, 1), (6, 2)])
def test_no_role_stands_by_a_seat_before_the_end(db, players, round_number):
    table = run_table(NAMES[:players])
    play_until(table, lambda state: state.round == round_number)

    for _, viewer in viewers(table):
        assert not ROLE_WORDS.search(panel(viewer.page(), "seats"))


def test_a_liberal_s_own_panel_names_one_role_only(db):
    table = run_table(NAMES[:7])

    you = panel(Person(person("Ada"), table).page(), "you")

    attributes = re.findall(r'(?:class|data-[\w-]+|href|id)="([^"]*)"', you)
    assert "liberal" in " ".join(attributes)
    assert "hitler" not in " ".join(attributes)


def test_the_night_shows_each_side_what_the_rules_say(db):
    table = run_table(NAMES[:7])
    shown = {
        seat: {other for other in NAMES[:7] if other in panel(viewer.page(), "you")}
        for seat, viewer in viewers(table)
        if seat is not None
    }

    # Liberals 0 to 3, fascists 4 and 5, and Hitler, 6, who knows no other role.
    assert {shown[seat] <= {NAMES[seat]} for seat in (0, 1, 2, 3, 6)} == {True}
    for fascist, other in ((4, "Fumio"), (5, "Ewa")):
        assert shown[fascist] - {NAMES[fascist]} == {other, "Giulia"}


def test_at_the_end_everything_is_shown(db):
    table = run_table()
    play_until(table, is_over)

    page = Person(None, table).page()

    assert [page.count(f'role-{role}"') for role in ("liberal", "fascist", "hitler")] == [3, 1, 1]


def test_no_template_names_the_seed_or_the_actions():
    for template in TEMPLATES.rglob("*.html"):
        code = " ".join(re.findall(r"{[{%].*?[%}]}", template.read_text(encoding="utf-8")))
        assert not re.search(r"\.(seed|invitation|actions|game|next_table\.seed)\b", code), template
