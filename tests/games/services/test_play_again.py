"""Playing again: the same players meet at one new table."""

import pytest

from games.models import Chat, Joiners, Pace, Starts, Table, Terms, Visibility
from games.services import tables
from games.wording.refusals import Refusal
from tests.builders.refusals import refusal_of
from tests.builders.tables import (
    NAMES,
    everybody_is_ready,
    fresh,
    is_over,
    person,
    play_until,
    run_table,
)


def joined(table: Table, *names: str) -> None:
    for name in names:
        tables.join_table(table=table, user=person(name))


# Playing again ------------------------------------------------------------------------------------


@pytest.fixture
def over(db) -> Table:
    table = run_table(NAMES[:3], bots=2)
    play_until(table, is_over)
    return fresh(table)


def test_the_first_who_asks_opens_the_next_table_and_the_others_join_it(over):
    again = tables.play_again(table=over, user=person("Boris"))

    assert again.host == person("Boris")
    assert (again.edition, again.pace, again.seats_wanted) == (over.edition, over.pace, 5)
    assert again.seats.exclude(bot="").count() == 2
    assert again.seed != over.seed
    assert fresh(over).version == over.version + 1
    assert tables.play_again(table=over, user=person("Ada")) == again
    assert tables.play_again(table=over, user=person("Ada")) == again
    assert {seat.name for seat in again.seats.filter(bot="")} == {"Ada", "Boris"}


def test_a_player_among_bots_only_plays_again_at_once(db):
    over = run_table(["Ada"], bots=4, seed=b"\0" * 32)
    play_until(over, is_over)

    again = tables.play_again(table=over, user=person("Ada"))

    assert again.stage == Table.Stage.SEALING or again.game.started_at
    assert again.seats.exclude(bot="").count() == 4
    assert tables.play_again(table=over, user=person("Ada")) == again


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


def test_everyone_sits_one_seat_further_bots_too(over):
    before = {seat.number: seat.name for seat in over.seats.all()}

    for name in ("Chika", "Ada", "Boris"):
        again = tables.play_again(table=over, user=person(name))

    people = {seat.user.username: seat.number for seat in again.seats.exclude(user=None)}
    assert people == {name: (n + 1) % 5 for n, name in before.items() if name in people}
    bots = {number for number, name in before.items() if name not in people}
    assert {seat.number for seat in again.seats.filter(user=None)} == {(n + 1) % 5 for n in bots}


def test_the_next_table_has_the_same_terms(db):
    terms = {
        "house_rules": {"limited": "enactors"},
        "pace": Pace.RELAXED,
        "visibility": Visibility.PRIVATE,
        "languages": ("pl", "en"),
        "joiners": Joiners.OLD,
        "joiners_least": 0,
        "spectators": False,
        "chat": Chat.PHRASES,
        "is_rated": True,
        "least_seats": 5,
    }
    over = run_table(NAMES[:5], **terms)
    Table.objects.filter(pk=over.pk).update(password="hashed", seats_wanted=8, starts=Starts.FULL)
    play_until(over, is_over)

    again = tables.play_again(table=over, user=person("Ada"))

    assert Terms.of(again) == Terms(edition="en", seats_wanted=5, starts=Starts.FULL, **terms)
    assert again.password == "hashed"
    assert again.opening_key is None


def test_those_who_played_come_back_whoever_may_join_else(db):
    over = run_table(NAMES[:5])
    play_until(over, is_over)
    Table.objects.filter(pk=over.pk).update(joiners=Joiners.FRIENDS)

    again = tables.play_again(table=over, user=person("Ada"))
    tables.play_again(table=over, user=person("Boris"))

    assert again.seats.count() == 2
    assert refusal_of(tables.join_table, table=again, user=person("Zoe")) == Refusal.FRIENDS_ONLY


def test_a_next_table_that_waits_for_all_begins_with_the_last_of_them(db):
    over = run_table(NAMES[:5], starts=Starts.HOST)
    Table.objects.filter(pk=over.pk).update(starts=Starts.FULL)
    play_until(over, is_over)

    for name in NAMES[:5]:
        again = tables.play_again(table=over, user=person(name))
    everybody_is_ready(again)

    assert fresh(again).stage == Table.Stage.RUNNING
