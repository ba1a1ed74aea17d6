"""What bots say at tables: cues are stored with the game and spoken when their time comes.

Cues are planned from what everyone knows (`games.bots.cues`), so neither the time of a bot's words
nor the choice of the speaker depends on anything hidden. A bot posts like a person, within the
edition's silence and the table's choice of chat.
"""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings

from games import bots
from games.bots import cues, endings, rhythm
from games.bots.cues import PATIENT, Cue, Occasion
from games.bots.listening import addressed, understood
from games.bots.registry import Words
from games.models import BotsSay, Chat, Game, Level, Message, Seat, Table, Tempo
from games.rules.claims import About, Sight, Told, claim_json
from games.rules.knowledge import Knowledge, Received
from games.services import deadlines
from games.services.messages import add_message, reason_silent
from games.state.chat import ChatMessage, said_claim
from games.state.government_history import claims_in
from games.state.rooms import Room, with_talk

# When a bot tries again that must be silent.
_AGAIN: Final = timedelta(seconds=1.5)
# How long bots still answer after the end. Then no one wakes the game any more.
_TALK_AFTER: Final = timedelta(seconds=60)
# How many cues may wait at once, apart from claims.
_MOST_CUES: Final = 12
# What a bot says once a game to text that it does not understand.
_ONLY_BOT: Final = "only_bot"


def heard_at(room: Room) -> bots.Heard:
    """Return the public history of a game whose room holds all messages."""
    names = _names(room)
    return bots.Heard(
        _told(room),
        claims_in(room),
        tuple(
            spoken
            for said in room.talk
            # The dead have seats too, but the living don't hear the gallery.
            if said.place == Message.Place.TABLE and (spoken := _spoken(said, names)) is not None
        ),
    )


def _told(room: Room) -> list[Told]:
    assert room.position is not None
    return [(step.round, step.seat, step.events) for step in room.position.public_steps]


# Planning -------------------------------------------------------------------------------------


def plan_greetings(table: Table, game: Game, seats: Iterable[Seat], now: datetime) -> None:
    """Let bots greet the table at the start of a game. The caller saves the game."""
    speakers = _speakers(table, seats)
    start = game.night_until or now
    _add(table, game, cues.cues_at_the_start(speakers, secrets.randbelow), start)


def plan_after_moves(room: Room, now: datetime) -> None:
    """Plan what bots say about the last move. The caller saves the game."""
    speakers = _living_speakers(room)
    if not speakers or room.game is None:
        return
    heard, armed, people = bots.Heard(_told(room)), room.public_view().armed, _people(room)
    planned = cues.cues_after_action(heard, speakers, armed, secrets.randbelow, people)
    _add(room.table, room.game, planned, now)


def plan_after_the_end(room: Room, now: datetime) -> None:
    """Plan how bots react to the end of the game. The caller saves the game."""
    speakers = _speakers(room.table, room.seats)
    if not speakers or room.game is None:
        return
    heard = heard_at(with_talk(room))
    planned = endings.cues_at_the_end(room.public_view(), heard, speakers, secrets.randbelow)
    _add(room.table, room.game, planned, now)


