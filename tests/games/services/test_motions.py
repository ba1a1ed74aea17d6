"""Motions: a seat without its player gets a substitute, or the game ends."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import panels
from games.models import Game, Motion, Sat
from games.rules.actions import Nominate, Vote
from games.rules.components import Ballot
from games.services import chat, coach, motions, play, substitutes, tables, timed_questions
from games.state import positions
from games.state.administration import votes_needed
from games.wording.refusals import Refusal
from tests.builders.motions import goes_away, moves, panels_of, replaced, the_motion, votes, waits
from tests.builders.person import Person
from tests.builders.refusals import refusal_of
from tests.builders.tables import (
    NAMES,
    act,
    fresh,
    person,
    play_until,
    position,
    run_table,
    state_of,
)

SECOND = timedelta(seconds=1)


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
    # Hints are for a player, not for a seat.
    coach.stop_hints(table=table, user=person("Dario"))
    before = panels_of(table, "Dario")
    assert "Fascist" in before["you"] and "vote:ja" in before["action"]

    replaced(table)

    after = panels_of(table, "Sofia")
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

    gone, onlooker = panels_of(table, name), panels_of(table, "Zoe")

    assert set(gone) == set(onlooker)
    for panel in gone:
        if panel != "administration_mine":
            assert gone[panel] == onlooker[panel], panel
    assert "<button" not in gone["administration_mine"]
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
    assert "You don’t have a seat at this table." in refused.content.decode()
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
    chat.enter_gallery(table=table, user=person("Sofia"))
    refused = refusal_of(substitutes.join_list, table=table, user=person("Sofia"))
    assert refused == Refusal.HEARD_THE_GALLERY

    waits(table, "Zoe")
    chat.enter_gallery(table=table, user=person("Zoe"))
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

    log = panels_of(table, "Zoe")["log"]

    told = "takes over"
    assert log.count(told) == 1
    before, after = log.split(told)
    # Dario nominated; the ballot after that is Sofia's.
    assert ">Dario</bdi>" in before and before.count("Sofia") == 1
    assert "Sofia" in after and after.count("Dario") == 1


def test_the_minutes_are_the_same_for_who_comes_late(table):
    act(table, Nominate(0, 3))
    replaced(table)
    act(table, Vote(0, Ballot.JA))
    known = panels_of(table, "Zoe")["log"]
    positions.forget_all()
    panels.forget_all()

    assert panels_of(table, "Zoe")["log"] == known


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
    assert "proposes giving" not in panels_of(table, "Zoe")["administration"]


def test_with_half_of_those_present_it_is_rejected(table):
    goes_away(table, 3)
    waits(table, "Sofia")
    moves(table)
    assert votes_needed(list(table.seats.all())) == 3

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
    timed_questions.settle(table.pk, now=until - SECOND)
    assert the_motion(table).is_open

    timed_questions.settle(table.pk, now=until + SECOND)

    assert the_motion(table).outcome == Motion.Outcome.REJECTED
    assert fresh(table).asked_until is None
    version = fresh(table).version
    timed_questions.settle(table.pk, now=until + SECOND)
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


def test_everyone_has_one_vote_and_keeps_it(table):
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


def test_a_motion_is_about_someone_away_and_the_people_whom_the_mover_saw(table):
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
