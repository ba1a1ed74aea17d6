"""Tables: opening, gathering, leaving, starting, and playing again."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.models import Pace, Table
from games.refusals import Refusal, Refused
from games.services import play, tables
from tests.games.person import Person
from tests.games.stories import (
    NAMES,
    contribution,
    fascist_dream,
    fresh,
    gather,
    is_over,
    person,
    play_until,
    position,
    run_table,
    state_of,
)


def opened(name: str = "Ada", seats: int = 5, **how: object) -> Table:
    defaults = {"edition": "en", "pace": Pace.NORMAL, "is_private": False}
    return tables.open_table(host=person(name), seats_wanted=seats, **defaults | how)


def joined(table: Table, *names: str) -> None:
    for name in names:
        tables.join_table(table=table, user=person(name))


def refusal_of(service, **arguments: object) -> Refusal:
    with pytest.raises(Refused) as refused:
        service(**arguments)
    return refused.value.refusal


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


def test_nobody_sits_twice(db):
    table = opened()

    assert refusal_of(tables.join_table, table=table, user=person("Ada")) == Refusal.ALREADY_SEATED


def test_a_full_table_takes_nobody(db):
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


def test_nobody_joins_a_table_that_runs_or_was_closed(table):
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


def test_nobody_is_called_like_a_bot_that_came_first(db):
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


# By the buttons of the page -----------------------------------------------------------------------


def test_a_table_is_opened_joined_filled_and_started_by_its_buttons(db):
    ada = Person(person("Ada"), Table())
    answer = ada.post(
        "/tables/new/",
        {"edition": "en", "seats_wanted": "6", "pace": "normal", "contribution": contribution(5)},
    )
    assert answer.status_code == 303
    ada.table = table = Table.objects.get()
    boris = Person(person("Boris"), table)

    assert boris.press("join", contribution=contribution(6)).status_code == 303
    assert ada.press("fill", htmx=True).status_code == 200
    assert ada.press("start").status_code == 303

    assert fresh(table).stage == Table.Stage.RUNNING
    kept = dict(table.seats.values_list("number", "contribution"))
    assert (kept[0], kept[1]) == (contribution(5), contribution(6))


def test_a_whole_game_is_played_by_its_buttons(table, seated):
    state = state_of(table)
    while not is_over(state):
        seat = state.to_act[0]
        action = fascist_dream(state, seat)
        parts = [action.kind, *(str(getattr(action, n)) for n in action.__slots__ if n != "seat")]
        answer = seated[seat].press(":".join(parts), htmx=bool(seat % 2))
        assert answer.status_code in (200, 303)
        state = state_of(table)

    assert "again" in [button[0] for button in seated[0].form_with("again")[0].buttons]
    assert seated[1].press("again").status_code == 303
    assert fresh(table).next_table.host == person("Boris")


def test_an_open_table_offers_its_choices_again_with_what_was_wrong(db):
    ada = Person(person("Ada"), Table())

    answer = ada.post("/tables/new/", {"edition": "ru-5-6", "seats_wanted": "9", "pace": "normal"})

    assert answer.status_code == 422
    assert "5 to 6 players" in answer.content.decode()
    assert not Table.objects.exists()


def test_house_rules_of_the_form_are_kept_where_they_differ(db):
    ada = Person(person("Ada"), Table())

    ada.post(
        "/tables/new/",
        {
            "edition": "en",
            "seats_wanted": "7",
            "pace": "untimed",
            "is_private": "on",
            "option_limited": '"elected"',
            "option_veto_advances_tracker": "false",
            "option_spoken_formula": "[]",
        },
    )

    assert Table.objects.get().house_rules == {
        "veto_advances_tracker": False,
        "spoken_formula": [],
    }


def test_only_those_who_played_find_a_button_to_play_again(table):
    play_until(table, is_over)
    sofia = Person(person("Sofia"), table)

    assert "again" not in sofia.page().split('id="panel-action"')[1].split("</section>")[0]