def plan_after_message(room: Room, said: ChatMessage, now: datetime) -> bool:
    """Plan what bots say about a message. Return whether the game must be saved."""
    game = room.game
    if (
        game is None
        or said.seat is None
        or room.table.is_frozen
        or said.place != Message.Place.TABLE
    ):
        return False
    if room.is_over:
        return _plan_farewell(room, game, said, now)
    speakers = _living_speakers(room)
    if not speakers:
        return False
    below = secrets.randbelow
    by_bot = room.seats[said.seat].is_bot
    # A remark on a person's silence is dropped when that person says anything at all.
    kept = [
        one
        for one in game.bot_talk
        if one["occasion"] != Occasion.SILENCE or said.seat not in one["seats"]
    ]
    has_broken = len(kept) < len(game.bot_talk)
    if has_broken:
        _set(game, kept)
    planned: list[Cue] = []
    if said.kind == Message.Kind.CLAIM:
        heard = bots.Heard(_told(room), claims_in(room))
        planned = cues.cues_after_claim(heard, said_claim(said.data), speakers, below)
    else:
        names = _names(room)
        spoken = _spoken(said, names)
        if spoken is None:
            planned = _about_unclear_text(room, game, said, names, speakers)
        else:
            public = room.public_view()
            last = public.governments[-1:]
            officers = (last[0].president, last[0].chancellor) if last else (None, None)
            candidate = public.candidate if public.nominee is None else None
            planned = cues.cues_after_phrase(
                spoken, speakers, officers, by_bot, below, _people(room), candidate
            )
    # The words of a paused game come after the pause.
    has_changed = _add(room.table, game, planned, room.table.paused_at or now, to_person=not by_bot)
    if room.table.is_paused:
        deadlines.freeze(game)
    return has_changed or has_broken


def _plan_farewell(room: Room, game: Game, said: ChatMessage, now: datetime) -> bool:
    """Plan the answer to what a person says soon after the end."""
    assert said.seat is not None
    until = None if game.ended_at is None else game.ended_at + _TALK_AFTER
    speakers = _speakers(room.table, room.seats)
    if until is None or now > until or not speakers or room.seats[said.seat].is_bot:
        return False
    spoken = _spoken(said, _names(room))
    if spoken is None:
        return False
    planned = endings.cues_after_farewell(spoken, heard_at(room), speakers, secrets.randbelow)
    waiting = [(one["code"], tuple(one["seats"])) for one in game.bot_talk]
    planned = [cue for cue in planned if (cue.code, cue.seats) not in waiting]
    return _add(room.table, game, planned, now)


def _spoken(said: ChatMessage, names: Mapping[int, str]) -> bots.Spoken | None:
    """Return a phrase, or typed text as the phrase that it means; None for all else."""
    # Before the game, people change seats.
    if said.seat is None or said.is_removed or not said.round:
        return None
    if said.kind == Message.Kind.PHRASE:
        code, seats = said.data["phrase"], tuple(said.data["seats"])
        return bots.Spoken(said.seat, code, seats, said.length)
    if said.kind != Message.Kind.TEXT:
        return None
    meaning = understood(said.text, names, said.seat)
    return None if meaning is None else bots.Spoken(said.seat, *meaning, said.length)


def _about_unclear_text(
    room: Room,
    game: Game,
    said: ChatMessage,
    names: Mapping[int, str],
    speakers: Mapping[int, bots.Character],
) -> list[Cue]:
    """Return a cue for the addressed bot to say that it is a bot, once a game."""
    assert said.seat is not None
    seat = addressed(said.text, names, said.seat)
    if (
        seat is None
        or seat not in speakers
        or any(one.data.get("phrase") == _ONLY_BOT for one in room.talk)
        or any(one["occasion"] == Occasion.UNCLEAR for one in game.bot_talk)
    ):
        return []
    return cues.cues_after_unclear_text(seat, secrets.randbelow)


def _names(room: Room) -> dict[int, str]:
    return {seat.number: seat.name for seat in room.seats}


def _speakers(table: Table, seats: Iterable[Seat]) -> dict[int, bots.Character]:
    if table.chat == Chat.NONE:
        return {}
    found: dict[int, bots.Character] = {}
    for seat in seats:
        character = bots.kind_named(seat.bot).character if seat.bot else None
        if character is not None:
            explains = seat.level == Level.BEGINNER
            found[seat.number] = replace(character, explains=explains)
    return found


def _living_speakers(room: Room) -> dict[int, bots.Character]:
    speakers = _speakers(room.table, room.seats)
    if not speakers:
        return {}
    alive = room.public_view().alive
    return {number: found for number, found in speakers.items() if number in alive}


