"""Bots at a table speak in their character's words, keep their distance, and react to the end."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone, translation

from games.models import BotsSay, Chat, Message, Terms
from games.panels import chat as chat_panels
from games.rules.claims import claim_json
from games.rules.components import Policy
from games.rules.knowledge import Received
from games.services import bot_talk, deadlines, hosting, phrases, play
from games.state.rooms import room_of
from games.templatetags.history import claim_said, phrase_said
from games.views.seat_json import seat_json
from games.wording import voices
from games.wording.refusals import Refusal, Refused
from tests.builders.person import Person
from tests.builders.tables import NAMES, fresh, run_table, state_of

pytestmark = pytest.mark.django_db

LINES = {
    "en": {
        "careful": {
            "suspect_1": ("Hm, {first}.",) * 5,
            "claim_handed_0": ("Two from {first}.",) * 5,
        }
    },
    "ru": {
        "careful": {"suspect_1": ("Так, {first}.",) * 5, "claim_handed_0": ("{first} дал.",) * 5}
    },
}


@pytest.fixture
def table():
    """Two people and five bots, whose game has just begun."""
    return run_table(NAMES[:2], bots=5, chat=Chat.FULL)


@pytest.fixture
def lines(monkeypatch):
    monkeypatch.setattr(voices, "lines_in", lambda language: LINES.get(language, {}))


def post(table, kind, seat, data, number=2):
    room = room_of(table.code)
    row = table.messages.create(
        number=room.table.talk + 1, nth=room.table.talk + 1, revised=room.table.talk + 1,
        place=Message.Place.TABLE, kind=kind, seat=seat, name=room.seats[seat].name,
        at=timezone.now(), data=data, round=number,
    )  # fmt: skip
    table.talk = row.number
    table.save()
    room = room_of(table.code)
    return chat_panels.message_row(room, room.talk[-1], chat_panels.names_by_seat(room))


def in_language(language, function, *args):
    with translation.override(language):
        return function(*args)


def test_every_reader_sees_a_bots_line_in_their_own_language(table, lines):
    name = table.seats.get(number=3).name
    data = {"phrase": "suspect", "seats": [3], "names": [name], "voice": "careful", "line": 2}
    row = post(table, Message.Kind.PHRASE, 4, data)
    bdi = f'<bdi class="name" data-seat="3">{name}</bdi>'
    assert in_language("en", phrase_said, row) == f"Hm, {bdi}."
    assert in_language("ru-5-6", phrase_said, row) == f"Так, {bdi}."
    # There are no lines for this language here, and so the phrase is plain.
    assert name in in_language("pl", phrase_said, row)


def test_a_claim_shows_its_cards_beside_a_bots_line_or_a_few_words(table, lines):
    claim = claim_json(Received(1, 4, (Policy.FASCIST, Policy.FASCIST)))
    row = post(table, Message.Kind.CLAIM, 4, claim | {"voice": "careful", "line": 0, "seats": [0]})
    said = in_language("en", claim_said, row)
    assert '<i class="f"></i><i class="f"></i>' in said
    assert "Two from " in said and 'data-seat="0"' in said
    # Without the drawing it is whole too.
    assert '<span class="sr-only">was handed fascist and fascist. </span>' in said
    old = in_language("en", claim_said, post(table, Message.Kind.CLAIM, 5, claim | {"seat": 5}))
    assert old.startswith("was handed <span") and "fascist and fascist" in old
    assert "Round" not in old


def test_a_claim_about_an_older_round_names_it(table):
    claim = claim_json(Received(1, 4, (Policy.FASCIST, Policy.FASCIST)))
    row = post(table, Message.Kind.CLAIM, 4, claim, number=3)
    assert in_language("en", claim_said, row).startswith("Round 1: was handed")


def test_programs_read_what_bots_mean_without_their_manner(table):
    claim = claim_json(Received(1, 4, (Policy.FASCIST, Policy.FASCIST)))
    post(table, Message.Kind.CLAIM, 4, claim | {"voice": "bold", "line": 0, "seats": [0]})
    said = {"phrase": "ha", "seats": [], "names": [], "voice": "bold", "line": 2}
    post(table, Message.Kind.PHRASE, 4, said)
    told = [one["data"] for one in seat_json(room_of(table.code), None)["said"]]
    assert told == [claim, {"phrase": "ha", "seats": []}]


@pytest.mark.parametrize("code", ["point", "end_hitler", "only_bot"])
def test_people_may_not_say_what_only_bots_say(table, code):
    with pytest.raises(Refused) as refused:
        phrases.say_phrase(
            table=table, user=table.host, phrase=code, seats=[3], place="table", key=""
        )
    assert refused.value.refusal is Refusal.NO_PHRASE


def test_a_bots_message_holds_its_character_and_a_line(table):
    play.settle(table.pk, now=fresh(table).game.bot_talks_at)
    greeting = table.messages.get()
    assert greeting.data["voice"] == table.seats.get(number=greeting.seat).bot
    assert greeting.data["line"] in range(5)


def ask(viewer, path, **data):
    return viewer.post(f"{viewer.url}{path}/", data)


@pytest.mark.both_databases
def test_a_viewer_mutes_one_bot_or_all_and_others_still_read_them(table):
    name = table.seats.get(number=3).name
    for seat in (3, 4):
        post(table, Message.Kind.PHRASE, seat, {"phrase": "end_won", "seats": [], "names": []})
    host, other = (Person(table.seats.get(number=seat).user, table) for seat in (0, 1))

    def read_by(viewer):
        return viewer.get(f"{viewer.url}talk/").content.decode().count("We did it!")

    assert name in host.get(f"{host.url}hearing/").content.decode()
    assert read_by(host) == 2
    ask(host, "mute", who="seat:3")
    assert (read_by(host), read_by(other)) == (1, 2)
    assert host.page().count("We did it!") == 1
    ask(host, "mute", who="bots")
    ask(host, "mute", who="bots")
    assert (read_by(host), read_by(other)) == (0, 2)
    ask(host, "unmute", who="seat:4")
    assert read_by(host) == 1
    ask(host, "unmute", who="bots")
    assert read_by(host) == 2
    # Who has no account cannot be blocked.
    assert ask(host, "block", who="seat:3").status_code == 422


def test_the_host_alone_chooses_how_much_bots_talk(table):
    host, other = (Person(table.seats.get(number=seat).user, table) for seat in (0, 1))
    assert 'id="bots-say"' in host.get(f"{host.url}hearing/").content.decode()
    assert 'id="bots-say"' not in other.get(f"{other.url}hearing/").content.decode()
    assert ask(other, "bots-say", bots_say="little").status_code == 422
    assert ask(host, "bots-say", bots_say="loud").status_code == 422
    assert fresh(table).bots_say == BotsSay.ALL
    assert ask(host, "bots-say", bots_say="little").status_code == 303
    assert fresh(table).bots_say == BotsSay.LITTLE
    # Those who play again find it as it was.
    assert Terms.of(fresh(table)).bots_say == BotsSay.LITTLE


def cue(at, seat, occasion, code="", seats=(), sight=None):
    return {
        "at": at.isoformat(), "since": at.isoformat(), "seat": seat, "occasion": occasion,
        "code": code, "seats": list(seats), "sight": sight,
    }  # fmt: skip


def four_lines_due(table):
    """Let four bots have something to say at once, and return when."""
    game = fresh(table).game
    now = game.night_until or timezone.now()
    game.night_until = game.bot_moves_at = game.deadline = None
    game.bot_talk = [cue(now, seat, "ending", "ha") for seat in range(2, 6)]
    deadlines.set_bot_talk(game, now)
    game.save()
    return now


def test_a_host_who_wants_claims_only_hears_nothing_else_from_then_on(table):
    now = four_lines_due(table)
    hosting.choose_bots_say(table=table, user=table.host, bots_say=BotsSay.CLAIMS)
    play.settle(table.pk, now=now)
    assert not table.messages.exists()
    assert not fresh(table).game.bot_talk


def test_lines_that_are_due_together_come_one_after_another(table):
    now = four_lines_due(table)
    for _ in range(10):
        if not fresh(table).game.bot_talk:
            break
        play.settle(table.pk, now=fresh(table).game.bot_talks_at)
    at = [(row.at - now).total_seconds() for row in table.messages.order_by("number")]
    assert at == [0.0, 1.5, 3.0, 6.0]


def to_the_end(table):
    while state_of(table).outcome is None:
        play.settle(table.pk, now=fresh(table).game.wakes_at)


def test_after_the_end_bots_react_and_answer_and_then_the_game_sleeps(settings):
    settings.BOT_PAUSE = 0
    table = run_table(NAMES[:1], bots=4, chat=Chat.FULL)
    to_the_end(table)
    table.refresh_from_db()
    version = table.version
    said = table.messages.count()
    while fresh(table).game.wakes_at is not None:
        play.settle(table.pk, now=fresh(table).game.wakes_at)
    last = [row.data["phrase"] for row in table.messages.order_by("number")[said:]]
    assert 2 <= len(last) <= 3 and all(code.startswith("end_") for code in last)
    # What bots say is no change of the table.
    assert fresh(table).version == version
    settings.BOT_PAUSE = 1
    for _ in range(3):
        phrases.say_phrase(
            table=table, user=table.host, phrase="well_played", seats=[], place="table", key=""
        )
    while fresh(table).game.wakes_at is not None:
        play.settle(table.pk, now=fresh(table).game.wakes_at)
    # Once, however often they say it.
    [answer] = table.messages.filter(user=None, number__gt=said + len(last))
    assert (answer.data["phrase"], answer.data["seats"]) == ("you_too", [0])
    # Later no one wakes the game.
    room = room_of(table.code)
    late = room.game.ended_at + timedelta(minutes=2)
    assert not bot_talk.plan_after_message(room, room.talk[-2], late)


@pytest.mark.parametrize(
    ("bots_say", "wanted"),
    [
        (BotsSay.ALL, {"claim", "policy", "answer", "ending"}),
        (BotsSay.LITTLE, {"claim", "answer", "ending"}),
        (BotsSay.CLAIMS, {"claim"}),
    ],
)
def test_a_table_chooses_how_much_bots_talk(table, bots_say, wanted):
    game = table.game
    table.bots_say = bots_say
    game.bot_talk = []
    planned = [
        bot_talk.Cue(1.0, 3, bot_talk.Occasion(each)) for each in ("claim", "policy", "ending")
    ]
    bot_talk._add(table, game, planned, timezone.now())
    bot_talk._add(
        table,
        game,
        [bot_talk.Cue(1.0, 4, bot_talk.Occasion.ANSWER)],
        timezone.now(),
        to_person=True,
    )
    assert {one["occasion"] for one in json.loads(json.dumps(game.bot_talk))} == wanted
