"""Simultaneous requests: real threads, real locks."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.utils import timezone

from accounts.models import AuditEntry, User
from games.models import Game, Pace, Table
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot
from games.rules.phases import Phase
from games.services import deadlines, outages, play, table_moderation, tables
from games.wording.refusals import Refusal, Refused
from tests.builders.tables import (
    act,
    fresh,
    gather,
    is_over,
    person,
    play_until,
    position,
    run_table,
    state_of,
    user_at,
)
from tests.second_factor import with_second_factor

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def at_once(calls: Sequence[Callable[[], object]]) -> list[object]:
    """Run the calls in parallel. Return what each returned, or the Refused that it raised."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        try:
            barrier.wait(timeout=60)
            return call()
        except Refused as refused:
            return refused.refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


@pytest.fixture
def table(transactional_db) -> Table:
    return run_table()


def move(table: Table, action, decision: str, key: str = "k") -> Callable[[], None]:
    user = user_at(table, action.seat)

    def moves() -> None:
        play.act(table=table, user=user, action=action, decision=decision, key=key)

    return moves


def test_five_ballots_at_once_all_count(table):
    act(table, Nominate(0, 2))
    decision = state_of(table).decision

    answers = at_once([move(table, Vote(seat, Ballot.JA), decision) for seat in range(5)])

    assert answers == [None] * 5
    assert state_of(table).phase is Phase.PRESIDENT_DISCARDS
    assert [row.number for row in fresh(table).game.actions.all()] == list(range(6))


def test_one_form_sent_eight_times_at_once_acts_once(table):
    decision = state_of(table).decision

    answers = at_once([move(table, Nominate(0, 2), decision)] * 8)

    assert answers == [None] * 8
    assert position(table).length == 1


def test_of_two_different_moves_at_once_one_is_stale(table):
    decision = state_of(table).decision

    answers = at_once([move(table, Nominate(0, seat), decision, f"k{seat}") for seat in (1, 2)])

    assert sorted(answers, key=str) == sorted([None, Refusal.STALE], key=str)
    assert position(table).length == 1


def test_the_clock_comes_from_everywhere_and_moves_once(table):
    late = fresh(table).game.deadline

    at_once([lambda: play.settle(table.pk, now=late)] * 6)

    assert position(table).length == 1
    assert table.seats.get(number=0).times_late == 1


def test_workers_that_ask_at_once_get_each_game_once(transactional_db):
    made = [run_table([f"{name}{n}" for name in "abcde"]) for n in range(6)]
    Game.objects.update(wakes_at=timezone.now())
    now = timezone.now()

    claims = at_once([lambda: deadlines.claim_due_games(now)] * 4)

    assert sorted(alarm.table_id for claim in claims for alarm in claim) == sorted(
        table.pk for table in made
    )


def test_processes_that_are_back_at_once_give_the_lost_time_back_once(table):
    deadline = fresh(table).game.deadline
    now = timezone.now()
    outages.note_open(now - timedelta(hours=1))

    given = at_once([lambda: outages.note_open(now)] * 4)

    assert sorted(given) == [timedelta()] * 3 + [timedelta(hours=1)]
    assert fresh(table).game.deadline - deadline == timedelta(hours=1)
    assert len(table.interruptions.all()) == 1
    outages.forget()


def test_a_move_and_the_lost_time_at_once_keep_both(table):
    now = timezone.now()
    outages.note_open(now - timedelta(hours=1))
    decision = state_of(table).decision

    at_once([lambda: outages.note_open(now), move(table, Nominate(0, 2), decision)])

    # The deadline is the one of the vote, with or without the lost time added, and never the
    # nomination's.
    assert position(table).length == 1
    assert fresh(table).game.deadline > now + Pace.NORMAL.time - timedelta(seconds=5)
    assert len(table.interruptions.all()) == 1
    outages.forget()


def test_the_last_seat_is_taken_once(transactional_db):
    table = gather(["Ada", "Bo", "Cy", "Di", "Ed"])
    tables.leave_table(table=table, user=person("Ed"))
    people = [person(f"late {number}") for number in range(5)]

    answers = at_once(
        [lambda user=user: tables.join_table(table=table, user=user) for user in people]
    )

    assert answers.count(None) == 1
    assert answers.count(Refusal.FULL) == 4
    assert table.seats.count() == 5


def test_one_person_who_joins_twice_at_once_sits_once(transactional_db):
    table = gather(["Ada", "Bo", "Cy", "Di", "Ed"])
    tables.leave_table(table=table, user=person("Ed"))
    ed = person("Ed")

    answers = at_once([lambda: tables.join_table(table=table, user=ed)] * 4)

    assert answers.count(None) == 1
    assert answers.count(Refusal.ALREADY_SEATED) == 3


def test_everyone_who_plays_again_at_once_meets_at_one_table(table):
    play_until(table, is_over)
    people = [user_at(table, seat) for seat in range(5)]

    answers = at_once(
        [lambda user=user: tables.play_again(table=table, user=user).pk for user in people]
    )

    assert len(set(answers)) == 1
    assert Table.objects.get(pk=answers[0]).seats.count() == 5


def test_a_game_is_started_once(transactional_db):
    table = gather(["Ada", "Bo", "Cy", "Di", "Ed"])

    answers = at_once([lambda: tables.start_game(table=table, user=table.host)] * 4)

    assert answers.count(None) == 1
    assert answers.count(Refusal.NOT_OPEN) == 3
    assert Game.objects.count() == 1


def test_a_freeze_and_a_move_and_the_clock_at_once_lose_nothing(table):
    mira = office("Mira")
    decision, late = state_of(table).decision, fresh(table).game.deadline

    answers = at_once(
        [
            lambda: (
                table_moderation.freeze_table(
                    actor=mira, table=table, because="report", reason="x"
                ).kind
            ),
            move(table, Nominate(0, 2), decision),
            lambda: play.settle(table.pk, now=late),
        ]
    )

    assert answers[0] == "freeze"
    game = fresh(table).game
    # Only requests that ran before the freeze count: none, the nomination alone, or the nomination
    # and the five ballots, if the moment that the clock was given is past the vote's deadline too.
    # Nothing happens after the freeze, and the clock is stopped.
    assert position(table).length == game.length
    assert game.length in (0, 1, 6)
    assert game.wakes_at is None and game.deadline is not None


def test_two_moderators_at_once_freeze_once_and_void_once(table):
    mira, nora = office("Mira"), office("Nora")
    why = {"because": "report", "reason": "x"}

    for act_at, refusal in (
        (table_moderation.freeze_table, Refusal.IS_FROZEN),
        (table_moderation.void_game, Refusal.IS_VOID),
    ):
        answers = at_once(
            [
                lambda actor=actor, act_at=act_at: act_at(actor=actor, table=table, **why).ordinal
                for actor in (mira, nora)
            ]
        )
        assert answers.count(refusal) == 1

    assert [ruling.kind for ruling in table.rulings.all()] == ["freeze", "void"]
    assert AuditEntry.objects.filter(table=table.code).count() == 2


def office(name: str) -> User:
    user = person(name)
    user.user_permissions.add(Permission.objects.get(codename="moderate"))
    return with_second_factor(User.objects.get(pk=user.pk))