def _people(room: Room) -> list[int]:
    """Return the seats of living people who are present."""
    alive = room.public_view().alive
    return [seat.number for seat in room.seats if seat.is_present and seat.number in alive]


# The cues of a game ---------------------------------------------------------------------------


def _add(
    table: Table, game: Game, planned: Iterable[Cue], now: datetime, *, to_person: bool = False
) -> bool:
    """Add those cues to the game that the table wants to hear. Return whether there are any.

    `to_person` says whether they follow from the words of a person.
    """
    waiting = list(game.bot_talk)
    answering = {one["seat"] for one in waiting if one["occasion"] == Occasion.ANSWER}
    scale = settings.BOT_PAUSE * Tempo(table.tempo).factor
    for cue in planned:
        is_full = len(waiting) >= _MOST_CUES and cue.occasion is not Occasion.CLAIM
        is_busy = cue.occasion is Occasion.ANSWER and cue.seat in answering
        if _is_wanted(table, cue, to_person=to_person) and not is_full and not is_busy:
            waiting.append(_written(cue, now + timedelta(seconds=cue.after * scale)))
    has_changed = len(waiting) > len(game.bot_talk)
    if has_changed:
        _set(game, waiting)
    return has_changed


def _is_wanted(table: Table, cue: Cue, *, to_person: bool) -> bool:
    """Return whether bots say such things at this table."""
    if table.bots_say == BotsSay.CLAIMS:
        return cue.occasion is Occasion.CLAIM
    is_needed = to_person or cue.occasion in (Occasion.CLAIM, Occasion.ENDING)
    return is_needed or table.bots_say == BotsSay.ALL


def _set(game: Game, waiting: list[dict[str, Any]]) -> None:
    waiting.sort(key=lambda one: str(one["at"]))
    game.bot_talk = waiting
    deadlines.set_bot_talk(game, datetime.fromisoformat(waiting[0]["at"]) if waiting else None)


def _written(cue: Cue, at: datetime) -> dict[str, Any]:
    sight = cue.sight
    return {
        "at": at.isoformat(),
        "since": at.isoformat(),
        "seat": cue.seat,
        "occasion": str(cue.occasion),
        "code": cue.code,
        "seats": list(cue.seats),
        "sight": sight and [str(sight.about), sight.round, sight.seat, sight.target],
    }


def _read(data: dict[str, Any]) -> Cue:
    sight = data["sight"]
    return Cue(
        0.0,
        data["seat"],
        Occasion(data["occasion"]),
        data["code"],
        tuple(data["seats"]),
        None if sight is None else Sight(About(sight[0]), *sight[1:]),
    )


# Speaking -------------------------------------------------------------------------------------


def speak(room: Room, now: datetime) -> Room:
    """Let bots say what is due at a locked table. Return the updated room.

    The caller saves the game.
    """
    game = room.game
    assert game is not None
    room = with_talk(room)
    due = [one for one in game.bot_talk if datetime.fromisoformat(one["at"]) <= now]
    _set(game, [one for one in game.bot_talk if one not in due])
    # Claims come before what depends on them, and remarks last: they may be left out.
    for one in sorted(due, key=lambda one: rhythm.rank(_read(one))):
        room = _speak_at(room, one, now)
    return room


