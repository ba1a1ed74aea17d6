"""The proof of a finished game: the page, and the program with which readers check a record."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from games.models import Seat, Table
from games.rules.record import read_record, verify
from games.services.sharing import allow_sharing
from tests.builders.person import Person
from tests.builders.tables import NAMES, fresh, is_over, person, play_until, run_table

pytestmark = pytest.mark.django_db
HOLDS = "We dealt and shuffled again from these numbers"
BROKEN = "These places in the record aren’t what the seal gives"


@pytest.fixture
def finished() -> Table:
    table = run_table()
    play_until(table, is_over)
    return fresh(table)


def proof_page(table: Table, name: str = "Ada"):
    return Person(person(name), table).get(f"{table.get_absolute_url()}proof/")


def record_of(table: Table) -> dict:
    answer = Person(person("Ada"), table).get(f"{table.get_absolute_url()}record/")
    return json.loads(answer.content)


def checked(record: dict, folder: Path) -> subprocess.CompletedProcess:
    file = folder / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    program = finders.find("games/check_record.py")
    return subprocess.run([sys.executable, program, file], capture_output=True, text=True)


def test_a_running_game_has_no_proof():
    table = run_table()

    assert {proof_page(table, name).status_code for name in ("Ada", "Sofia")} == {404}


def test_the_proof_of_a_private_game_is_open_to_those_who_may_see_its_replay(tmp_path):
    table = run_table(NAMES[:5], visibility="private")
    play_until(table, is_over)

    assert proof_page(table, "Ada").status_code == 200
    assert proof_page(table, "Sofia").status_code == 404
    for seat in table.seats.all():
        allow_sharing(table=table, user=seat.user, is_allowed=True)
    assert proof_page(table, "Sofia").status_code == 200
    # The browser's check needs the sealed parts of the record, not the whole.
    sofia = Person(person("Sofia"), table)
    told = json.loads(sofia.get(f"{table.get_absolute_url()}proof/?as=json").content)
    assert "actions" not in told
    assert checked(told, tmp_path).stdout == "OK\n"


def test_the_proof_shows_commitment_hashes_reveals_and_seed_in_order_of_time(finished):
    page = proof_page(finished).content.decode()

    seats = list(finished.seats.all())
    shown = [
        finished.commitment,
        *(seat.published_hash for seat in seats),
        *(seat.contribution for seat in seats),
        bytes(finished.seed).hex(),
    ]
    places = [page.index(number) for number in shown]
    assert places == sorted(places)
    assert HOLDS in page and BROKEN not in page


def test_a_changed_hash_is_named_by_the_page_and_by_the_program(finished, tmp_path):
    assert checked(record_of(finished), tmp_path).stdout == "OK\n"
    seat = finished.seats.all()[2]
    Seat.objects.filter(pk=seat.pk).update(contribution_hash="a" * 64)
    Table.objects.filter(pk=finished.pk).update(version=finished.version + 1)

    page = proof_page(finished).content.decode()

    assert BROKEN in page and "seal.hashes[2]" in page and HOLDS not in page
    told = checked(record_of(finished), tmp_path)
    assert told.returncode == 1
    assert told.stderr == f"mismatch: hash {'a' * 64}\n"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda record: record["deal"]["roles"].reverse(), "roles"),
        (lambda record: record["deal"]["draw_pile"].sort(), "deck"),
        (lambda record: record["deal"].update(first_candidate=4), "candidate"),
        (lambda record: record["seal"].update(seed="0" * 64), "commitment"),
        (lambda record: record.update(shuffles=[["liberal"] * 5 + ["fascist"] * 9]), "shuffle:1"),
    ],
)
def test_the_program_and_the_site_find_the_same_records_false(finished, tmp_path, change, named):
    record = record_of(finished)
    before = json.dumps(record)
    change(record)
    if json.dumps(record) == before:
        pytest.skip("the change changes nothing in this deal")

    told = checked(record, tmp_path)

    assert named in told.stderr.removeprefix("mismatch: ").strip().split(", ")
    assert verify(read_record(record))
