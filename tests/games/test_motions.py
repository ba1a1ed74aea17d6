"""Motions: a seat without its player gets a substitute, or the game ends."""

import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import positions, screens
from games.affairs import needed
from games.hub import GONE
from games.models import Game, Look, Motion, Sat, Seat, Table
from games.refusals import Refusal, Refused
from games.rooms import room_with
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot, Role
from games.rules.record import read_record
from games.rules.view import view_for
from games.screens import table_panels
from games.services import deadlines, motions, play, questions, substitutes, tables, talk
from tests.games.person import Person
from tests.games.sockets import PANELS, Socket, does
from tests.games.stories import (
    NAMES,
    act,
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
from tests.games.worlds import enter, other_worlds

SECOND = timedelta(seconds=1)
PRIVATE = ("you", "action", "affairs_mine")


def goes_away(table: Table, *numbers: int) -> None:
    """Mark these seats as away, as after two successive decisions by the clock."""
    Seat.objects.filter(table=table, number__in=numbers).update(is_away=True, times_late=2)
    Table.objects.filter(pk=table.pk).update(version=F("version") + 1)


def waits(table: Table, *names: str) -> None:
    for name in names:
        substitutes.join_list(table=table, user=person(name))


def moves(table: Table, by: str = "Ada", *, number: int = 3, name: str = "Dario", **how) -> None:
    how = {"substitute": "Sofia"} | how
    motions.move_replacement(table=table, user=person(by), number=number, name=name, **how)


def votes(table: Table, *names: str, is_for: bool = True, ordinal: int = 1) -> None:
    for name in names:
        motions.vote(table=table, user=person(name), ordinal=ordinal, is_for=is_for)


def replaced(table: Table) -> None:
    """Replace Dario in seat 3 by Sofia."""
    goes_away(table, 3)
    waits(table, "Sofia")
    moves(table)
    votes(table, "Boris", "Chika")
    assert the_motion(table).outcome == Motion.Outcome.PASSED


def stopped(table: Table) -> None:
    """End the game by a motion after two of five players have left."""
    goes_away(table, 3, 4)
    motions.move_stop(table=table, user=person("Ada"))
    votes(table, "Boris")


def the_motion(table: Table) -> Motion:
    return table.motions.latest("ordinal")


def refusal_of(service, **arguments: object) -> Refusal:
    with pytest.raises(Refused) as refused:
        service(**arguments)
    return refused.value.refusal


def panels(table: Table, name: str) -> dict[str, str]:
    found = table_panels(room_with(table.pk), person(name).pk, "en")
    return {panel: found[panel].html for panel in found}


# A seat without its player ------------------------------------------------------------------------


def test_a_vote_of_those_present_gives_the_seat_to_the_first_who_waits(table):
    goes_away(table, 3)
    waits(table, "Sofia", "Zoe")
    moves(table)
    votes(table, "Boris")
    assert table.seats.get(number=3).user == person("Dario")

    votes(table, "Chika")

    seat = table.seats.get(number=3)
    assert (seat.user, seat.name) == (person("Sofia"), "Sofia")
    assert (seat.is_away, seat.times_late) == (False, 0)
    assert Sat.objects.filter(table=table, user=person("Sofia")).exists()
    assert [waiting.name for waiting in table.substitutes.all()] == ["Zoe"]
    assert fresh(table).asked_until is None


def test_the_newcomer_sees_to_the_byte_what_the_seat_sees(table):
    act(table, Nominate(0, 2))
    before = panels(table, "Dario")
    assert "Fascist" in before["you"] and "vote:ja" in before["action"]

    replaced(table)

    after = panels(table, "Sofia")
    for panel in ("you", "action"):
        assert after[panel].replace("Sofia", "Dario") == before[panel]


@pytest.mark.parametrize("seat", range(5))
def test_the_former_player_sees_to_the_byte_what_a_spectator_sees(table, seat):
    """Former players get no hidden facts, whatever they knew, and none of their buttons."""
    state = play_until(table, lambda state: state.fascist == 3)
    assert state.knowledge
    name = NAMES[seat]
    movers = [other for other in NAMES[:5] if other != name]
    goes_away(table, seat)
    waits(table, "Sofia")
    moves(table, movers[0], number=seat, name=name)
    votes(table, movers[1], movers[2])

    gone, onlooker = panels(table, name), panels(table, "Zoe")

    assert set(gone) == set(onlooker)
    for panel in gone:
        if panel != "affairs_mine":
            assert gone[panel] == onlooker[panel], panel
    assert "<button" not in gone["affairs_mine"]
    former, watching = (Person(person(who), table).page() for who in (name, "Zoe"))
    assert "data-you" not in former
    assert former.count("<form") == watching.count("<form") - 1


def test_the_former_player_can_no_longer_act_and_the_newcomer_can(table):
    act(table, Nominate(0, 2))
    dario, sofia = (Person(person(name), table) for name in ("Dario", "Sofia"))
    form, _ = dario.form_with("vote:ja")
    replaced(table)

    data = form.fields | {"choice": "vote:ja"}
    data.pop("csrfmiddlewaretoken")
    refused = dario.post(form.action, data)

    assert refused.status_code == 422
    assert "You have no seat at this table." in refused.content.decode()
    assert position(table).length == 1
    assert sofia.press("vote:nein").status_code == 303
    row = fresh(table).game.actions.get(number=1)
    assert (row.seat, row.by) == (3, "player")
    # Posting the same form twice acts once, as for every player.
    assert sofia.press("vote:nein").status_code in (303, 409)


def test_the_former_player_is_not_taken_again(table):
    replaced(table)

    refused = refusal_of(substitutes.join_list, table=table, user=person("Dario"))

    assert refused == Refusal.HAS_SAT


def test_who_listens_to_the_gallery_takes_no_seat_of_that_game(table):
    talk.enter_gallery(table=table, user=person("Sofia"))
    refused = refusal_of(substitutes.join_list, table=table, user=person("Sofia"))
    assert refused == Refusal.HEARD_THE_GALLERY

    waits(table, "Zoe")
    talk.enter_gallery(table=table, user=person("Zoe"))
    assert not table.substitutes.exists()


def test_a_private_table_is_closed_to_the_former_player(db):
    table = run_table(is_private=True)
    dario = Person(person("Dario"), table)
    dario.page()

    replaced(table)

    assert dario.get(dario.url).status_code == 404
    assert dario.post(f"{dario.url}act/").status_code == 404


def test_the_decision_at_hand_gets_its_whole_time_once_more(table):
    Game.objects.filter(table=table).update(deadline=timezone.now() + SECOND)

    replaced(table)

    game = fresh(table).game
    assert game.deadline > timezone.now() + timedelta(seconds=30)
    assert game.wakes_at == game.deadline


def test_the_minutes_tell_it_in_its_place_and_by_the_names_of_the_time(table):
    act(table, Nominate(0, 3))
    replaced(table)
    for seat in range(5):
        act(table, Vote(seat, Ballot.NEIN))

    log = panels(table, "Zoe")["log"]

    told = "takes over the seat of"
    assert log.count(told) == 1
    before, after = log.split(told)
    # Dario nominated; the ballot after that is Sofia's.
    assert ">Dario</bdi>" in before and before.count("Sofia") == 1
    assert "Sofia" in after and after.count("Dario") == 1


def test_the_minutes_are_the_same_for_who_comes_late(table):
    act(table, Nominate(0, 3))
    replaced(table)
    act(table, Vote(0, Ballot.JA))
    known = panels(table, "Zoe")["log"]
    positions.forget_all()
    screens.forget_all()

    assert panels(table, "Zoe")["log"] == known


def test_who_comes_back_ends_the_motion_about_their_seat(table):
    goes_away(table, 3)
    waits(table, "Sofia")
    moves(table)

    play.come_back(table=table, user=person("Dario"))

    assert the_motion(table).outcome == Motion.Outcome.LAPSED
    assert fresh(table).asked_until is None
    refused = refusal_of(motions.vote, table=table, user=person("Boris"), ordinal=1, is_for=True)
    assert refused == Refusal.STALE
    assert table.seats.get(number=3).user == person("Dario")


def test_who_acts_has_come_back_too(table):
    act(table, Nominate(0, 2))
    goes_away(table, 3)
    waits(table, "Sofia")
    moves(table)

    act(table, Vote(3, Ballot.JA))

    assert the_motion(table).outcome == Motion.Outcome.LAPSED
    assert "proposes that" not in panels(table, "Zoe")["affairs"]


def test_with_half_of_those_present_it_is_rejected(table):
    goes_away(table, 3)
    waits(table, "Sofia")
    moves(table)
    assert needed(list(table.seats.all())) == 3

    votes(table, "Boris")
    votes(table, "Chika", "Ewa", is_for=False)

    assert the_motion(table).outcome == Motion.Outcome.REJECTED
    assert table.seats.get(number=3).user == person("Dario")


def test_when_its_time_is_over_missing_votes_are_not_in_favour(table):
    goes_away(table, 3)
    waits(table, "Sofia")
    moves(table)
    votes(table, "Boris")
    until = fresh(table).asked_until
    questions.settle(table.pk, now=until - SECOND)
    assert the_motion(table).is_open

    questions.settle(table.pk, now=until + SECOND)

    assert the_motion(table).outcome == Motion.Outcome.REJECTED
    assert fresh(table).asked_until is None
    version = fresh(table).version
    questions.settle(table.pk, now=until + SECOND)
    assert fresh(table).version == version


def test_whoever_looks_settles_a_motion_whose_time_is_over(table, settings):
    settings.MOTION_SECONDS = -1.0
    goes_away(table, 3)
    waits(table, "Sofia")
    moves(table)

    Person(None, table).page()

    assert the_motion(table).outcome == Motion.Outcome.REJECTED


def test_the_dead_vote_as_the_living_do_and_the_away_do_not(table):
    play_until(table, lambda state: len(state.alive) < 5)
    (dead,) = set(range(5)) - set(state_of(table).alive)
    here = [number for number in range(5) if number != 3]
    assert dead in here
    goes_away(table, 3)
    waits(table, "Sofia")
    moves(table, NAMES[dead])

    assert refusal_of(motions.vote, table=table, user=person("Dario"), ordinal=1, is_for=False) == (
        Refusal.YOU_ARE_AWAY
    )
    votes(table, *[NAMES[number] for number in here if number != dead][:2])

    assert table.seats.get(number=3).name == "Sofia"


def test_everybody_has_one_vote_and_keeps_it(table):
    goes_away(table, 3)
    waits(table, "Sofia")
    moves(table)

    votes(table, "Ada", "Boris", "Boris")

    assert the_motion(table).votes == {"0": True, "1": True}
    for name in ("Ada", "Boris"):
        refused = refusal_of(motions.vote, table=table, user=person(name), ordinal=1, is_for=False)
        assert refused == Refusal.HAS_VOTED
    refused = refusal_of(motions.vote, table=table, user=person("Sofia"), ordinal=1, is_for=True)
    assert refused == Refusal.NOT_SEATED


def test_one_motion_at_a_time_and_the_rejected_mover_waits(table):
    goes_away(table, 3, 4)
    waits(table, "Sofia")
    moves(table)
    assert refusal_of(motions.move_stop, table=table, user=person("Boris")) == Refusal.MOTION_OPEN
    votes(table, "Boris", "Chika", is_for=False)

    assert refusal_of(motions.move_stop, table=table, user=person("Ada")) == Refusal.MOVED_LATELY
    motions.move_stop(table=table, user=person("Boris"))

    assert the_motion(table).ordinal == 2


def test_a_motion_is_about_somebody_away_and_the_people_whom_the_mover_saw(table):
    waits(table, "Sofia")
    move = motions.move_replacement
    ada, dario = person("Ada"), {"number": 3, "name": "Dario"}
    sofia = {"substitute": "Sofia"}
    assert refusal_of(move, table=table, user=ada, **dario, **sofia) == Refusal.NOT_AWAY
    goes_away(table, 3)
    wrong = {"number": 3, "name": "Ewa"}
    assert refusal_of(move, table=table, user=ada, **wrong, **sofia) == Refusal.STALE
    assert refusal_of(move, table=table, user=ada, **dario, substitute="Zoe") == Refusal.STALE
    assert refusal_of(move, table=table, user=person("Sofia"), **dario, **sofia) == (
        Refusal.NOT_SEATED
    )
    substitutes.leave_list(table=table, user=person("Sofia"))
    assert refusal_of(move, table=table, user=ada, **dario, **sofia) == Refusal.NOBODY_WAITS


def test_a_seat_whose_account_is_gone_can_be_given_away(table):
    tables.note_account_gone(person("Dario").pk)
    person("Dario").delete()
    waits(table, "Sofia")

    moves(table)
    votes(table, "Boris", "Chika")

    assert table.seats.get(number=3).user == person("Sofia")


def test_a_bot_is_never_replaced(db):
    table = run_table(NAMES[:4], bots=1)
    bot = table.seats.exclude(bot="").get()
    waits(table, "Sofia")

    refused = refusal_of(
        motions.move_replacement,
        table=table,
        user=person("Ada"),
        number=bot.number,
        name=bot.name,
        substitute="Sofia",
    )

    assert refused == Refusal.NOT_AWAY


# The waiting list ---------------------------------------------------------------------------------


def test_only_who_knows_nothing_more_may_wait_for_a_seat(table):
    join = substitutes.join_list
    assert refusal_of(join, table=table, user=person("Ada")) == Refusal.ALREADY_SEATED
    Look.objects.create(
        table=table,
        moderator=person("Mira"),
        reason="r",
        length=0,
        round=1,
        at=timezone.now(),
        key="k",
    )
    assert refusal_of(join, table=table, user=person("Mira")) == Refusal.HAS_LOOKED
    table.kicks.create(user=person("Nadia"))
    assert refusal_of(join, table=table, user=person("Nadia")) == Refusal.KICKED
    gathering = gather([f"{name}2" for name in NAMES[:5]])
    assert refusal_of(join, table=gathering, user=person("Sofia")) == Refusal.NOT_STARTED


def test_who_looks_behind_the_cards_while_waiting_does_not_get_the_seat(table):
    goes_away(table, 3)
    waits(table, "Sofia")
    moves(table)
    Look.objects.create(
        table=table,
        moderator=person("Sofia"),
        reason="r",
        length=0,
        round=1,
        at=timezone.now(),
        key="k",
    )

    votes(table, "Boris", "Chika")

    assert the_motion(table).outcome == Motion.Outcome.LAPSED
    assert table.seats.get(number=3).user == person("Dario")


def test_who_leaves_the_list_ends_the_motion_to_seat_them(table):
    goes_away(table, 3)
    waits(table, "Sofia", "Zoe")
    moves(table)

    substitutes.leave_list(table=table, user=person("Sofia"))

    assert the_motion(table).outcome == Motion.Outcome.LAPSED
    assert [waiting.name for waiting in table.substitutes.all()] == ["Zoe"]


def test_nobody_waits_under_a_name_that_is_taken(db):
    table = run_table(NAMES[:4], bots=1)
    bot = table.seats.exclude(bot="").get()

    refused = refusal_of(substitutes.join_list, table=table, user=person(bot.name.lower()))

    assert refused == Refusal.NAME_TAKEN


def test_waiting_and_voting_work_by_plain_forms(table):
    goes_away(table, 3)
    sofia, ada, boris, chika = (
        Person(person(name), table) for name in ("Sofia", "Ada", "Boris", "Chika")
    )
    assert sofia.press("waiting").status_code == 303
    assert "Waiting for a seat: <bdi>Sofia</bdi>" in ada.page()
    assert "Leave the waiting list" in sofia.page()

    assert ada.press("replace-3").status_code == 303
    assert "proposes that <bdi>Sofia</bdi> take over the seat of <bdi>Dario</bdi>" in sofia.page()
    assert 'id="motion-for"' not in sofia.page() + ada.page()
    # A motion does not take away the move that the player has to make.
    assert "nominate:2" in ada.choices()
    assert boris.press("motion-for").status_code == 303
    assert "In favour: <bdi>Ada</bdi> and <bdi>Boris</bdi>" in sofia.page()
    assert chika.press("motion-for").status_code == 303

    assert "data-you" in sofia.page()


@pytest.mark.parametrize(
    ("button", "data"),
    [
        ("motions", {}),
        ("motions", {"kind": "replace"}),
        ("motions", {"kind": "replace", "number": "-1"}),
        ("motions", {"kind": "replace", "number": "x", "name": "Dario"}),
        ("motions", {"kind": "burn"}),
        ("motions/vote", {}),
        ("motions/vote", {"ordinal": "0", "vote": "for"}),
        ("motions/vote", {"ordinal": "9" * 40, "vote": "for"}),
        ("motions/vote", {"ordinal": "1", "vote": "perhaps"}),
        ("waiting", {}),
        ("waiting", {"wish": "x" * 5000}),
    ],
)
def test_nonsense_is_refused_and_changes_nothing(table, button, data):
    ada = Person(person("Ada"), table)
    version = fresh(table).version

    assert ada.post(f"{ada.url}{button}/", data).status_code == 422
    assert ada.post(f"{ada.url}{button}/", data, htmx=True).status_code == 422

    assert fresh(table).version == version


# A blind table ------------------------------------------------------------------------------------


def test_at_a_blind_table_no_name_comes_out_by_a_motion(table):
    Table.objects.filter(pk=table.pk).update(is_blind=True, version=F("version") + 1)
    for seat, name in enumerate(("Aachen", "Bremen", "Coburg", "Dresden", "Emden")):
        Seat.objects.filter(table=table, number=seat).update(name=name)
    goes_away(table, 3)
    waits(table, "Sofia")
    pages = [panels(table, "Zoe"), panels(table, "Ada")]
    moves(table, name="Dresden", substitute="")
    pages += [panels(table, "Zoe"), panels(table, "Ada")]
    votes(table, "Boris", "Chika")
    pages += [panels(table, "Zoe"), panels(table, "Ada"), panels(table, "Dario")]

    assert table.seats.get(number=3).user == person("Sofia")
    assert table.seats.get(number=3).name == "Dresden"
    for page in pages:
        for name in ("Sofia", *NAMES[:5]):
            assert name not in "".join(page.values())
    assert "The table has given the seat of" in pages[-1]["log"]
    assert "1 person is waiting for a seat" in pages[0]["affairs"]


# Too many have left -------------------------------------------------------------------------------


def test_a_third_must_have_left_before_the_game_may_be_ended(db):
    table = run_table(NAMES[:7], seed=None)
    goes_away(table, 5, 6)
    refused = refusal_of(motions.move_stop, table=table, user=person("Ada"))
    assert refused == Refusal.NOT_ENOUGH_GONE
    assert "end the game" not in panels(table, "Ada")["affairs_mine"]

    goes_away(table, 4)

    assert "end the game" in panels(table, "Ada")["affairs_mine"]
    motions.move_stop(table=table, user=person("Ada"))
    assert the_motion(table).is_open


def test_a_stopped_game_has_no_winner_and_an_ending_of_its_own(table):
    stopped(table)

    game = fresh(table).game
    assert fresh(table).stage == Table.Stage.OVER
    assert (game.stopped, game.winner, game.ending) == ("abandoned", "", "")
    assert game.ended_at is not None
    assert (game.wakes_at, game.deadline, game.bot_moves_at) == (None, None, None)


def test_a_stopped_game_shows_everybody_all_that_was_hidden(table):
    play_until(table, lambda state: state.fascist == 1)
    assert "role-hitler" not in panels(table, "Zoe")["seats"]

    stopped(table)

    for name in ("Ada", "Dario", "Zoe"):
        shown = panels(table, name)
        assert "role-hitler" in shown["seats"]
        assert "ended without a winner" in shown["banner"]
        assert "What was hidden" in shown["you"]
        assert "to act" not in shown["seats"]
        assert "The game is over" in shown["action"]
    assert "the game ends here without a winner" in panels(table, "Zoe")["log"]
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


# Secrecy, and sockets -----------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_nothing_about_a_motion_depends_on_what_is_hidden(table, viewer):
    play_until(table, lambda state: state.fascist == 1)
    goes_away(table, 3, 4)
    waits(table, "Sofia")
    moves(table)
    votes(table, "Boris", is_for=False)
    (world,) = other_worlds(table, viewer, 1)
    name = "Zoe" if viewer is None else NAMES[viewer]
    here = panels(table, name)

    enter(table, world)

    assert panels(table, name) == here


def test_a_motion_adds_no_statement_to_a_move(table):
    """Motions are read with the table's version, not with every move."""
    act(table, Nominate(0, 2))
    panels(table, "Zoe")
    before = statements_of(table, Vote(0, Ballot.JA))
    assert before == 5
    goes_away(table, 3)
    waits(table, "Sofia")
    moves(table)
    panels(table, "Zoe")

    assert statements_of(table, Vote(1, Ballot.JA)) == before


def statements_of(table: Table, vote: Vote) -> int:
    """Return the number of statements that a ballot takes."""
    user, decision = person(NAMES[vote.seat]), state_of(table).decision
    with CaptureQueriesContext(connection) as queries:
        play.act(table=table, user=user, action=vote, decision=decision, key=f"k{vote.seat}")
    return len(queries)


on_a_line = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("closed_lines")]


