"""Tables: opening, gathering, leaving, starting, and playing again."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from games.models import Pace, Table, Terms, Visibility
from games.panels.lobby import public_tables
from games.selectors.open_tables import read_open_tables
from games.services import presence, tables
from games.wording.refusals import Refusal
from tests.builders.refusals import refusal_of
from tests.builders.tables import NAMES, fresh, gather, person, position


def opened(name: str = "Ada", seats: int = 5, **how: object) -> Table:
    terms = Terms(**{"edition": "en", "seats_wanted": seats} | how)
    return tables.open_table(host=person(name), terms=terms)


def joined(table: Table, *names: str) -> None:
    for name in names:
        tables.join_table(table=table, user=person(name))


def seats_of(table: Table) -> dict[int, str]:
    return {seat.number: seat.name for seat in table.seats.all()}


def test_whoever_opens_a_table_sits_at_it_as_host(db):
    table = opened()

    assert table.stage == Table.Stage.OPEN
    assert table.host == person("Ada")
    assert seats_of(table) == {0: "Ada"}


def test_people_take_the_first_free_seat(db):
    table = opened()
    joined(table, "Boris", "Chika", "Dario")
    tables.leave_table(table=table, user=person("Chika"))

    joined(table, "Ewa")

    assert seats_of(table) == {0: "Ada", 1: "Boris", 2: "Ewa", 3: "Dario"}


def test_every_change_grows_the_version(db):
    table = opened()
    versions = [fresh(table).version]
    for change in (
        lambda: joined(table, "Boris"),
        lambda: tables.leave_table(table=table, user=person("Boris")),
        lambda: tables.fill_with_bots(table=table, user=person("Ada")),
        lambda: tables.start_game(table=table, user=person("Ada")),
    ):
        change()
        versions.append(fresh(table).version)

    assert versions == sorted(set(versions))


def test_no_one_sits_twice(db):
    table = opened()

    assert refusal_of(tables.join_table, table=table, user=person("Ada")) == Refusal.ALREADY_SEATED


def test_a_full_table_takes_no_one(db):
    table = gather()

    assert refusal_of(tables.join_table, table=table, user=person("Zoe")) == Refusal.FULL
    assert refusal_of(tables.fill_with_bots, table=table, user=table.host) == Refusal.FULL


@pytest.mark.parametrize("name", ["fill_with_bots", "start_game", "close_table"])
def test_only_the_host_arranges_the_table(db, name):
    table = gather()

    for user in (person("Boris"), person("Zoe")):
        assert refusal_of(getattr(tables, name), table=table, user=user) == Refusal.NOT_HOST


def test_too_few_people_do_not_start(db):
    table = opened(seats=7)
    joined(table, "Boris", "Chika", "Dario")

    assert refusal_of(tables.start_game, table=table, user=table.host) == Refusal.TOO_FEW


@pytest.mark.parametrize("name", ["leave_table", "fill_with_bots", "start_game", "close_table"])
def test_a_table_that_runs_is_no_longer_arranged(table, name):
    service = getattr(tables, name)

    assert refusal_of(service, table=table, user=table.host) == Refusal.NOT_OPEN


def test_no_one_joins_a_table_that_runs_or_was_closed(table):
    assert refusal_of(tables.join_table, table=table, user=person("Zoe")) == Refusal.NOT_OPEN

    shut = opened("Yara")
    tables.close_table(table=shut, user=person("Yara"))
    assert refusal_of(tables.join_table, table=shut, user=person("Zoe")) == Refusal.NOT_OPEN


def test_whoever_does_not_sit_there_cannot_leave(db):
    assert refusal_of(tables.leave_table, table=opened(), user=person("Zoe")) == Refusal.NOT_SEATED


def test_a_host_who_leaves_hands_over_to_a_person(db):
    table = opened()
    joined(table, "Boris", "Chika")

    tables.leave_table(table=table, user=person("Ada"))

    assert fresh(table).host == person("Boris")
    assert fresh(table).stage == Table.Stage.OPEN


def test_a_table_without_people_closes_bots_or_not(db):
    table = opened()
    tables.fill_with_bots(table=table, user=person("Ada"))

    tables.leave_table(table=table, user=person("Ada"))

    assert fresh(table).stage == Table.Stage.CLOSED


def test_bots_fill_the_free_seats_under_names_of_their_own(db):
    table = opened("Otto", seats=10)
    joined(table, "Boris")

    tables.fill_with_bots(table=table, user=person("Otto"))

    names = [seat.name for seat in table.seats.all()]
    assert len(names) == len(set(names)) == 10
    assert table.seats.exclude(bot="").count() == 8


def test_no_one_is_called_like_a_bot_that_came_first(db):
    table = opened(seats=6)
    tables.fill_with_bots(table=table, user=person("Ada"))
    gone, bot = table.seats.exclude(bot="")[:2]
    gone.delete()

    joined(table, bot.name.lower())

    names = [seat.name.lower() for seat in table.seats.all()]
    assert len(names) == len(set(names)) == 6
    assert bot.name.lower() in names


def test_gaps_close_when_the_game_starts(db):
    table = opened(seats=10)
    joined(table, *NAMES[1:7])
    for name in ("Boris", "Dario"):
        tables.leave_table(table=table, user=person(name))
    before = [seat.name for seat in table.seats.all()]

    tables.start_game(table=table, user=person("Ada"))

    assert seats_of(table) == dict(enumerate(before))
    assert fresh(table).game.players == 5
    assert fresh(table).stage == Table.Stage.RUNNING
    assert position(table).state.players == 5


def test_a_public_table_always_has_a_clock(db):
    with pytest.raises(IntegrityError), transaction.atomic():
        opened(pace=Pace.UNTIMED)


def test_house_rules_are_played_by(db):
    table = opened(house_rules={"veto_advances_tracker": False})

    assert fresh(table).options.veto_advances_tracker is False
    assert fresh(table).is_custom


def test_a_forgotten_table_is_closed_and_a_young_or_running_one_is_not(table):
    old, young = opened("Yara"), opened("Zoe")
    long_ago = timezone.now() - timedelta(hours=13)
    Table.objects.filter(pk__in=[old.pk, table.pk]).update(created_at=long_ago)

    assert tables.close_forgotten_tables() == 1

    assert fresh(old).stage == Table.Stage.CLOSED
    assert fresh(young).stage == Table.Stage.OPEN
    assert fresh(table).stage == Table.Stage.RUNNING


def test_a_public_table_that_all_have_left_is_marked_goes_last_and_closes_after_minutes(db):
    left, kept, of_days = opened("Yara"), opened("Zoe"), opened("Ada", pace=Pace.DAILY)
    private = opened("Boris", visibility=Visibility.UNLISTED)
    now = timezone.now()
    everywhere = {(table.host_id, table.pk) for table in (left, kept, of_days, private)}
    presence.report(process="web", came=everywhere, went=set(), now=now)
    gone = everywhere - {(kept.host_id, kept.pk)}
    presence.report(process="web", came=set(), went=gone, now=now)

    rows = public_tables(read_open_tables()).gathering
    assert [(row.code, row.is_empty) for row in rows] == [
        *((kept.code, False), (of_days.code, True), (left.code, True))
    ]
    assert tables.close_forgotten_tables() == 0

    Table.objects.update(empty_since=F("empty_since") - timedelta(minutes=11))
    assert tables.close_forgotten_tables() == 1
    assert fresh(left).stage == Table.Stage.CLOSED


def test_who_comes_back_in_time_keeps_the_table(db):
    table = opened("Yara")
    place = {(table.host_id, table.pk)}
    presence.report(process="web", came=place, went=set(), now=timezone.now())
    presence.report(process="web", came=set(), went=place, now=timezone.now())
    Table.objects.update(empty_since=F("empty_since") - timedelta(minutes=11))

    presence.report(process="web", came=place, went=set(), now=timezone.now())

    assert tables.close_forgotten_tables() == 0


def test_a_newcomer_and_whoever_stays_keep_the_table_and_bots_do_not(db):
    table, of_bots = opened("Yara"), opened("Zoe")
    tables.fill_with_bots(table=of_bots, user=person("Zoe"))
    hosts = {(table.host_id, table.pk), (of_bots.host_id, of_bots.pk)}
    presence.report(process="web", came=hosts, went=set(), now=timezone.now())
    presence.report(process="web", came=set(), went=hosts, now=timezone.now())
    Table.objects.update(empty_since=F("empty_since") - timedelta(minutes=11))

    tables.join_table(table=fresh(table), user=person("Ada"))

    assert tables.close_forgotten_tables() == 1
    assert fresh(of_bots).stage == Table.Stage.CLOSED
    # The last who is there leaves: the other has just gone, so the minutes begin now.
    Table.objects.update(quiet_since=F("quiet_since") - timedelta(minutes=11))
    tables.leave_table(table=table, user=person("Ada"))
    assert fresh(table).empty_since is not None
    assert tables.close_forgotten_tables() == 0


# A quick game -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "players"), [("en", 7), ("ru", 7), ("ru-5-6", 6), ("ja", 7), ("it", 7), ("pl", 7)]
)
def test_a_quick_game_is_one_person_and_bots_at_once(db, edition, players):
    table = tables.quick_game(user=person("Ada"), edition=edition)

    assert table.stage == Table.Stage.RUNNING
    assert table.is_private and table.pace == Pace.UNTIMED
    assert table.seats.count() == players
    assert table.seats.filter(bot="").get().user == person("Ada")
    assert table.game.deadline is None
