"""Pause, go on and next, in games with bots; and hints for beginners."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Game, Result, Seat, Table
from games.rules.legality import legal_actions
from games.services import bot_talk, coach, deadlines, pauses, play, tables
from games.wording.refusals import Refusal
from tests.builders.person import Person
from tests.builders.refusals import refusal_of
from tests.builders.tables import (
    act,
    fresh,
    is_over,
    person,
    play_until,
    position,
    run_table,
    state_of,
)

DAY = timedelta(days=1)


@pytest.fixture
def ada(db) -> User:
    return person("Ada")


@pytest.fixture
def table(ada) -> Table:
    """A game with bots whose night is over, at a bot's decision."""
    table = tables.quick_game(user=ada, edition="en")
    for _ in range(200):
        game = fresh(table).game
        if game.night_until is None and game.bot_moves_at is not None and not_mine(table, ada):
            return fresh(table)
        if game.wakes_at is not None:
            play.settle(table.pk, game.wakes_at)
        else:
            # Without a clock the game waits for the player.
            seat = table.seats.get(user=ada).number
            act(table, legal_actions(state_of(table), seat)[0])
    raise AssertionError("no bot was to move")


def not_mine(table: Table, user: User) -> bool:
    seat = table.seats.get(user=user).number
    return seat not in state_of(table).to_act


def test_nothing_happens_in_a_paused_game(table, ada):
    pauses.pause_game(table=table, user=ada)

    before = position(table).length
    assert fresh(table).game.wakes_at is None
    assert not deadlines.claim_due_games(timezone.now() + DAY)
    play.settle(table.pk, timezone.now() + DAY)
    assert position(table).length == before
    assert "Paused" in Person(ada, table).page()


def test_a_game_that_goes_on_has_the_time_it_had_left(table, ada):
    left = fresh(table).game.bot_moves_at - timezone.now()
    pauses.pause_game(table=table, user=ada)
    Table.objects.filter(pk=table.pk).update(paused_at=timezone.now() - DAY)

    pauses.resume_game(table=table, user=ada)

    game = fresh(table).game
    assert not fresh(table).is_paused
    # It had stood for a day, so its times lie a day later.
    assert abs((game.bot_moves_at - timezone.now()) - (left + DAY)) < timedelta(seconds=30)
    assert game.wakes_at is not None


def test_each_press_of_next_lets_one_bot_move_whatever_bots_say_before_it(table, ada):
    seat = table.seats.get(user=ada).number
    for _ in range(40):
        if is_over(state := state_of(table)) or seat in state.to_act:
            break
        before = position(table).length
        pauses.next_move(table=table, user=ada)
        assert position(table).length == before + 1


def test_next_moves_a_bot_when_those_with_something_to_say_stay_silent(table, ada, monkeypatch):
    monkeypatch.setattr(bot_talk, "_speak_at", lambda room, data, now: room)
    soon = (timezone.now() + timedelta(seconds=1)).isoformat()
    before = position(table).length
    game = Game.objects.get(table=table)
    game.bot_talk = [
        {
            "at": soon,
            "since": soon,
            "seat": 1,
            "occasion": "policy",
            "code": "",
            "seats": [],
            "sight": None,
        }
    ]
    deadlines.set_bot_talk(game, timezone.now() + timedelta(seconds=1))
    game.bot_moves_at = game.bot_moves_at or timezone.now() + timedelta(seconds=9)
    game.save()
    pauses.next_move(table=table, user=ada)
    assert position(table).length == before + 1


def test_a_paused_game_stays_paused_after_next(table, ada):
    pauses.pause_game(table=table, user=ada)
    before = position(table).length
    for _ in range(4):
        pauses.next_move(table=table, user=ada)
        if is_over(state_of(table)) or not not_mine(table, ada):
            break
    assert position(table).length > before
    assert is_over(state_of(table)) or fresh(table).is_paused


def test_a_move_of_the_player_ends_the_pause(table, ada):
    seat = table.seats.get(user=ada).number
    for _ in range(60):
        if seat in state_of(table).to_act:
            break
        pauses.next_move(table=table, user=ada)
    pauses.pause_game(table=table, user=ada)
    me = Person(ada, fresh(table))
    answer = me.press("choice-1")
    assert answer.status_code in (303, 204, 200)
    assert not fresh(table).is_paused


def test_only_a_player_who_is_alone_with_bots_may_pause(table):
    assert refusal_of(pauses.pause_game, table=table, user=person("Sofia")) == Refusal.NOT_SEATED
    company = run_table()
    for service in (pauses.pause_game, pauses.resume_game, pauses.next_move):
        assert refusal_of(service, table=company, user=company.host) == Refusal.NOT_ALONE


# Hints --------------------------------------------------------------------------------------------


def has_hints(table: Table, user: User) -> bool:
    return Seat.objects.get(table=table, user=user).has_hints


def test_a_beginner_gets_hints_and_reads_one_at_their_decision(table, ada):
    assert has_hints(table, ada)
    assert 'class="coach"' in Person(ada, table).page() or state_of(table).phase is not None


def test_no_more_hints_means_none_here_and_in_later_games(table, ada):
    coach.stop_hints(table=table, user=ada)

    assert not has_hints(table, ada)
    assert 'class="coach"' not in Person(ada, fresh(table)).page()
    assert not User.objects.get(pk=ada.pk).hints
    assert not has_hints(tables.quick_game(user=User.objects.get(pk=ada.pk), edition="en"), ada)


def test_after_three_finished_games_there_are_no_hints(ada):
    for _ in range(coach.FIRST_GAMES):
        over = run_table()
        play_until(over, is_over)
    assert Result.objects.filter(user=ada).count() == coach.FIRST_GAMES
    assert not has_hints(tables.quick_game(user=ada, edition="en"), ada)


def test_only_a_player_may_stop_hints(table):
    assert refusal_of(coach.stop_hints, table=table, user=person("Sofia")) == Refusal.NOT_SEATED


# Why not ------------------------------------------------------------------------------------------
