"""The waiting list for seats, by services and by plain forms."""

import pytest

from games.models import Motion
from games.services import substitutes
from games.wording.refusals import Refusal
from tests.builders.motions import goes_away, moves, the_motion, waits
from tests.builders.person import Person
from tests.builders.refusals import refusal_of
from tests.builders.tables import NAMES, fresh, gather, person, run_table


def test_only_who_knows_nothing_more_may_wait_for_a_seat(table):
    join = substitutes.join_list
    assert refusal_of(join, table=table, user=person("Ada")) == Refusal.ALREADY_SEATED
    table.kicks.create(user=person("Nadia"))
    assert refusal_of(join, table=table, user=person("Nadia")) == Refusal.KICKED
    gathering = gather([f"{name}2" for name in NAMES[:5]])
    assert refusal_of(join, table=gathering, user=person("Sofia")) == Refusal.NOT_STARTED


def test_who_leaves_the_list_ends_the_motion_to_seat_them(table):
    goes_away(table, 3)
    waits(table, "Sofia", "Zoe")
    moves(table)

    substitutes.leave_list(table=table, user=person("Sofia"))

    assert the_motion(table).outcome == Motion.Outcome.LAPSED
    assert [waiting.name for waiting in table.substitutes.all()] == ["Zoe"]


def test_no_one_waits_under_a_name_that_is_taken(db):
    table = run_table(NAMES[:4], bots=1)
    bot = table.seats.exclude(bot="").get()

    refused = refusal_of(substitutes.join_list, table=table, user=person(bot.name.lower()))

    assert refused == Refusal.NAME_TAKEN


def test_waiting_and_voting_work_by_plain_forms(table):
    goes_away(table, 3)
    sofia, ada, boris, chika = (
        Person(person(name), table) for name in ("Sofia", "Ada", "Boris", "Chika")
    )
    assert sofia.press("waiting").status_code == 303
    assert "Waiting for a seat: <bdi>Sofia</bdi>" in ada.page()
    assert "Leave the waiting list" in sofia.page()

    assert ada.press("replace-3").status_code == 303
    assert "proposes giving <bdi>Dario</bdi>’s seat to <bdi>Sofia</bdi>" in sofia.page()
    assert 'id="motion-for"' not in sofia.page() + ada.page()
    # A motion does not take away the move that the player has to make.
    assert "nominate:2" in ada.choices()
    assert boris.press("motion-for").status_code == 303
    assert "In favour: <bdi>Ada</bdi> and <bdi>Boris</bdi>" in sofia.page()
    assert chika.press("motion-for").status_code == 303

    assert "data-you" in sofia.page()


@pytest.mark.parametrize(
    ("button", "data"),
    [
        ("motions", {}),
        ("motions", {"kind": "replace"}),
        ("motions", {"kind": "replace", "number": "-1"}),
        ("motions", {"kind": "replace", "number": "x", "name": "Dario"}),
        ("motions", {"kind": "burn"}),
        ("motions/vote", {}),
        ("motions/vote", {"ordinal": "0", "vote": "for"}),
        ("motions/vote", {"ordinal": "9" * 40, "vote": "for"}),
        ("motions/vote", {"ordinal": "1", "vote": "perhaps"}),
        ("waiting", {}),
        ("waiting", {"wish": "x" * 5000}),
    ],
)
def test_nonsense_is_refused_and_changes_nothing(table, button, data):
    ada = Person(person("Ada"), table)
    version = fresh(table).version

    assert ada.post(f"{ada.url}{button}/", data).status_code == 422
    assert ada.post(f"{ada.url}{button}/", data, htmx=True).status_code == 422

    assert fresh(table).version == version
