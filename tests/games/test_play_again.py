"""Playing again: the same people meet at one new table."""

import pytest

from games.models import Table
from games.refusals import Refusal, Refused
from games.services import play, tables
from tests.games.stories import (
    NAMES,
    contribution,
    fresh,
    person,
    run_table,
)


def joined(table: Table, *names: str) -> None:
    for name in names:
        tables.join_table(table=table, user=person(name))


def refusal_of(service, **arguments: object) -> Refusal:
    with pytest.raises(Refused) as refused:
        service(**arguments)
    return refused.value.refusal


# Playing again ------------------------------------------------------------------------------------


@pytest.fixture
def over(db) -> Table:
    table = run_table(NAMES[:3], bots=2)
    play_everybody(table)
    return fresh(table)


def play_everybody(table: Table) -> None:
    """Plays a table with bots to its end by the clock."""
    while (game := fresh(table).game).wakes_at is not None:
        play.settle(table.pk, now=game.wakes_at)


def test_the_first_who_asks_opens_the_next_table_and_the_others_join_it(over):
    again = tables.play_again(table=over, user=person("Boris"), contribution=contribution(9))

    assert again.host == person("Boris")
    assert (again.edition, again.pace, again.seats_wanted) == (over.edition, over.pace, 5)
    assert again.seats.exclude(bot="").count() == 2
    assert again.seed != over.seed
    assert fresh(over).version == over.version + 1
    assert tables.play_again(table=over, user=person("Ada")) == again
    assert tables.play_again(table=over, user=person("Ada")) == again
    assert {seat.name for seat in again.seats.filter(bot="")} == {"Ada", "Boris"}


def test_whoever_comes_after_the_next_game_began_is_told(over):
    again = tables.play_again(table=over, user=person("Boris"))
    tables.play_again(table=over, user=person("Ada"))
    joined(again, "Zoe")
    tables.start_game(table=again, user=person("Boris"))

    late = refusal_of(tables.play_again, table=over, user=person("Chika"))
    assert late == Refusal.NOT_OPEN
    assert tables.play_again(table=over, user=person("Ada")) == again


def test_a_closed_next_table_is_replaced(over):
    first = tables.play_again(table=over, user=person("Boris"))
    tables.close_table(table=first, user=person("Boris"))

    second = tables.play_again(table=over, user=person("Ada"))

    assert second != first
    assert fresh(over).next_table == second


def test_only_those_who_played_play_again_and_only_after_the_end(table, over):
    assert refusal_of(tables.play_again, table=over, user=person("Zoe")) == Refusal.NOT_SEATED
    assert refusal_of(tables.play_again, table=table, user=table.host) == Refusal.NOT_OVER
