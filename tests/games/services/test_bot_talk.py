"""Bots at a table claim, answer and remark like people: in time, in turn, blind to roles."""

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from games import bots
from games.models import Chat, Message
from games.rules.actions import Nominate, Vote
from games.rules.claims import sight_of, sights
from games.rules.components import Ballot
from games.rules.legality import legal_actions
from games.rules.phases import Phase
from games.services import bot_talk, chat, deadlines, phrases, play
from games.services.claims import make_claim
from games.state import positions, rooms
from games.state.chat import said_claim
from games.state.rooms import room_of, with_talk
from tests.builders.hidden_variants import enter, other_worlds
from tests.builders.tables import NAMES, act, fresh, run_table, seed_for, state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    """Two people and five bots, whose game has just begun."""
    return run_table(NAMES[:2], bots=5, chat=Chat.FULL)


def wake(table, until, most=300):
    """Let the clock come, and people nominate and vote Ja, until a condition holds."""
    for _ in range(most):
        if until():
            return
        state = state_of(table)
        assert state.outcome is None, "the game is over"
        people = [seat for seat in state.to_act if seat < 2]
        if people and state.phase is Phase.ELECTION:
            act(table, Vote(people[0], Ballot.JA))
        elif people:
            play.settle(table.pk, now=fresh(table).game.deadline)
        else:
            play.settle(table.pk, now=fresh(table).game.wakes_at)
    raise AssertionError("it never came to that")


def said_by_bots(table, kind):
    return list(table.messages.filter(user=None, kind=kind))


def cues_of(table, occasion):
    return [cue for cue in fresh(table).game.bot_talk if cue["occasion"] == occasion]


def type_text(table, text):
    """Let the host type a text, with the names of bots for their seats."""
    named = text.format(*table.seats.order_by("number").values_list("name", flat=True))
    chat.say(table=fresh(table), user=table.host, text=named, place="table", key="")


def talk_until_answered(table, seat, asked):
    def answered():
        later = table.messages.filter(seat=seat, number__gt=asked)
        return later.exclude(kind=Message.Kind.TEXT).exists()

    wake(table, answered)
    return table.messages.filter(seat=seat, number__gt=asked).earliest("number")


def test_bots_greet_the_table(table):
    play.settle(table.pk, now=fresh(table).game.bot_talks_at)
    greeting = said_by_bots(table, Message.Kind.PHRASE)[0]
    assert greeting.data["phrase"] in ("hello", "good_luck")
    assert greeting.name == table.seats.get(number=greeting.seat).name


def test_bots_claim_what_they_saw(table):
    wake(table, lambda: len(said_by_bots(table, Message.Kind.CLAIM)) >= 3)
    room = room_of(table.code)
    told = [(step.round, step.seat, step.events) for step in room.public_steps]
    claims = [said_claim(row.data) for row in said_by_bots(table, Message.Kind.CLAIM)]
    assert {sight_of(claim) for claim in claims} <= set(sights(told))


def test_a_bot_answers_a_question(table):
    phrases.say_phrase(
        table=table, user=table.host, phrase="are_you_liberal", seats=[3], place="table", key=""
    )
    answer = talk_until_answered(table, 3, table.messages.latest("number").number)
    assert answer.data["phrase"] == "me_liberal"
    assert answer.data["seats"] == [0]


def test_a_bot_answers_a_typed_question(table):
    type_text(table, "are you a liberal, {4}?")
    answer = talk_until_answered(table, 4, table.messages.latest("number").number)
    assert answer.data["phrase"] == "me_liberal"
    assert answer.data["seats"] == [0]


def test_a_bot_defends_itself_against_a_typed_accusation(table):
    type_text(table, "По-моему, {5} фашист, и это точно")
    [cue] = cues_of(table, "accused")
    assert (cue["seat"], cue["code"], cue["seats"]) == (5, "fascist", [0, 5])


def test_bots_understand_japanese(table):
    type_text(table, "{3}さん、誰が怪しいと思う？")
    [cue] = cues_of(table, "answer")
    assert (cue["seat"], cue["code"], cue["seats"]) == (3, "whom_suspect", [0, 3])


def test_a_bot_that_does_not_understand_says_once_that_it_is_one(table):
    type_text(table, "{4}, what a lovely evening for a walk")
    type_text(table, "{3}, purple monkeys?")
    assert not cues_of(table, "answer")
    said = table.messages.filter(data__phrase="only_bot")
    wake(table, said.exists)
    assert said.get().seat == 4
    type_text(table, "{3}, purple monkeys again?")
    assert not cues_of(table, "unclear")


