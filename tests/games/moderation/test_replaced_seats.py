"""A moderator gives a seat to a substitute or a bot."""

from django.utils import timezone

from games import panels
from games.models import Attendance, Motion, Table
from games.services import hosting, motions, records, tables
from games.services.account_deletion import depart_from_tables
from games.wording.refusals import Refusal
from tests.builders.moderation import HOUR, SECOND, freeze, replace, thaw
from tests.builders.motions import goes_away, waits
from tests.builders.person import Person
from tests.builders.refusals import refusal_of
from tests.builders.tables import fresh, gather, is_over, person, play_until, run_table


def test_the_first_who_waits_takes_over_a_seat_without_a_vote(table, mira):
    waits(table, "Sofia", "Zoe")
    goes_away(table, 3)

    replace(table, mira, heir="waiting")

    seat = table.seats.get(number=3)
    assert (seat.user, seat.name, seat.is_away) == (person("Sofia"), "Sofia", False)
    assert Attendance.objects.get().user == person("Dario")
    page = Person(person("Ada"), table).page()
    assert "to <bdi" in page and "Sofia" in page
    play_until(table, is_over)
    notes = records.server_notes_of(fresh(table))
    assert notes["replacements"] == [{"seat": 3, "after": 0, "from": "Dario", "to": "Sofia"}]


def test_a_replaced_seat_ends_a_motion_in_which_it_had_a_part(table, mira):
    goes_away(table, 3, 4)
    motions.move_stop(table=table, user=person("Ada"))
    replace(table, mira, 0, "Ada")
    assert table.motions.get().outcome == Motion.Outcome.LAPSED


def test_a_seat_is_replaced_while_the_table_is_frozen_and_its_clock_still_stands(table, mira):
    now = timezone.now()
    freeze(table, mira, now)
    replace(table, mira, 0, "Ada")
    assert fresh(table).game.wakes_at is None
    thaw(table, mira, now + HOUR)
    game = fresh(table).game
    assert now + HOUR < game.wakes_at < now + HOUR + 10 * SECOND


def test_who_was_seen_there_is_who_is_replaced(table, mira):
    assert refusal_of(replace, table, mira, 3, "Ewa") == Refusal.STALE
    assert refusal_of(replace, table, mira, heir="waiting") == Refusal.NOBODY_WAITS
    bot = replace(table, mira).newcomer_name
    assert refusal_of(replace, table, mira, 3, bot) == Refusal.IS_A_BOT


def test_a_blind_table_keeps_its_names(mira, db):
    table = run_table(is_blind=True)
    name = table.seats.get(number=3).name
    replace(table, mira, 3, name)
    assert table.seats.get(number=3).name == name
    page = Person(table.host, table).page()
    assert f'A moderator gives <bdi class="name">{name}</bdi>’s seat to a bot' in page


def test_before_the_game_a_bot_sits_down_and_the_person_does_not_come_back(mira, db):
    table = gather()
    replace(table, mira, 0, "Ada")
    assert table.seats.get(number=0).is_bot
    assert fresh(table).host == person("Boris")
    hosting.kick(table=table, user=person("Boris"), number=4, name="Ewa")
    assert refusal_of(tables.join_table, table=table, user=person("Ada")) == Refusal.KICKED


def test_whoever_leaves_the_site_leaves_no_name_in_a_ruling(table, mira):
    replace(table, mira)
    depart_from_tables(person("Dario"))
    panels.forget_all()
    assert "Dario" not in Person(person("Ada"), table).page()


def office_of(table: Table, mira) -> Person:
    viewer = Person(mira, table)
    viewer.table = type("", (), {"get_absolute_url": lambda self: f"/tables/{table.code}/order/"})()
    return viewer
