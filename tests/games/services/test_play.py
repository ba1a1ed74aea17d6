"""Moves: what players do, repeated requests, and refusals."""

from datetime import timedelta

import pytest

from games.models import GameAction, Seat, Table
from games.rules.actions import Enact, Nominate, Vote
from games.rules.components import Ballot, Policy
from games.rules.legality import IllegalAction, legal_actions
from games.rules.phases import Phase
from games.rules.reasons import Reason
from games.services import play
from games.state import positions
from games.wording.refusals import Refusal, Refused
from tests.builders.tables import (
    act,
    fascist_dream,
    fresh,
    in_phase,
    is_over,
    play_until,
    position,
    state_of,
    user_at,
)

JA, NEIN = Ballot.JA, Ballot.NEIN


def rows(table: Table) -> list[GameAction]:
    return list(fresh(table).game.actions.all())


def folded_from_nothing(table: Table) -> positions.Position:
    positions.forget_all()
    return position(table)


def refused_act(table: Table, seat: int, action, decision: str, key: str = "k") -> Refusal | Reason:
    try:
        play.act(table=table, user=user_at(table, seat), action=action, decision=decision, key=key)
    except Refused as error:
        return error.refusal
    except IllegalAction as error:
        return error.reason
    raise AssertionError("it was accepted")


def test_an_accepted_action_is_appended_and_seen_at_once(table):
    before = fresh(table)

    act(table, Nominate(0, 2), key="first")

    after = fresh(table)
    (row,) = rows(table)
    assert (row.number, row.seat, row.by) == (0, 0, "player")
    assert row.action == {"seat": 0, "action": "nominate", "target": 2}
    assert after.game.length == 1
    # The move is in the game; the table and its seats have not changed.
    assert after.version == before.version
    assert state_of(table).nominee == 2


def test_the_position_is_the_fold_of_the_actions_from_nothing(table):
    play_until(table, is_over)

    remembered = position(table)
    folded = folded_from_nothing(table)

    assert folded.state == remembered.state
    assert [step.action for step in folded.steps] == [step.action for step in remembered.steps]
    assert [step.events for step in folded.steps] == [step.events for step in remembered.steps]
    assert [step.by for step in folded.steps] == [row.by for row in rows(table)]


def test_a_position_is_folded_on_from_where_this_process_was(table):
    act(table, Nominate(0, 2))
    before = position(table)
    # Simulate another process that goes on: this one then reads only the new actions.
    positions.forget_all()
    act(table, Vote(1, JA))
    act(table, Vote(2, JA))
    positions.forget_all()
    positions.remember(fresh(table).game, before)

    assert position(table).length == 3
    assert position(table).steps[0] is before.steps[0]


def test_an_opening_that_was_rolled_back_is_not_remembered(table):
    # SQLite reuses the primary key of a game that was never committed.
    position(table)

    assert table.game.pk not in positions._remembered


def test_the_same_key_twice_acts_once(table):
    decision = state_of(table).decision
    act(table, Nominate(0, 2), key="once")
    version = fresh(table).version

    play.act(
        table=table, user=user_at(table, 0), action=Nominate(0, 2), decision=decision, key="once"
    )

    assert len(rows(table)) == 1
    assert fresh(table).version == version


def test_the_action_that_ended_the_game_may_be_sent_again(table):
    play_until(table, lambda state: state.fascist == 5 and state.phase is Phase.CHANCELLOR_ENACTS)
    state = state_of(table)
    last = Enact(state.chancellor, Policy.FASCIST)
    act(table, last, key="last")
    assert state_of(table).outcome is not None
    length = len(rows(table))

    play.act(
        table=table,
        user=user_at(table, last.seat),
        action=last,
        decision=state.decision,
        key="last",
    )

    assert len(rows(table)) == length


def test_after_the_end_nothing_new_is_accepted(table):
    state = play_until(table, is_over)

    assert refused_act(table, 0, Vote(0, JA), state.decision) == Refusal.GAME_OVER


def test_two_open_pages_may_cast_different_ballots_with_one_key(table):
    act(table, Nominate(0, 2))

    act(table, Vote(1, JA), key="both pages")
    act(table, Vote(1, NEIN), key="both pages")

    assert state_of(table).ballots[1] is NEIN
    assert len(rows(table)) == 3


def test_a_long_key_does_not_hide_what_was_asked(table):
    act(table, Nominate(0, 2))

    act(table, Vote(1, JA), key="k" * 40)
    act(table, Vote(1, NEIN), key="k" * 40)

    assert state_of(table).ballots[1] is NEIN