def test_bots_hear_what_is_typed_at_the_table_and_not_removed(table):
    type_text(table, "I trust {3}")
    type_text(table, "my cat is asleep")
    type_text(table, "{4} is Hitler")
    table.messages.filter(text__contains="Hitler").update(removed_at=timezone.now())
    rooms.forget_all()
    heard = bot_talk.heard_at(with_talk(room_of(table.code)))
    typed = [spoken for spoken in heard.phrases if spoken.seat == 0]
    assert [(one.code, one.seats) for one in typed] == [("trust", (3,))]


def test_bots_do_not_hear_what_the_dead_say_in_the_gallery(table):
    said = table.messages.create(
        number=1, nth=1, revised=1, place=Message.Place.GALLERY, kind=Message.Kind.PHRASE,
        seat=1, user=table.seats.get(number=1).user, name="Boris", at=timezone.now(),
        data={"phrase": "hitler", "seats": [2], "names": ["Otto"]},
    )  # fmt: skip
    table.talk = 1
    table.save()
    room = room_of(table.code)
    assert [one.number for one in room.talk] == [said.number]
    assert bot_talk.heard_at(room).phrases == ()
    assert not bot_talk.plan_after_message(room, room.talk[0], said.at)


def test_a_bot_that_is_called_a_liar_defends_itself(table):
    phrases.say_phrase(
        table=table, user=table.host, phrase="fascist", seats=[5], place="table", key=""
    )
    answer = talk_until_answered(table, 5, table.messages.latest("number").number)
    assert answer.data["phrase"] in ("me_wronged", "me_liberal")


@pytest.fixture
def asked(table, monkeypatch):
    """Return the table after bots have asked the President and the candidate, both people."""
    # Every bot asks, and votes Ja.
    monkeypatch.setattr(bot_talk.secrets, "randbelow", lambda n: 0)
    act(table, Nominate(0, 4))
    while state_of(table).phase is not Phase.PRESIDENT_DISCARDS:
        seats = [seat for seat in state_of(table).to_act if seat < 2]
        if seats:
            act(table, Vote(seats[0], Ballot.JA))
        else:
            play.settle(table.pk, now=fresh(table).game.wakes_at)
    act(table, legal_actions(state_of(table), 0)[0])
    while len(cues_of(table, "silence")) < 2:
        play.settle(table.pk, now=fresh(table).game.wakes_at)
    said = [row.data for row in said_by_bots(table, Message.Kind.PHRASE)]
    questions = {data["phrase"]: data["seats"] for data in said}
    assert questions["what_drawn"] == [0] and questions["whom_nominate"] == [1]
    return table


def called_quiet(table):
    while cues_of(table, "silence"):
        play.settle(table.pk, now=fresh(table).game.wakes_at)
    said = [row.data for row in said_by_bots(table, Message.Kind.PHRASE)]
    return [data["seats"] for data in said if data["phrase"] == "too_quiet"]


def test_a_person_who_does_not_answer_is_called_quiet(asked):
    assert [0] in called_quiet(asked)


def test_a_person_who_writes_anything_is_not_called_quiet(asked):
    chat.say(table=asked, user=asked.host, text="hm", place="table", key="")
    assert [0] not in called_quiet(asked)


def test_many_questions_at_once_get_one_answer(table):
    for number in range(5):
        phrases.say_phrase(
            table=table,
            user=table.host,
            phrase="whom_suspect",
            seats=[3],
            place="table",
            key=str(number),
        )
    assert len(cues_of(table, "answer")) == 1


def test_bots_say_nothing_where_no_one_talks():
    table = run_table(NAMES[:2], bots=5, chat=Chat.NONE)
    wake(table, lambda: state_of(table).round >= 3)
    assert not table.messages.exists()


