"""The clock: stand-ins for players who do not answer, bots, and games without any visitor."""

from datetime import datetime, timedelta
from itertools import cycle

import pytest
from django.utils import timezone

from games.models import Game, Pace, Seat, Table, Tempo
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot
from games.rules.editions import EDITIONS
from games.rules.phases import Phase
from games.services import deadlines, play
from games.wording.refusals import Refusal, Refused
from tests.builders.tables import (
    NAMES,
    act,
    fresh,
    position,
    run_table,
    seed_for,
    state_of,
    user_at,
)
from tests.nightly import by_day

SECOND = timedelta(seconds=1)


def pass_deadline(table: Table) -> datetime:
    """Let the clock make the current decision; return the time at which it did."""
    now = fresh(table).game.deadline + SECOND
    play.settle(table.pk, now=now)
    return now


def seat(table: Table, number: int) -> Seat:
    return table.seats.get(number=number)


def lateness(table: Table, number: int) -> tuple[int, bool]:
    found = seat(table, number)
    return found.times_late, found.is_away


def test_before_its_time_nothing_moves_by_itself(table):
    play.settle(table.pk, now=fresh(table).game.deadline - SECOND)

    assert position(table).length == 0
    assert fresh(table).version == table.version


@pytest.mark.both_databases
def test_past_the_deadline_a_stand_in_moves_and_the_log_says_so(table):
    now = pass_deadline(table)

    (row,) = fresh(table).game.actions.all()
    assert (row.seat, row.by, row.at, row.key) == (0, "clock", now, None)
    assert lateness(table, 0) == (1, False)
    assert state_of(table).phase is Phase.ELECTION


@pytest.mark.both_databases
def test_the_clock_casts_every_ballot_that_is_missing(table):
    act(table, Nominate(0, 2))
    act(table, Vote(1, Ballot.JA))

    pass_deadline(table)

    by = {row.seat: row.by for row in fresh(table).game.actions.all()[1:]}
    assert by == {0: "clock", 1: "player", 2: "clock", 3: "clock", 4: "clock"}
    assert state_of(table).phase is not Phase.ELECTION


def test_late_twice_in_a_row_is_away_and_stood_in_for_quickly(table):
    pass_deadline(table)
    now = pass_deadline(table)

    assert lateness(table, 0) == (2, True)
    assert lateness(table, 1) == (1, False)
    # Seat 0 is away, so the clock waits for it only as long as for a bot whenever it must act.
    for _ in range(20):
        game = fresh(table).game
        if 0 in state_of(table).to_act:
            break
        now = pass_deadline(table)
    assert game.bot_moves_at - now < timedelta(seconds=15)
    assert game.wakes_at <= game.bot_moves_at < game.deadline


def test_someone_away_comes_back_with_one_click(table):
    Seat.objects.filter(table=table, number=0).update(is_away=True, times_late=2)
    Game.objects.filter(table=table).update(bot_moves_at=timezone.now() + 9 * SECOND)

    play.come_back(table=table, user=user_at(table, 0))

    assert lateness(table, 0) == (0, False)
    game = fresh(table).game
    assert game.bot_moves_at is None
    assert game.wakes_at == game.deadline
    assert position(table).length == 0
    assert fresh(table).version == table.version + 1


def test_coming_back_is_for_those_who_sit_there_while_the_game_goes_on(table, spectator):
    with pytest.raises(Refused) as refused:
        play.come_back(table=table, user=spectator.user)
    assert refused.value.refusal == Refusal.NOT_SEATED


def test_acting_oneself_clears_the_lateness(table):
    Seat.objects.filter(table=table, number=0).update(is_away=True, times_late=2)

    act(table, Nominate(0, 2))

    assert lateness(table, 0) == (0, False)


@pytest.mark.both_databases
def test_a_move_after_the_deadline_meets_the_settled_table(table):
    state = state_of(table)
    late = fresh(table).game.deadline + SECOND

    with pytest.raises(Refused) as refused:
        play.act(
            table=table,
            user=user_at(table, 0),
            action=Nominate(0, 2),
            decision=state.decision,
            key="late",
            now=late,
        )

    assert refused.value.refusal == Refusal.STALE
    # The stand-in's move is saved although the player's was refused.
    assert [row.by for row in fresh(table).game.actions.all()] == ["clock"]


def test_each_decision_has_its_own_deadline_and_a_ballot_keeps_the_vote_s(table):
    now = timezone.now() + SECOND
    act(table, Nominate(0, 2), now=now)
    vote_ends = fresh(table).game.deadline
    assert vote_ends == now + Pace.NORMAL.time

    act(table, Vote(1, Ballot.JA), now=now + 9 * SECOND)
    assert fresh(table).game.deadline == vote_ends

    for number in (0, 2, 3, 4):
        act(table, Vote(number, Ballot.JA), now=now + 10 * SECOND)
    assert fresh(table).game.deadline == now + 10 * SECOND + Pace.NORMAL.time


