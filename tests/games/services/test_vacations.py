"""Vacations: whose clock stands still, at which tables, for how long, and who sees it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Game, Pace, Table, Vacation
from games.rules.actions import Nominate
from games.services import play, vacations
from games.wording.refusals import Refusal, Refused
from tests.builders.person import Person
from tests.builders.tables import NAMES, act, fresh, person, run_table, state_of

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def table(settings):
    settings.NIGHT_SECONDS = 0
    return run_table(NAMES[:5], pace=Pace.DAILY)


def chair(table):
    [number] = state_of(table).to_act
    return table.seats.get(number=number)


def deadline(table):
    return Game.objects.get(table=table).deadline


def refusal_of(**vacation):
    with pytest.raises(Refused) as error:
        vacations.begin_vacation(**vacation)
    return error.value.refusal


def test_the_clock_waits_for_the_vacation_and_the_rest_of_the_day_comes_after(table):
    before = deadline(table)
    user = chair(table).user

    vacations.begin_vacation(user=user, days=3)

    assert deadline(table) == before + 3 * DAY
    assert Game.objects.get(table=table).wakes_at == deadline(table)
    # Nothing moves for the player meanwhile.
    play.settle(table.pk, before + DAY)
    assert state_of(table).to_act == (chair(table).number,)
    play.settle(table.pk, before + 3 * DAY + timedelta(minutes=1))
    assert Game.objects.get(table=table).length > 0


def test_the_vacation_of_someone_else_changes_no_clock(table):
    before = deadline(table)
    other = table.seats.exclude(pk=chair(table).pk).first()

    vacations.begin_vacation(user=other.user, days=3)

    assert deadline(table) == before


def test_a_decision_that_comes_in_the_vacation_waits_too(table):
    seat = chair(table)
    other = table.seats.exclude(pk=seat.pk).first()
    vacations.begin_vacation(user=other.user, days=3)
    ends = Vacation.objects.get().ends_at

    act(table, Nominate(seat.number, other.number))

    assert deadline(table) == ends + DAY


def test_coming_back_early_gives_the_rest_of_the_days_back(table):
    before = deadline(table)
    user = chair(table).user
    now = timezone.now()
    vacations.begin_vacation(user=user, days=10, now=now)

    vacations.end_vacation(user=user, now=now + 2 * DAY)

    assert deadline(table) == before + 2 * DAY
    assert vacations.days_left(user, now + 2 * DAY) == 12
    assert vacations.running_of(user, now + 2 * DAY) is None


def test_a_year_has_fourteen_days_and_one_vacation_at_a_time(db):
    user, now = person("Ada"), timezone.now()
    assert refusal_of(user=user, days=15, now=now) == Refusal.VACATION_SPENT
    vacations.begin_vacation(user=user, days=10, now=now)
    assert refusal_of(user=user, days=1, now=now) == Refusal.ON_VACATION

    assert refusal_of(user=user, days=5, now=now + 11 * DAY) == Refusal.VACATION_SPENT
    vacations.begin_vacation(user=user, days=4, now=now + 11 * DAY)
    assert vacations.days_left(user, now + 400 * DAY) == 14


def test_a_game_that_begins_in_a_vacation_waits_as_the_others_do(settings):
    settings.NIGHT_SECONDS = 0
    now = timezone.now()
    for name in NAMES[:5]:
        vacations.begin_vacation(user=person(name), days=3, now=now)

    table = run_table(NAMES[:5], pace=Pace.DAILY)

    assert deadline(table) == now + 4 * DAY
    assert chair(table).vacation_until == now + 3 * DAY


def test_only_tables_of_one_day_per_move_wait_and_blind_ones_do_not(settings):
    settings.NIGHT_SECONDS = 0
    quick = run_table(NAMES[:5])
    blind = run_table(NAMES[:5], pace=Pace.DAILY)
    Table.objects.filter(pk=blind.pk).update(is_blind=True)
    before = deadline(quick), deadline(blind)

    for name in NAMES[:5]:
        vacations.begin_vacation(user=person(name), days=3)

    assert (deadline(quick), deadline(blind)) == before


def test_everyone_at_the_table_sees_the_vacation_and_its_end(table):
    seat = chair(table)
    watcher = Person(table.seats.exclude(pk=seat.pk).first().user, table)
    assert "on vacation" not in watcher.page()

    me = Person(seat.user, table)
    assert me.post("/vacation/", {"days": "3"}).status_code == 303
    assert "on vacation until" in watcher.page()
    assert "I’m back" in me.client.get("/vacation/").content.decode()

    assert me.post("/vacation/", {"end": "1"}).status_code == 303
    assert "on vacation" not in watcher.page()
    assert fresh(table).stage == Table.Stage.RUNNING