def _speak_at(room: Room, data: dict[str, Any], now: datetime) -> Room:
    game, cue = room.game, _read(data)
    assert game is not None
    seat = room.seats[cue.seat]
    is_ending = cue.occasion is Occasion.ENDING
    if not seat.is_bot or (not is_ending and seat.number not in room.public_view().alive):
        return room
    # The host may have chosen since that bots only make claims.
    if not _is_wanted(room.table, cue, to_person=True):
        return room
    if rhythm.is_late(cue, (now - datetime.fromisoformat(data["since"])).total_seconds()):
        return room
    if reason_silent(room, seat, Message.Place.TABLE) is not None:
        if cue.occasion in PATIENT:
            _wait(game, data, now + _AGAIN)
        return room
    lines = _lines_in(room)
    seconds = rhythm.wait_before(lines, now.timestamp(), settings.BOT_PAUSE)
    if seconds:
        _wait(game, data, now + timedelta(seconds=seconds))
        return room
    owed = [one for one in game.bot_talk if _is_claim_of(one, cue.seat)]
    if owed and rhythm.waits_for_claim(cue):
        game.bot_talk.remove(owed[0])
        _wait(game, data, now + timedelta(seconds=rhythm.GAP * settings.BOT_PAUSE))
        return _speak_at(room, owed[0], now)
    said = _words(room, seat, cue)
    return room if said is None else _post(room, seat, said, lines, now)


def _wait(game: Game, data: dict[str, Any], until: datetime) -> None:
    _set(game, [*game.bot_talk, {**data, "at": until.isoformat()}])


def _is_claim_of(data: dict[str, Any], seat: int) -> bool:
    return bool(data["occasion"] == Occasion.CLAIM and data["seat"] == seat)


def _words(room: Room, seat: Seat, cue: Cue) -> Knowledge | Words | None:
    """Return what a bot says at a cue."""
    if cue.occasion is Occasion.ENDING:
        return cue.code, cue.seats
    say = bots.kind_named(seat.bot).say
    if say is None:
        return None
    return say(room.view(seat.number), heard_at(room), cue, secrets.randbelow)


def _post(
    room: Room, seat: Seat, said: Knowledge | Words, lines: list[rhythm.Line], now: datetime
) -> Room:
    """Post a claim or a phrase in one of the character's lines, unless each was heard lately."""
    if isinstance(said, tuple):
        (code, named), kind = said, Message.Kind.PHRASE
        key, names = rhythm.key_of(code, named), [room.seats[other].name for other in named]
        data: dict[str, Any] = {"phrase": code, "seats": list(named), "names": names}
    else:
        named, kind = _named_beside(room, said), Message.Kind.CLAIM
        key, data = rhythm.claim_key(said), claim_json(said)
    voice = seat.bot if seat.bot in bots.CHARACTERS else ""
    line = rhythm.Line(now.timestamp(), room.public_view().round, voice, key, seats=named)
    number = rhythm.line_for(lines, line, secrets.randbelow, scale=settings.BOT_PAUSE)
    if number is None:
        return room
    if voice:
        data |= {"voice": voice, "line": number, "seats": list(named)}
    room = add_message(room, kind=kind, seat=seat, data=data, at=now)
    plan_after_message(room, room.talk[-1], now)
    return room


def _named_beside(room: Room, claim: Knowledge) -> tuple[int, ...]:
    """Return the President, whom the words beside a Chancellor's claim name; () for others."""
    if not isinstance(claim, Received):
        return ()
    governments = room.public_view().governments
    return tuple(one.president for one in governments if one.round == claim.round)[:1]


def _lines_in(room: Room) -> list[rhythm.Line]:
    """Return what bots have said at the table, from the oldest."""
    return [
        rhythm.Line(
            said.at.timestamp(),
            said.round,
            said.data.get("voice", ""),
            _key(said),
            said.data.get("line", 0),
            tuple(said.data.get("seats", ())),
        )
        for said in room.talk
        if said.seat is not None
        and said.place == Message.Place.TABLE
        and said.user_pk is None
        and room.seats[said.seat].is_bot
    ]


def _key(said: ChatMessage) -> str:
    # The bot may have the seat of a deleted account, whose user typed.
    if said.is_removed or said.kind == Message.Kind.TEXT:
        return ""
    if said.kind == Message.Kind.CLAIM:
        return rhythm.claim_key(said_claim(said.data))
    return rhythm.key_of(said.data["phrase"], said.data["seats"])