def test_an_untimed_table_has_no_deadline(db):
    table = run_table(pace=Pace.UNTIMED, is_private=True)

    game = fresh(table).game
    assert game.deadline is game.wakes_at is None
    play.settle(table.pk, now=timezone.now() + timedelta(days=365))
    assert position(table).length == 0


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_the_scale_of_the_settings_multiplies_every_pace(settings, scale):
    settings.PACE_SCALE = scale

    assert Pace.BLITZ.time == timedelta(seconds=20 * scale)
    assert Pace.UNTIMED.time is None


def test_bots_cast_their_ballots_one_at_a_time(db):
    table = run_table(NAMES[:2], bots=3)
    act(table, Nominate(0, 1))
    voted = []
    for _ in range(3):
        voted.append(set(range(5)) - set(state_of(table).to_act))
        play.settle(table.pk, now=fresh(table).game.bot_moves_at)

    assert [len(seats) for seats in voted] == [0, 1, 2]
    assert state_of(table).to_act == (0, 1)
    game = fresh(table).game
    assert game.bot_moves_at is None
    # Bots may still have something to say about the vote.
    assert game.wakes_at == (game.bot_talks_at or game.deadline)
    assert {row.by for row in game.actions.filter(seat__gte=2)} == {"bot"}


def test_bots_vote_quickly_when_all_people_have_voted(db, settings):
    settings.BOT_PAUSE = 1.0
    table = run_table(NAMES[:2], bots=5)
    act(table, Nominate(0, 1))
    began = timezone.now()
    act(table, Vote(0, Ballot.JA))
    assert fresh(table).game.bot_moves_at > began + SECOND
    act(table, Vote(1, Ballot.JA))
    first = now = fresh(table).game.bot_moves_at
    while state_of(table).phase is Phase.ELECTION:
        now = fresh(table).game.bot_moves_at
        play.settle(table.pk, now=now)

    assert now - first <= 2 * SECOND
    assert first <= began + 2 * SECOND


def test_a_bot_does_not_take_the_whole_deadline(db, settings):
    settings.BOT_PAUSE = 1.0
    table = run_table(NAMES[1:2], bots=4)
    for first in (0, 1):
        if first in state_of(table).to_act and not seat(table, first).is_bot:
            act(table, Nominate(0, 1))
    game = fresh(table).game

    assert game.wakes_at <= game.bot_moves_at < game.deadline


@pytest.mark.parametrize(
    ("tempo", "least", "most"),
    [(Tempo.SLOW, 8.0, 13.0), (Tempo.NORMAL, 4.0, 6.5), (Tempo.FAST, 1.4, 2.3)],
)
def test_the_tempo_of_the_table_says_how_long_bots_think(db, settings, tempo, least, most):
    settings.BOT_PAUSE = 1.0
    table = run_table(NAMES[:4], bots=3, tempo=tempo, seed=seed_for(7, "", 5))
    game = fresh(table).game

    assert least <= (game.bot_moves_at - game.started_at).total_seconds() <= most + 0.5


@pytest.mark.parametrize("bots_are", ["LLL", "FFH"])
def test_the_pauses_of_bots_do_not_depend_on_their_roles(db, settings, monkeypatch, bots_are):
    settings.BOT_PAUSE = 1.0
    monkeypatch.setattr(deadlines.secrets, "randbelow", lambda below: 0)
    roles = {"LLL": "LFFHLLL", "FFH": "LLLLFFH"}[bots_are]
    table = run_table(NAMES[:4], bots=3, seed=seed_for(7, roles, 5))
    game = fresh(table).game

    assert round((game.bot_moves_at - game.started_at).total_seconds(), 1) == 4.0


def end_by_the_clock_alone(table: Table) -> None:
    """Play to the end while no player answers."""
    while (game := fresh(table).game).wakes_at is not None:
        play.settle(table.pk, now=game.wakes_at)
        after = fresh(table).game
        has_moved = after.length > game.length or after.bot_talk != game.bot_talk
        assert has_moved, "the clock came and nothing happened"


@pytest.mark.parametrize(
    ("edition", "players"), by_day(1, zip(EDITIONS, cycle((5, 10, 6)), strict=False))
)
def test_a_game_that_everyone_left_is_ended_by_the_clock(db, edition, players):
    players = min(players, EDITIONS[edition].players[1])
    table = run_table(NAMES[:players], edition=edition, pace=Pace.BLITZ)

    end_by_the_clock_alone(table)

    over = fresh(table)
    assert over.stage == Table.Stage.OVER
    assert over.game.winner
    assert {row.by for row in over.game.actions.all()} == {"clock"}


def test_a_game_of_one_who_left_and_bots_is_ended_too(db):
    table = run_table(NAMES[:1], bots=6, seed=b"\0" * 32)

    end_by_the_clock_alone(table)

    by = {row.by for row in fresh(table).game.actions.all()}
    assert fresh(table).stage == Table.Stage.OVER
    assert by == {"clock", "bot"}


def test_the_stand_in_sees_only_what_the_seat_sees(table, monkeypatch):
    seen = []
    choose = play.bots.choose

    def watched(kind, view, below, heard, level):
        seen.append(view)
        return choose(kind, view, below, heard, level)

    monkeypatch.setattr(play.bots, "choose", watched)

    pass_deadline(table)
    pass_deadline(table)

    assert [view.viewer for view in seen] == [0, 0, 1, 2, 3, 4]
