"""Posting: who may speak at a table now, and how a message is stored and announced."""

from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from accounts.models import User
from games.models import Message, Seat, Table
from games.rules.editions import Silence
from games.rules.silence import silence_in, silenced
from games.services.announcements import announce_room
from games.state.chat import message_of_row, with_new_messages
from games.state.rooms import Room
from games.wording.refusals import Refusal

_SILENCES: Final = {
    Silence.PAIR: Refusal.SILENT_PAIR,
    Silence.GOVERNMENT: Refusal.SILENT_GOVERNMENT,
    Silence.TABLE: Refusal.SILENT_TABLE,
}


def reason_silent(room: Room, seat: Seat | None, place: str) -> Refusal | None:
    """Return why this seat, or a guest if None, may not speak there now; None if they may.

    Checks that depend on the user (who was in the gallery, who sat here) are not included.
    """
    stage = room.table.stage
    if stage == Table.Stage.CLOSED:
        return Refusal.NOT_OPEN
    if place == Message.Place.GALLERY:
        if room.table.is_before_game:
            return Refusal.GALLERY_SHUT
        is_playing = seat is not None and stage == Table.Stage.RUNNING and is_alive(room, seat)
        return Refusal.GALLERY_SEALED if is_playing else None
    if seat is None:
        return Refusal.ONLY_SEATED_TALK
    if stage != Table.Stage.RUNNING:
        return None
    view = room.public_view()
    if seat.number not in view.alive:
        return Refusal.DEAD
    silence = silence_in(view)
    if silence is not None and seat.number in silenced(view):
        return _SILENCES[silence]
    return None


def is_alive(room: Room, seat: Seat) -> bool:
    return seat.number in room.public_view().alive


def add_message(
    room: Room,
    *,
    kind: str,
    seat: Seat | None,
    at: datetime,
    user: User | None = None,
    guest: int | None = None,
    text: str = "",
    data: dict[str, Any] | None = None,
    place: str = Message.Place.TABLE,
    key: str = "",
) -> Room:
    """Store a message at a locked table and announce it. Return the updated room.

    `room` holds all messages so far. The author is a seat's, with a user or a bot, or a `user` in
    the gallery.
    """
    nths = [one.nth for one in room.talk if one.place == place]
    number = room.table.talk + 1
    if seat is not None:
        name = seat.name
    else:
        assert user is not None
        name = user.username
    row = Message.objects.create(
        table=room.table,
        number=number,
        nth=max(nths, default=0) + 1,
        revised=number,
        place=place,
        kind=kind,
        seat=None if seat is None else seat.number,
        user=user,
        guest=guest,
        name=name,
        text=text,
        data=data or {},
        length=0 if room.game is None else room.game.length,
        round=0 if room.game is None else room.public_view().round,
        at=at,
        key=key,
    )
    return announce_message(room, row)


def announce_message(room: Room, row: Message) -> Room:
    """Count and announce a new or changed message, and return the updated room."""
    room.table.talk = row.revised
    room.table.save(update_fields=["talk"])
    room = replace(
        room, talk=with_new_messages(room.talk, [message_of_row(row)]), heard=row.revised
    )
    announce_room(room)
    return room