def with_marks(test):
    for mark in on_a_line:
        test = mark(test)
    return test


@with_marks
async def test_the_former_player_s_socket_becomes_a_spectator_s(transactional_db):
    table = await does(run_table)()
    people = {
        name: await Socket(await does(Person)(await does(person)(name), table)).catches_up()
        for name in ("Dario", "Sofia", "Zoe")
    }
    await does(replaced)(table)

    shown = {}
    for name, socket in people.items():
        await socket.send(have={})
        shown[name] = await last_frame(socket)
        await socket.line.disconnect()

    assert "You are watching" in shown["Dario"] and "You are watching" in shown["Zoe"]
    assert "data-you=" not in shown["Dario"]
    assert 'data-you="3"' in shown["Sofia"]
    assert without_own_buttons(shown["Dario"]) == without_own_buttons(shown["Zoe"])


async def last_frame(socket: Socket) -> str:
    """Return the HTML of the final full frame, which answers a client without any panel."""
    while True:
        answer = await socket.answer()
        socket.frames += 1
        await socket.send(ack=socket.frames)
        if len(answer["panels"]) == len(PANELS):
            return answer["html"]


def without_own_buttons(html: str) -> str:
    return html.partition('<section id="panel-affairs_mine"')[0]


@with_marks
async def test_at_a_private_table_the_former_player_s_socket_closes(transactional_db):
    table = await does(run_table)(is_private=True)
    socket = await Socket(await does(Person)(await does(person)("Dario"), table)).catches_up()

    await does(replaced)(table)

    for _ in range(20):
        message = await socket.line.receive_output(timeout=5)
        if message["type"] == "websocket.close":
            break
    assert message.get("code") == GONE
