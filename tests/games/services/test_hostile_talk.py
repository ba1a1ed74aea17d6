"""Nothing that people write stops a game."""

import pytest

from games import bots
from games.models import Chat
from games.rules.actions import Vote
from games.rules.components import Ballot
from games.rules.phases import Phase
from games.services import account_deletion, bot_talk, chat, phrases, play, tables
from games.state import rooms
from games.state.rooms import room_of
from tests.builders.tables import (
    NAMES,
    act,
    fresh,
    gather,
    position,
    run_table,
    state_of,
    user_at,
)

pytestmark = pytest.mark.django_db


def type_text(table, user, text):
    chat.say(table=fresh(table), user=user, text=text, place="table", key="")


def goes_on(table, moves=6):
    """Return whether so many moves come by themselves."""
    length = position(table).length
    for _ in range(80):
        state = state_of(table)
        if state.outcome is not None or position(table).length >= length + moves:
            return True
        people = [seat for seat in state.to_act if table.seats.get(number=seat).user_id]
        if people and state.phase is Phase.ELECTION:
            act(table, Vote(people[0], Ballot.JA))
        else:
            game = fresh(table).game
            play.settle(table.pk, now=game.deadline if people else game.wakes_at)
    return False


@pytest.mark.parametrize("names", [NAMES[:5], ("Ada", "Boris", "Irina")])
def test_no_spelling_of_a_name_stops_a_game(names):
    table = run_table((*names[:2], "Irina", *names[3:]), bots=5 - len(names), chat=Chat.FULL)
    for text in ("Irına, are you a liberal?", "@Borıs", "Иринᲃ фашист", "Irina is a Jſ"):
        type_text(table, table.host, text)
    assert goes_on(table, 2)


def test_what_was_said_before_the_game_names_no_seats_of_it():
    table = gather(NAMES[:7], seats_wanted=7, least_seats=5, chat=Chat.FULL)
    for seat, other in ((6, 1), (0, 6), (0, 5)):
        phrases.say_phrase(
            table=table, user=user_at(table, seat), phrase="fascist", seats=[other],
            place="table", key="",
        )  # fmt: skip
    for seat in (6, 5):
        tables.leave_table(table=fresh(table), user=user_at(table, seat))
    tables.start_game(table=fresh(table), user=table.host)
    table = fresh(table)
    assert table.seats.count() == 5
    assert goes_on(table)
    heard = bot_talk.heard_at(room_of(table.code))
    assert not heard.phrases


def test_a_bot_that_inherits_the_seat_of_a_deleted_account_speaks():
    table = run_table(NAMES[:2], bots=5, chat=Chat.FULL)
    user = user_at(table, 1)
    type_text(table, user, "hello there")
    phrases.say_phrase(table=table, user=user, phrase="hello", seats=[], place="table", key="")
    account_deletion.depart_from_tables(user)
    table.seats.filter(number=1).update(bot=bots.HEIR)
    rooms.forget_all()
    assert goes_on(table, 20)
