"""The seal at a real table, and the record that proves it was kept: RECORD.md."""

import json
import re
from hashlib import sha256

import pytest

from games.models import Table
from games.rules import record
from games.services import play, tables
from tests.builders.person import Person
from tests.builders.tables import (
    NAMES,
    contribution,
    fresh,
    gather,
    is_over,
    person,
    play_until,
    position,
    run_table,
)
from tests.games.rules import naive_seal


def contributions(table: Table) -> list[str]:
    return [seat.contribution for seat in table.seats.all()]


def record_page(viewer: Person):
    return viewer.get(f"{viewer.url}record/")


def test_the_commitment_is_published_before_anyone_else_sits(db):
    table = gather(seed=b"\x07" * 32)

    page = Person(None, table).page()

    assert sha256(b"\x07" * 32).hexdigest() in page


def test_every_table_has_a_seed_of_its_own():
    seeds = {bytes(Table().seed) for _ in range(10)}

    assert len(seeds) == 10
    assert {len(seed) for seed in seeds} == {32}


@pytest.mark.parametrize("players", range(5, 11))
def test_the_deal_follows_the_seal(db, players):
    table = run_table(NAMES[:players], seed=b"\x2a" * 32)

    key = naive_seal.key(b"\x2a" * 32, [contribution(number) for number in range(players)])
    state = position(table).state
    assert naive_seal.deal(key, players) == {
        "roles": [str(role) for role in state.setup.roles],
        "draw_pile": [str(policy) for policy in state.draw],
        "first_candidate": state.candidate,
    }


def test_the_deal_counts_the_seats_after_the_gaps_have_closed(db):
    table = gather(NAMES[:7], seed=b"\x2a" * 32)
    for name in ("Boris", "Dario"):
        tables.leave_table(table=table, user=person(name))
    tables.start_game(table=table, user=person("Ada"))

    kept = contributions(table)
    key = naive_seal.key(b"\x2a" * 32, kept)
    assert kept == [contribution(number) for number in (0, 2, 4, 5, 6)]
    assert naive_seal.deal(key, 5)["roles"] == [str(r) for r in position(table).state.setup.roles]


def test_the_seed_is_on_no_page_before_the_end(table, seated, spectator, stranger):
    play_until(table, lambda state: len(state.alive) < 5)

    seed = bytes(table.seed).hex()
    for viewer in (*seated, spectator, stranger):
        for path in (viewer.url, f"{viewer.url}panels/"):
            answer = viewer.get(path)
            assert seed not in answer.content.decode()
            assert seed not in str(answer.headers)


def test_there_is_no_record_before_the_end(table, seated, spectator, stranger):
    gathering = gather([f"{name}2" for name in NAMES[:5]])
    for viewer in (*seated, spectator, stranger, Person(gathering.host, gathering)):
        assert record_page(viewer).status_code == 404


def test_the_record_of_a_finished_table_replays_and_keeps_its_seal(table, stranger):
    play_until(table, is_over)

    answer = record_page(stranger)
    read = record.read_record(json.loads(answer.content))
    *_, last = record.replay(read)

    assert answer.headers["Content-Type"] == "application/json"
    assert "attachment" in answer.headers["Content-Disposition"]
    assert record.verify(read) == []
    assert read.seats == NAMES[:5]
    assert read.seal.commitment == table.commitment
    assert read.outcome == last.state.outcome == position(table).state.outcome
    assert {entry.by for entry in read.entries} == {"player"}
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", entry.at) for entry in read.entries)


def test_the_record_names_bots_and_the_clock_and_lists_every_shuffle(db):
    table = run_table(NAMES[:2], bots=4, edition="ja", seed=b"\x2b" * 32)
    while (game := fresh(table).game).wakes_at is not None:
        play.settle(table.pk, now=game.wakes_at)

    read = record.read_record(json.loads(record_page(Person(None, table)).content))

    assert record.verify(read) == []
    assert {entry.by for entry in read.entries} == {"bot", "clock"}
    assert len(read.shuffles) == position(table).state.shuffles


def test_a_record_that_was_tampered_with_is_found_out(table, stranger):
    play_until(table, is_over)
    data = json.loads(record_page(stranger).content)

    data["deal"]["draw_pile"].reverse()

    assert record.verify(record.read_record(data)) == ["deal.draw_pile"]


def test_the_record_of_a_private_table_is_for_its_people(db):
    table = run_table(is_private=True)
    play_until(table, is_over)

    assert record_page(Person(person("Boris"), table)).status_code == 200
    assert record_page(Person(person("Sofia"), table)).status_code == 404
    assert record_page(Person(None, table)).status_code == 404
