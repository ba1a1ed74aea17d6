"""Scheduled tables: seats ahead of time, the ready check at the date, and what follows from it."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from accounts.models import Notification, User
from accounts.services.trials import create_trial
from games import tasks
from games.models import (
    GameRequest,
    Joiners,
    Kick,
    Presence,
    Pulse,
    Starts,
    Table,
    Terms,
    Visibility,
)
from games.selectors.open_tables import read_open_tables
from games.services import (
    appointments,
    game_requests,
    hosting,
    outages,
    presence,
    ready,
    seating,
    tables,
    timed_questions,
)
from games.services.account_deletion import depart_from_tables
from games.services.table_moderation import freeze_table, thaw_table
from games.wording.refusals import Refusal
from tests.builders.moderation import moderator
from tests.builders.refusals import refusal_of
from tests.builders.tables import NAMES, fresh, person

pytestmark = pytest.mark.django_db

HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)
FIVE = NAMES[:5]


def scheduled(*names: str, ahead: timedelta = 48 * HOUR, **terms: object) -> Table:
    """Return a table that Ada has opened for a date, with these players beside her."""
    how = {"edition": "en", "seats_wanted": 7} | terms
    table = tables.open_table(
        host=person("Ada"), terms=Terms(**how), scheduled_at=timezone.now() + ahead
    )
    for name in names:
        tables.join_table(table=table, user=person(name))
    return fresh(table)


def meets(table: Table, late: timedelta = SECOND) -> datetime:
    """Let the date of the table come, and return the time then."""
    now = fresh(table).scheduled_at + late
    appointments.settle_due(now)
    return now


def answer(table: Table, *names: str) -> None:
    for name in names:
        ready.confirm_ready(table=table, user=person(name))


def run_out(table: Table) -> datetime:
    now = fresh(table).asked_until + SECOND
    timed_questions.settle(table.pk, now=now)
    return now


def names_at(table: Table) -> list[str]:
    return [seat.name for seat in table.seats.all()]


def kinds_told(name: str) -> list[tuple[str, str]]:
    told = Notification.objects.filter(user=person(name)).order_by("pk")
    return [(each.kind, each.data.get("what", "")) for each in told]


# Before the date ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ahead", "refusal"),
    [
        (9 * MINUTE, Refusal.DATE_SOON),
        (-HOUR, Refusal.DATE_SOON),
        (timedelta(days=60, minutes=5), Refusal.DATE_LATE),
    ],
)
def test_a_date_is_neither_too_soon_nor_too_late(ahead, refusal):
    assert refusal_of(lambda: scheduled(ahead=ahead)) == refusal
    assert not Table.objects.exists()


def test_players_take_seats_ahead_of_time_and_leave_again():
    table = scheduled("Boris", "Chika")

    tables.leave_table(table=table, user=person("Boris"))

    assert names_at(table) == ["Ada", "Chika"]
    assert fresh(table).is_ahead


def test_no_sweep_takes_a_seat_or_the_table_before_its_date():
    table = scheduled(*FIVE[1:], ahead=30 * 24 * HOUR)
    Table.objects.filter(pk=table.pk).update(created_at=timezone.now() - 20 * 24 * HOUR)

    presence.mark_seats(now=timezone.now())
    tasks.close_forgotten_tables()
    tasks.end_abandoned_games()
    tasks.settle_scheduled_tables()
    seating.settle()

    assert fresh(table).is_ahead
    assert names_at(table) == list(FIVE)


def test_a_full_table_does_not_begin_before_its_date():
    table = scheduled(*FIVE[1:], seats_wanted=5, starts=Starts.FULL)

    assert fresh(table).asked_until is None
    assert refusal_of(lambda: tables.start_game(table=table, user=person("Ada"))) == (
        Refusal.DATE_AHEAD
    )
    assert refusal_of(lambda: ready.call_ready(table=table, user=person("Ada"))) == (
        Refusal.DATE_AHEAD
    )


def test_users_who_want_to_play_now_are_not_led_to_a_later_date():
    table = scheduled()

    assert table.pk not in {each.pk for each in read_open_tables().gathering}


def test_a_seat_for_a_date_ends_no_search_for_a_game_now():
    table = scheduled()
    game_requests.request_game(user=person("Boris"), search=game_requests.Search())

    tables.join_table(table=table, user=person("Boris"))

    assert GameRequest.objects.get(user=person("Boris")).found_at is None


def test_the_rules_on_who_may_sit_are_those_of_all_tables():
    table = scheduled("Boris", joiners=Joiners.OLD, joiners_least=0)
    hosting.kick(table=table, user=person("Ada"), number=1, name="Boris")
    assert Kick.objects.filter(table=table).exists()
    assert refusal_of(lambda: tables.join_table(table=table, user=person("Boris"))) == (
        Refusal.KICKED
    )
    Table.objects.filter(pk=table.pk).update(joiners=Joiners.FRIENDS)
    assert refusal_of(lambda: tables.join_table(table=table, user=person("Chika"))) == (
        Refusal.FRIENDS_ONLY
    )


def test_guests_and_programs_take_no_seat_ahead_of_time():
    table = scheduled(visibility=Visibility.UNLISTED, takes_guests=True)
    guest = create_trial(name="Gosia")
    program = User.objects.create_user("Robbie [bot]")

    assert refusal_of(lambda: tables.join_table(table=table, user=guest)) == Refusal.NO_GUESTS
    assert refusal_of(lambda: tables.join_table(table=table, user=program)) == Refusal.BOTS_AHEAD


def test_a_host_schedules_only_so_many_tables(settings):
    settings.SCHEDULED_TABLES, settings.HOSTED_TABLES = 2, 1
    scheduled()
    scheduled()

    assert refusal_of(scheduled) == Refusal.DATES_ENOUGH
    # Tables that gather now are counted apart.
    tables.open_table(host=person("Ada"), terms=Terms(edition="en", seats_wanted=7))


def test_the_same_form_opens_one_table_for_a_date_and_another_for_another_date():
    terms, at = Terms(edition="en", seats_wanted=7), timezone.now() + HOUR
    opened = [
        tables.open_table(host=person("Ada"), terms=terms, key="k", scheduled_at=date)
        for date in (at, at, at + HOUR, None)
    ]

    assert opened[0] == opened[1]
    assert len(set(opened)) == 3


# Moving and cancelling ----------------------------------------------------------------------------


def test_everyone_else_is_told_of_a_new_date_once():
    table = scheduled("Boris")
    at = table.scheduled_at + HOUR

    for _ in range(2):
        appointments.move_date(table=table, user=person("Ada"), scheduled_at=at)

    assert fresh(table).scheduled_at == at
    assert kinds_told("Boris") == [("moved", "moved")]
    assert kinds_told("Ada") == []


def test_only_the_host_moves_a_date_and_only_before_it_has_come():
    table = scheduled("Boris")
    at = table.scheduled_at + HOUR

    def move(name: str, to: datetime = at) -> Refusal | None:
        return refusal_of(
            lambda: appointments.move_date(table=table, user=person(name), scheduled_at=to)
        )

    assert move("Boris") == Refusal.NOT_HOST
    assert move("Ada", timezone.now()) == Refusal.DATE_SOON
    meets(table)
    assert move("Ada") == Refusal.DATE_PASSED


def test_everyone_else_is_told_that_the_host_cancels():
    table = scheduled("Boris")

    tables.close_table(table=table, user=person("Ada"))

    assert kinds_told("Boris") == [("cancelled", "cancelled")]
    assert kinds_told("Ada") == []


def test_a_host_whose_account_goes_hands_the_table_over():
    table = scheduled("Boris")

    depart_from_tables(person("Ada"))

    assert fresh(table).host == person("Boris")
    assert names_at(table) == ["Boris"]


# When the date comes ------------------------------------------------------------------------------


def test_from_the_opening_to_the_cards():
    table = scheduled(*FIVE[1:])

    meets(table)
    assert fresh(table).is_meeting
    assert ("reminded", "now") in kinds_told("Boris")
    answer(table, *FIVE)

    assert fresh(table).stage in (Table.Stage.SEALING, Table.Stage.RUNNING)


def test_the_bell_falls_silent_once_the_player_is_there():
    table = scheduled(*FIVE[1:])
    meets(table)

    answer(table, "Boris")

    assert kinds_told("Boris") == []
    assert kinds_told("Chika") == [("reminded", "now")]


def test_the_date_comes_once():
    table = scheduled(*FIVE[1:])
    now = meets(table)
    until = fresh(table).asked_until

    assert not appointments.settle(table.pk, now + SECOND)

    assert fresh(table).asked_until == until
    assert kinds_told("Boris") == [("reminded", "now")]


def is_at(table: Table, *names: str, when: datetime) -> None:
    for name in names:
        Presence.objects.create(process="web", user=person(name), table=table, seen_at=when)


@pytest.mark.parametrize("visibility", [Visibility.PUBLIC, Visibility.PRIVATE])
def test_players_who_are_at_the_table_need_not_answer(visibility):
    table = scheduled(*FIVE[1:], "Fumio", visibility=visibility)
    is_at(table, "Ada", "Boris", when=table.scheduled_at)

    now = meets(table)
    # These are told where they are.
    assert kinds_told("Ada") == []
    assert kinds_told("Chika") == [("reminded", "now")]
    is_at(table, "Chika", "Dario", when=now + MINUTE)
    appointments.settle_due(now + MINUTE)
    assert kinds_told("Chika") == []
    answer(table, "Ewa")
    run_out(table)

    assert fresh(table).stage in (Table.Stage.SEALING, Table.Stage.RUNNING)
    assert set(names_at(table)) == set(FIVE)
    assert kinds_told("Fumio") == [("missed", "missed")]


def test_who_comes_in_the_last_second_keeps_the_seat():
    table = scheduled(*FIVE[1:])
    meets(table)
    answer(table, *FIVE[:4])
    is_at(table, "Ewa", when=fresh(table).asked_until)

    run_out(table)

    assert fresh(table).stage in (Table.Stage.SEALING, Table.Stage.RUNNING)
    assert set(names_at(table)) == set(FIVE)


def test_the_game_begins_at_once_if_everyone_is_at_the_table():
    table = scheduled(*FIVE[1:])
    is_at(table, *FIVE, when=table.scheduled_at)

    meets(table)

    assert fresh(table).stage in (Table.Stage.SEALING, Table.Stage.RUNNING)


def test_who_looks_at_another_table_is_not_here():
    table, other = scheduled(*FIVE[1:]), scheduled()
    is_at(other, *FIVE, when=table.scheduled_at)

    meets(table)

    assert fresh(table).is_meeting
    assert not table.seats.filter(is_ready=True).exists()


@pytest.mark.parametrize("visibility", [Visibility.PUBLIC, Visibility.PRIVATE])
def test_who_does_not_answer_loses_the_seat_and_others_may_take_it(visibility):
    table = scheduled(*FIVE[1:], visibility=visibility)
    meets(table)
    answer(table, "Boris", "Chika", "Dario", "Ewa")

    run_out(table)

    # Four are too few for these rules: the table goes on gathering, with another host.
    assert fresh(table).stage == Table.Stage.OPEN
    assert names_at(table) == ["Boris", "Chika", "Dario", "Ewa"]
    assert fresh(table).host == person("Boris")
    assert kinds_told("Ada")[-1] == ("missed", "missed")
    tables.join_table(table=table, user=person("Fumio"))
    ready.call_ready(table=table, user=person("Boris"))
    answer(table, "Chika", "Dario", "Ewa", "Fumio")
    assert fresh(table).stage != Table.Stage.OPEN


def test_those_who_are_there_begin_without_the_others_if_they_are_enough():
    table = scheduled(*FIVE[1:], "Fumio")
    meets(table)
    answer(table, *FIVE)

    run_out(table)

    assert fresh(table).stage in (Table.Stage.SEALING, Table.Stage.RUNNING)
    assert "Fumio" not in names_at(table)


def test_the_check_also_runs_with_too_few_players():
    table = scheduled("Boris")
    meets(table)
    answer(table, "Ada", "Boris")

    assert fresh(table).is_meeting
    tables.join_table(table=table, user=person("Chika"))
    tables.leave_table(table=table, user=person("Boris"))
    assert fresh(table).is_meeting


def test_another_check_soon_after_the_meeting_was_called_off_is_not_the_meeting():
    table = scheduled(*FIVE[1:], visibility=Visibility.PRIVATE)
    met_at = meets(table)
    # As maintenance calls it off.
    Table.objects.filter(pk=table.pk).update(asked_until=None)

    ready.call_ready(table=table, user=person("Ada"), now=met_at + timedelta(minutes=1))

    assert not fresh(table).is_meeting
    timed_questions.settle(table.pk, now=met_at + timedelta(minutes=3))
    assert len(names_at(table)) == len(FIVE)


def test_a_meeting_that_failed_to_end_ends_as_a_meeting_later():
    table = scheduled(*FIVE[1:])
    meets(table)
    late = fresh(table).asked_until + SECOND

    timed_questions.push_back(table.pk, late)

    assert fresh(table).is_meeting and fresh(table).asked_until > late


def test_the_host_does_not_begin_while_players_are_asked():
    table = scheduled(*FIVE[1:])
    meets(table)

    assert refusal_of(lambda: tables.start_game(table=table, user=person("Ada"))) == (
        Refusal.READY_IS_CALLED
    )


def test_after_the_check_the_table_is_listed_like_all_others():
    table = scheduled("Boris")
    meets(table)
    answer(table, "Ada")
    run_out(table)

    assert table.pk in {each.pk for each in read_open_tables().gathering}


def test_a_table_to_which_too_few_come_closes_and_tells_its_players():
    table = scheduled("Boris")
    meets(table)
    answer(table, "Ada")
    run_out(table)

    appointments.settle_due(table.scheduled_at + appointments.WAITS_FOR - MINUTE)
    assert fresh(table).stage == Table.Stage.OPEN
    appointments.settle_due(table.scheduled_at + appointments.WAITS_FOR + MINUTE)

    assert fresh(table).stage == Table.Stage.CLOSED
    assert kinds_told("Ada")[-1] == ("cancelled", "failed")
    assert kinds_told("Boris")[-1] == ("missed", "missed")


def test_a_table_to_which_no_one_comes_closes_at_once():
    table = scheduled("Boris")
    meets(table)

    run_out(table)

    assert fresh(table).stage == Table.Stage.CLOSED
    assert kinds_told("Boris")[-1] == ("cancelled", "failed")


def test_the_date_waits_while_the_site_is_down_but_not_for_hours():
    late, forgotten = scheduled(*FIVE[1:]), scheduled("Boris", ahead=40 * HOUR)
    now = late.scheduled_at + MINUTE
    Pulse.objects.create(pk=Pulse.Of.DOORS, at=now - HOUR)
    outages._open_at = None
    try:
        assert appointments.settle_due(now) == 0
    finally:
        outages._open_at = None
    Pulse.objects.all().delete()

    appointments.settle_due(now)

    assert fresh(late).is_meeting
    assert fresh(forgotten).stage == Table.Stage.CLOSED
    assert kinds_told("Boris")[-2:] == [("cancelled", "failed"), ("reminded", "now")]


def test_a_table_waits_longer_by_the_time_that_it_was_frozen():
    table, mira = scheduled("Boris"), moderator()
    meets(table)
    answer(table, "Ada")
    ended = run_out(table)
    freeze_table(actor=mira, table=table, because="report", reason="x", now=ended)
    thawed = ended + HOUR
    appointments.settle_due(thawed)
    thaw_table(actor=mira, table=table, reason="x", now=thawed)

    appointments.settle_due(thawed + MINUTE)
    assert fresh(table).stage == Table.Stage.OPEN
    appointments.settle_due(thawed + appointments.WAITS_FOR + MINUTE)
    assert fresh(table).stage == Table.Stage.CLOSED


def test_a_frozen_table_does_not_meet():
    table = scheduled("Boris")
    Table.objects.filter(pk=table.pk).update(frozen_at=timezone.now())

    meets(table)

    assert fresh(table).met_at is None
