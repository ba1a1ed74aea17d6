"""A moderator freezes and thaws a table: clocks stop and go on."""

from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import Notification
from games import panels
from games.models import Attendance, Interruption, Pace, Starts, Table
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot
from games.rules.phases import Phase
from games.services import hosting, motions, outages, play, ready, tables, timed_questions
from games.services.account_deletion import depart_from_tables
from games.services.joining import games_finished
from games.state.rooms import room_of
from games.wording.refusals import Refusal
from tests.builders.moderation import HOUR, SECOND, STAGES, freeze, moderator, thaw, void
from tests.builders.motions import goes_away
from tests.builders.person import Person, forms_of
from tests.builders.refusals import refusal_of
from tests.builders.tables import (
    NAMES,
    act,
    fresh,
    gather,
    in_phase,
    person,
    play_until,
    position,
    run_table,
    state_of,
)
from tests.examples import examples


def test_who_holds_policies_still_sees_them_while_the_table_is_frozen(table, seated, mira):
    play_until(table, in_phase(Phase.PRESIDENT_DISCARDS))
    holder = state_of(table).president
    freeze(table, mira)
    assert 'class="hand held secret"' in seated[holder].page()
    assert 'class="hand held secret"' not in seated[(holder + 1) % 5].page()


@pytest.mark.django_db
@settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    spent=st.integers(0, 55),
    stood=st.lists(st.integers(0, 10**6), min_size=1, max_size=3),
    between=st.integers(0, 1),
)
def test_what_was_left_of_every_clock_comes_back_at_the_thaw(spent, stood, between):
    Table.objects.update(stage=Table.Stage.CLOSED)
    panels.forget_all()
    mira = moderator()
    table = run_table(pace=Pace.NORMAL)
    begun = fresh(table).game.deadline
    now = timezone.now() + spent * SECOND
    left = begun - now
    for seconds in stood:
        freeze(table, mira, now)
        game = fresh(table).game
        assert game.wakes_at is None and game.deadline is not None
        now += seconds * SECOND
        thaw(table, mira, now)
        game = fresh(table).game
        assert game.deadline - now == left
        alarms = (game.deadline, game.bot_moves_at, game.bot_talks_at)
        assert game.wakes_at == min(moment for moment in alarms if moment)
        now += between * SECOND
        left -= between * SECOND


def test_bots_stand_still_and_move_when_the_table_thaws(mira, db):
    table = run_table(NAMES[:1], bots=4)
    act(table, Nominate(0, 2))
    now = timezone.now()
    moment = fresh(table).game.bot_moves_at
    freeze(table, mira, now)
    play.settle(table.pk, now=moment + HOUR)
    assert position(table).length == 1

    thaw(table, mira, now + HOUR)

    assert fresh(table).game.bot_moves_at == moment + HOUR
    play.settle(table.pk, now=moment + HOUR)
    assert position(table).length == 2


def test_an_outage_during_a_freeze_gives_its_time_back_once(table, mira):
    now = timezone.now()
    left = fresh(table).game.deadline - now
    outages.note_open(now)
    freeze(table, mira, now)

    outages.note_open(now + HOUR)
    assert not Interruption.objects.filter(table=table).exists()
    thaw(table, mira, now + 2 * HOUR)

    assert fresh(table).game.deadline == now + 2 * HOUR + left


def test_a_motion_does_not_run_out_while_the_table_is_frozen(table, mira):
    goes_away(table, 3, 4)
    now = timezone.now()
    motions.move_stop(table=table, user=person("Ada"), now=now)
    until = fresh(table).asked_until
    freeze(table, mira, now)
    late = now + HOUR

    assert timed_questions.due_tables(late) == []
    timed_questions.settle(table.pk, late)
    motions.expire(table, late)
    assert table.motions.get().is_open
    boris = person("Boris")
    vote = {"table": table, "user": boris, "ordinal": 1, "is_for": True}
    assert refusal_of(motions.vote, **vote) == Refusal.FROZEN

    thaw(table, mira, late)
    assert fresh(table).asked_until == until + HOUR
    motions.vote(**vote, now=late)
    assert fresh(table).stage == Table.Stage.OVER


