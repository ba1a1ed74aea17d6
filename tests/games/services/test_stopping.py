"""A motion ends a game that too many players have left."""

import json
from datetime import timedelta

from django.core.management import call_command
from django.utils import timezone

from games.models import Motion, Table
from games.rules.actions import Nominate
from games.rules.components import Role
from games.rules.record import read_record
from games.rules.view import view_for
from games.services import deadlines, motions, play, substitutes, tables
from games.wording.refusals import Refusal
from tests.builders.motions import goes_away, moves, panels_of, replaced, stopped, the_motion, waits
from tests.builders.person import Person
from tests.builders.refusals import refusal_of
from tests.builders.tables import (
    NAMES,
    act,
    fascist_dream,
    fresh,
    is_over,
    person,
    play_until,
    position,
    run_table,
    state_of,
)


def test_a_third_must_have_left_before_the_game_may_be_ended(db):
    table = run_table(NAMES[:7], seed=None)
    goes_away(table, 5, 6)
    refused = refusal_of(motions.move_stop, table=table, user=person("Ada"))
    assert refused == Refusal.NOT_ENOUGH_GONE
    assert "end the game" not in panels_of(table, "Ada")["administration_mine"]

    goes_away(table, 4)

    assert "end the game" in panels_of(table, "Ada")["administration_mine"]
    motions.move_stop(table=table, user=person("Ada"))
    assert the_motion(table).is_open


def test_a_stopped_game_has_no_winner_and_an_ending_of_its_own(table):
    stopped(table)

    game = fresh(table).game
    assert fresh(table).stage == Table.Stage.OVER
    assert (game.stopped, game.winner, game.ending) == ("abandoned", "", "")
    assert game.ended_at is not None
    assert (game.wakes_at, game.deadline, game.bot_moves_at) == (None, None, None)


def test_a_stopped_game_shows_everyone_all_that_was_hidden(table):
    play_until(table, lambda state: state.fascist == 1)
    assert "role-hitler" not in panels_of(table, "Zoe")["seats"]

    stopped(table)

    for name in ("Ada", "Dario", "Zoe"):
        shown = panels_of(table, name)
        assert "role-hitler" in shown["seats"]
        assert "ended without a winner" in shown["banner"]
        assert "What was hidden" in shown["you"]
        assert "to act" not in shown["seats"]
        assert "The game is over" in shown["action"]
    assert "voted to end the game here, without a winner" in panels_of(table, "Zoe")["log"]
    view = view_for(state_of(table), None, is_stopped=True)
    assert view.roles.count(Role.HITLER) == 1 and view.to_act == () and view.legal == ()


def test_nothing_moves_in_a_stopped_game(table):
    ada = Person(person("Ada"), table)
    form, _ = ada.form_with("nominate:2")
    data = form.fields | {"choice": "nominate:2"}
    data.pop("csrfmiddlewaretoken")
    stopped(table)

    refused = ada.post(form.action, data)

    assert refused.status_code == 422
    assert "The game is over." in refused.content.decode()
    play.settle(table.pk, now=timezone.now() + timedelta(days=2))
    assert deadlines.claim_due_games(timezone.now() + timedelta(days=2)) == []
    assert position(table).length == 0
    for service in (play.come_back, motions.move_stop, substitutes.join_list):
        assert refusal_of(service, table=table, user=person("Boris")) == Refusal.GAME_OVER


def test_the_record_of_a_stopped_game_replays_and_claims_no_outcome(table, tmp_path, capsys):
    play_until(table, lambda state: state.fascist == 1)
    stopped(table)

    data = json.loads(Person(None, table).get(f"{table.get_absolute_url()}record/").content)

    assert data["outcome"] is None and data["stopped"] == "abandoned"
    assert len(read_record(data).entries) == position(table).length
    path = tmp_path / "record.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    call_command("replay", str(path), "--verify")
    call_command("replay", str(path), "--json")
    assert '"phase"' in capsys.readouterr().out


def test_the_record_names_who_sits_there_in_the_end_and_who_was_replaced(table):
    act(table, Nominate(0, 2))
    replaced(table)
    play_until(table, is_over)

    data = json.loads(Person(None, table).get(f"{table.get_absolute_url()}record/").content)

    assert data["seats"] == ["Ada", "Boris", "Chika", "Sofia", "Ewa"]
    assert data["replacements"] == [{"seat": 3, "after": 1, "from": "Dario", "to": "Sofia"}]
    assert "stopped" not in data
    read_record(data)


def test_people_play_again_after_a_stopped_game(table):
    stopped(table)

    again = tables.play_again(table=table, user=person("Ada"))

    assert again.stage == Table.Stage.OPEN


def test_a_game_that_ends_by_the_rules_takes_its_motion_along(table):
    play_until(table, lambda state: state.fascist == 5)
    goes_away(table, 3)
    waits(table, "Sofia")
    moves(table)

    play_until(table, is_over, fascist_dream)

    assert the_motion(table).outcome == Motion.Outcome.LAPSED
    assert fresh(table).asked_until is None
    assert fresh(table).game.stopped == ""


def test_coming_back_ends_the_motion_to_stop_where_it_makes_too_few_absent(table):
    goes_away(table, 3, 4)
    motions.move_stop(table=table, user=person("Ada"))

    play.come_back(table=table, user=person("Dario"))

    assert the_motion(table).outcome == Motion.Outcome.LAPSED
    assert fresh(table).stage == Table.Stage.RUNNING