def test_two_people_may_use_the_same_key(table):
    act(table, Nominate(0, 2))

    act(table, Vote(1, JA), key="same")
    act(table, Vote(2, JA), key="same")

    assert state_of(table).to_act == (0, 3, 4)


def test_a_stale_decision_changes_nothing_and_says_so(table):
    stale = state_of(table).decision
    act(table, Nominate(0, 2))
    version = fresh(table).version

    assert refused_act(table, 0, Nominate(0, 1), stale) == Refusal.STALE
    assert state_of(table).nominee == 2
    assert fresh(table).version == version


def test_votes_of_two_people_do_not_conflict(table):
    act(table, Nominate(0, 2))
    decision = state_of(table).decision
    # Both players read the table before either of them votes.
    for seat in (1, 2):
        play.act(
            table=table,
            user=user_at(table, seat),
            action=Vote(seat, JA),
            decision=decision,
            key="mine",
        )

    assert state_of(table).to_act == (0, 3, 4)


def test_a_ballot_after_the_last_one_is_stale(table):
    act(table, Nominate(0, 2))
    decision = state_of(table).decision
    play_until(table, in_phase(Phase.PRESIDENT_DISCARDS))

    assert refused_act(table, 1, Vote(1, NEIN), decision) == Refusal.STALE


def test_the_rules_own_reason_comes_through(table):
    decision = state_of(table).decision

    assert refused_act(table, 0, Nominate(0, 0), decision) == Reason.YOURSELF
    assert refused_act(table, 1, Nominate(1, 2), decision) == Reason.NOT_YOUR_TURN
    assert refused_act(table, 0, Vote(0, JA), decision) == Reason.WRONG_PHASE
    assert rows(table) == []


def test_no_one_moves_for_another_seat(table):
    assert refused_act(table, 1, Nominate(0, 2), state_of(table).decision) == Refusal.NOT_SEATED


def test_people_without_a_seat_do_not_move(table, spectator, neighbour):
    for outsider in (spectator, neighbour):
        with pytest.raises(Refused) as refused:
            play.act(
                table=table,
                user=outsider.user,
                action=Nominate(0, 2),
                decision=state_of(table).decision,
                key="k",
            )
        assert refused.value.refusal == Refusal.NOT_SEATED


def test_the_end_is_written_down(table):
    outcome = play_until(table, is_over).outcome

    over = fresh(table)
    assert over.stage == Table.Stage.OVER
    assert (over.game.winner, over.game.ending) == (str(outcome.winner), str(outcome.ending))
    assert over.game.ended_at == over.game.actions.last().at
    assert over.game.deadline is over.game.bot_moves_at is over.game.wakes_at is None


def test_a_game_that_did_not_begin_or_was_closed_has_no_moves(db):
    from games.services.tables import close_table
    from tests.builders.tables import gather

    table = gather()
    assert refused_act(table, 0, Nominate(0, 1), "1-nomination") == Refusal.NOT_STARTED
    close_table(table=table, user=table.host)
    assert refused_act(table, 0, Nominate(0, 1), "1-nomination") == Refusal.NOT_OPEN
    # The clock has nothing to do there.
    play.settle(table.pk)


def test_a_second_veto_is_refused_in_the_same_session(table):
    state = play_until(
        table, lambda state: state.fascist == 5 and state.phase is Phase.CHANCELLOR_ENACTS
    )
    chancellor, president = state.chancellor, state.president
    veto = legal_actions(state, chancellor)[-1]
    state = act(table, veto, key="veto")
    state = act(table, legal_actions(state, president)[-1])
    assert state.phase is Phase.CHANCELLOR_ENACTS

    assert refused_act(table, chancellor, veto, state.decision, "k") == Reason.VETO_REFUSED
    # A browser that missed the answer may repeat the first proposal; that is still a success.
    first = next(step for step in position(table).steps if step.action == veto)
    play.act(table=table, user=user_at(table, chancellor), action=veto, decision="old", key="veto")
    assert position(table).steps[-1].number > first.number


def test_whoever_acts_is_not_late_any_more(table):
    Seat.objects.filter(table=table, number=0).update(times_late=1)

    act(table, fascist_dream(state_of(table), 0))

    assert table.seats.get(number=0).times_late == 0


def test_who_waited_longer_for_the_table_does_not_turn_the_log_s_time_back(table):
    act(table, Nominate(0, 2))
    (first,) = fresh(table).game.actions.all()

    act(table, Vote(1, Ballot.JA), now=first.at - timedelta(seconds=1))

    assert [row.at for row in fresh(table).game.actions.all()] == [first.at, first.at]