def test_a_ready_check_does_not_run_out_while_the_table_is_frozen(mira, db):
    table = gather()
    ready.call_ready(table=table, user=table.host)
    until, now = fresh(table).asked_until, timezone.now()
    freeze(table, mira, now)
    late = now + HOUR

    timed_questions.settle(table.pk, late)
    assert not timed_questions.is_due(room_of(table.code), late)
    assert table.seats.count() == 5
    assert refusal_of(ready.confirm_ready, table=table, user=person("Boris")) == Refusal.FROZEN

    thaw(table, mira, late)
    assert fresh(table).asked_until == until + HOUR
    timed_questions.settle(table.pk, until + HOUR)
    assert table.seats.count() == 1


def test_nothing_is_arranged_at_a_frozen_table_that_gathers(mira, db):
    table = gather(NAMES[:4], bots=1)
    freeze(table, mira)
    ada, zoe = table.host, person("Zoe")
    for service, named in (
        (tables.join_table, {"user": zoe}),
        (tables.leave_table, {"user": person("Boris")}),
        (tables.close_table, {"user": ada}),
        (tables.start_game, {"user": ada}),
        (ready.call_ready, {"user": ada}),
        (hosting.choose_seating, {"user": ada, "shuffles": True}),
        (hosting.kick, {"user": ada, "number": 1, "name": "Boris"}),
    ):
        assert refusal_of(service, table=table, **named) == Refusal.FROZEN, service
    assert forms_of(Person(ada, table).page()) is not None
    assert 'id="start"' not in Person(ada, table).page()
    Table.objects.filter(pk=table.pk).update(created_at=timezone.now() - timedelta(days=2))
    assert tables.close_forgotten_tables() == 0


def test_who_closes_their_account_does_not_wait_for_a_thaw(mira, db):
    table = gather(NAMES[:5], starts=Starts.FULL, seats_wanted=6)
    freeze(table, mira)
    depart_from_tables(person("Boris"))
    assert table.seats.count() == 4 and fresh(table).asked_until is None
    thaw(table, mira)


def test_a_game_given_up_or_voided_while_frozen_is_frozen_no_more(table, mira):
    freeze(table, mira)
    void(table, mira)
    assert fresh(table).frozen_at is None
    page = Person(person("Ada"), table).page()
    assert "has frozen this table" not in page and "A moderator has voided this game" in page


def test_a_frozen_table_is_frozen_once_and_thawed_once(table, mira):
    freeze(table, mira)
    assert refusal_of(freeze, table, mira) == Refusal.IS_FROZEN
    thaw(table, mira)
    assert refusal_of(thaw, table, mira) == Refusal.NOT_FROZEN


@pytest.mark.parametrize("stage", ["running", "over"])
def test_a_voided_game_has_no_winner_and_is_in_no_one_s_figures(mira, stage):
    table = STAGES[stage]()
    void(table, mira)

    table = fresh(table)
    assert table.stage == Table.Stage.OVER
    game = table.game
    assert (game.stopped, game.winner, game.ending) == ("voided", "", "")
    assert game.wakes_at is None and game.ended_at is not None
    assert not Attendance.objects.filter(game=game).exists()
    assert games_finished(person("Ada")) == 0
    lobby = Person(None, table).get("/").content.decode()
    assert table.code not in lobby
    # Players get the notification even when they are not at the table.
    assert set(Notification.objects.filter(kind="ruled").values_list("user__username", flat=True))\
        == set(NAMES[:5])  # fmt: skip
    assert refusal_of(void, table, mira) == Refusal.IS_VOID


def test_votes_and_a_freeze_keep_their_place_in_the_minutes(table, mira):
    act(table, Nominate(0, 2))
    freeze(table, mira)
    thaw(table, mira)
    for seat in range(5):
        act(table, Vote(seat, Ballot.JA))
    page = Person(person("Ada"), table).page()
    assert page.index("nominates") < page.index("freezes the table")
    assert page.index("freezes the table") < page.index("unfreezes the table")
    assert page.index("unfreezes the table") < page.index("Everyone votes Ja")
