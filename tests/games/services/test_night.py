"""The first night: the first nomination waits until players have read their roles."""

from datetime import timedelta

import pytest

from games.models import Pace, Table
from games.panels import forget_all, table_panels
from games.rules.actions import Nominate
from games.services import night, play, table_moderation
from games.services.seat_transfer import transfer_seat
from games.state.rooms import room_of
from games.wording.refusals import Refusal
from tests.builders.cases import office
from tests.builders.person import Person
from tests.builders.refusals import refusal_of
from tests.builders.tables import (
    NAMES,
    act,
    form_of,
    fresh,
    person,
    position,
    run_table,
    seed_for,
    state_of,
    user_at,
)

SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _nights(settings):
    settings.NIGHT_SECONDS = 60.0
    settings.BOT_PAUSE = 1.0


@pytest.fixture
def table(db) -> Table:
    return run_table()


def nominate(table: Table) -> dict[str, object]:
    return {
        "table": table,
        "user": user_at(table, 0),
        "action": Nominate(0, 2),
        "decision": state_of(table).decision,
        "key": "first",
    }


def confirm(table: Table, *seats: int) -> None:
    for number in seats:
        night.confirm_role(table=table, user=user_at(table, number))


def panels(table: Table, user_pk: int | None) -> dict[str, str]:
    forget_all()
    room = room_of(table.code)
    return {name: panel.html for name, panel in table_panels(room, user_pk, "en").items()}


def test_no_one_is_nominated_until_all_have_read_their_roles(table):
    confirm(table, 0, 1, 2, 3)
    assert refusal_of(play.act, **nominate(table)) == Refusal.NIGHT
    assert position(table).length == 0

    confirm(table, 4)

    act(table, Nominate(0, 2))
    assert position(table).length == 1


def test_after_a_minute_the_first_round_begins_without_the_others(table):
    game = fresh(table).game
    assert game.wakes_at == game.night_until
    assert game.night_until - game.started_at < 61 * SECOND

    play.settle(table.pk, now=game.night_until - SECOND)
    assert fresh(table).game.night_until is not None
    play.settle(table.pk, now=game.night_until)

    after = fresh(table)
    assert after.game.night_until is None
    # Pages learn of it, and the candidate still has their full time.
    assert after.version > table.version
    assert after.game.deadline == game.night_until + Pace.NORMAL.time == after.game.wakes_at
    act(table, Nominate(0, 2), now=game.night_until + SECOND)


def test_the_candidate_s_time_begins_when_the_last_player_has_read(table):
    waits_until = fresh(table).game.deadline
    confirm(table, 0, 1, 2, 3, 4)

    game = fresh(table).game
    assert game.night_until is None
    assert waits_until - game.deadline > 50 * SECOND


def test_to_confirm_twice_changes_nothing_and_no_action_is_recorded(table):
    confirm(table, 1)
    version = fresh(table).version
    confirm(table, 1)

    assert fresh(table).version == version
    assert not fresh(table).game.actions.exists()


def test_only_players_confirm(table):
    assert refusal_of(night.confirm_role, table=table, user=person("Zoe")) == Refusal.NOT_SEATED


def test_the_night_does_not_wait_for_bots_and_no_bot_nominates_in_it(db):
    # A bot is the first candidate.
    table = run_table(NAMES[:1], bots=4, seed=seed_for(5, "LLLFH", 2))
    game = fresh(table).game
    assert game.night_until < game.bot_moves_at < game.deadline

    confirm(table, 0)

    soon = fresh(table).game
    assert soon.night_until is None
    assert game.bot_moves_at - soon.bot_moves_at > 50 * SECOND
    play.settle(table.pk, now=soon.bot_moves_at)
    assert position(table).length == 1


def test_the_night_does_not_wait_for_a_player_who_is_away(table):
    table.seats.filter(number=4).update(is_away=True)
    Table.objects.filter(pk=table.pk).update(version=table.version + 1)
    confirm(table, 0, 1, 2, 3)

    assert fresh(table).game.night_until is None


def test_a_game_from_before_the_night_waited_goes_on(settings, db):
    settings.NIGHT_SECONDS = 0.0
    table = run_table()
    settings.NIGHT_SECONDS = 60.0

    assert fresh(table).game.night_until is None
    act(table, Nominate(0, 2))


def test_a_frozen_night_goes_on_where_it_stopped(table):
    mira = office("Mira")
    until = fresh(table).game.night_until
    at = until - 20 * SECOND
    freeze = {"actor": mira, "table": table, "reason": "x"}
    table_moderation.freeze_table(**freeze, because="report", now=at)
    assert fresh(table).game.wakes_at is None
    assert refusal_of(night.confirm_role, table=table, user=user_at(table, 0)) == Refusal.FROZEN

    table_moderation.thaw_table(**freeze, now=at + timedelta(hours=1))

    game = fresh(table).game
    assert game.night_until == game.wakes_at == until + timedelta(hours=1)


def test_a_newcomer_to_a_seat_reads_the_role_anew(table):
    confirm(table, 4)
    with play.locked_game_at(table) as locked_game:
        transfer_seat(locked_game, 4, newcomer=person("Zoe"), name="Zoe")

    assert not table.seats.get(number=4).has_read_role
    confirm(table, 0, 1, 2, 3)
    assert fresh(table).game.night_until is not None


def plain(html: str) -> str:
    return html.replace("<bdi>", "").replace("</bdi>", "")


# What pages show ----------------------------------------------------------------------------------


def test_everyone_sees_who_has_read_their_role_and_nothing_else(table):
    confirm(table, 1, 4)
    everyone = panels(table, None)

    assert everyone["seats"].count("has read their role") == 2
    assert "Still reading: Ada, Chika, and Dario" in plain(everyone["banner"])
    assert "nominate" not in everyone["action"]


def test_the_first_candidate_gets_the_choice_when_the_night_is_over(table):
    ada = user_at(table, 0).pk
    assert 'id="confirm-role"' in panels(table, ada)["action"]
    assert "nominate:" not in panels(table, ada)["action"]

    confirm(table, 0)
    waits = panels(table, ada)["action"]
    assert 'id="confirm-role"' not in waits and "nominate:" not in waits
    assert "Waiting for Boris, Chika, Dario, and Ewa" in plain(waits)

    confirm(table, 1, 2, 3, 4)
    after = panels(table, ada)
    assert "nominate:" in after["action"]
    assert "has read their role" not in after["seats"]


def test_the_form_is_the_same_for_every_role(table):
    shown = {panels(table, user_at(table, number).pk)["action"] for number in range(5)}
    assert len(shown) == 1


def test_a_role_is_confirmed_by_a_plain_form(table):
    ada = Person(user_at(table, 0), table)
    assert 'id="confirm-role"' in ada.page()

    assert ada.press("confirm-role").status_code == 303

    assert table.seats.get(number=0).has_read_role
    assert 'id="confirm-role"' not in ada.page()


def test_a_nomination_in_the_night_is_refused_with_the_reason(table):
    ada = Person(user_at(table, 0), table)
    answer = ada.post(f"{ada.url}act/", form_of(table, "nominate:2"))

    assert answer.status_code == 422
    assert "still night" in answer.content.decode()