def test_a_bot_that_must_be_silent_answers_after_the_session(monkeypatch, settings):
    # The clock of this test jumps, so the bots' lines would queue up.
    settings.BOT_PAUSE = 0
    # Every bot votes Ja.
    monkeypatch.setattr(bot_talk.secrets, "randbelow", lambda n: 0)
    # By these rules no one talks during a session.
    table = run_table(NAMES[:2], bots=3, edition="ru-5-6", chat=Chat.FULL)
    phrases.say_phrase(
        table=table, user=table.host, phrase="are_you_liberal", seats=[3], place="table", key=""
    )
    act(table, Nominate(0, 4))
    # The bots vote, and the President keeps the table waiting.
    for _ in range(50):
        if state_of(table).phase is Phase.PRESIDENT_DISCARDS:
            break
        seats = [seat for seat in state_of(table).to_act if seat < 2]
        if seats:
            act(table, Vote(seats[0], Ballot.JA))
        else:
            game = fresh(table).game
            play.settle(table.pk, now=game.bot_moves_at)
    assert state_of(table).phase is Phase.PRESIDENT_DISCARDS
    before = table.messages.count()
    moment = fresh(table).game.deadline - timedelta(seconds=1)
    play.settle(table.pk, now=moment)
    assert table.messages.count() == before
    play.settle(table.pk, now=fresh(table).game.deadline)
    wake(table, lambda: table.messages.filter(seat=3, data__phrase="me_liberal").exists())


def test_a_frozen_table_hears_what_bots_had_to_say_later(table):
    game = fresh(table).game
    cue = game.bot_talk[0]
    deadlines.thaw(game, timedelta(minutes=10))
    assert game.bot_talk[0]["at"] > cue["at"]
    assert game.bot_talks_at.isoformat() == game.bot_talk[0]["at"]


def test_who_speaks_and_when_does_not_depend_on_roles(table, monkeypatch):
    wake(table, lambda: state_of(table).round >= 3 and bool(state_of(table).governments))

    def planned():
        rng = random.Random(1)
        monkeypatch.setattr(bot_talk.secrets, "randbelow", rng.randrange)
        room = room_of(table.code)
        room.game.bot_talk = []
        bot_talk.plan_after_moves(room, room.position.steps[-1].at)
        return room.game.bot_talk

    here = planned()
    for world in other_worlds(table, None, 3):
        enter(table, world)
        assert planned() == here


def test_a_bot_hears_claims_that_another_process_took(table, monkeypatch):
    heard = []
    choose = bots.choose

    def watched(kind, view, below, hears, level):
        heard.append(len(hears.claims))
        return choose(kind, view, below, hears, level)

    wake(table, lambda: bool(said_by_bots(table, Message.Kind.CLAIM)))
    claims = table.messages.filter(kind=Message.Kind.CLAIM).count()
    monkeypatch.setattr(play.bots, "choose", watched)
    rooms.forget_all()
    positions.forget_all()
    wake(table, lambda: bool(heard))
    assert heard[0] >= claims


def test_bots_ask_a_person_who_claims_nothing(table, monkeypatch):
    monkeypatch.setattr(bot_talk.secrets, "randbelow", lambda n: 0)
    act(table, Nominate(0, 1))
    wake(table, lambda: bool(state_of(table).governments))
    asked = {tuple(cue["seats"]) for cue in cues_of(table, "ask")}
    assert asked == {(0,), (1,)}


def test_a_bot_asks_nothing_that_was_claimed_already(table, monkeypatch):
    monkeypatch.setattr(bot_talk.secrets, "randbelow", lambda n: 0)
    act(table, Nominate(0, 1))
    wake(table, lambda: bool(state_of(table).governments))
    for seat in (0, 1):
        room = room_of(table.code)
        told = [(step.round, step.seat, step.events) for step in room.public_steps]
        [sight] = [sight for sight in sights(told) if sight.seat == seat]
        user = table.seats.get(number=seat).user
        code = "drawn-1-lff-f" if seat == 0 else "received-1-lf"
        assert sight.seat == seat
        make_claim(table=table, user=user, code=code, key="")
    wake(table, lambda: not cues_of(table, "ask"))
    asked = table.messages.filter(data__phrase__in=("what_drawn", "what_handed"))
    assert not asked.exists()


def test_bots_name_a_person_s_confession():
    fascist = seed_for(7, "", 0, "FFF")
    table = run_table(NAMES[:2], bots=5, chat=Chat.FULL, seed=fascist)
    act(table, Nominate(0, 1))
    wake(table, lambda: bool(state_of(table).governments))
    chancellor = table.seats.get(number=1).user
    make_claim(table=table, user=chancellor, code="received-1-lf", key="")
    assert cues_of(table, "confession")[0]["seats"] == [1]
    # The next President is a person: only the bots' words come.
    while cues_of(table, "confession"):
        play.settle(table.pk, now=fresh(table).game.wakes_at)
    assert table.messages.filter(data__phrase="confessed", data__seats=[1]).exists()
