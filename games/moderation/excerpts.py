"""Copies of messages that a report keeps, whatever happens to the messages later."""

from collections.abc import Iterable
from typing import Any, Final

from games.models import Message, Table
from games.state.chat import message_of_row, speaker_of
from games.state.rooms import Room

# How many messages to keep before and after the reported one, from the same place.
_BEFORE: Final = 10
_AFTER: Final = 5
# How many of the last messages to keep when the report is not about a message.
_LAST: Final = 30

Copy = dict[str, Any]


def copies_round(room: Room, row: Message) -> list[Copy]:
    """Copy a message and its neighbours in the same place, oldest first."""
    rows = room.table.messages.filter(
        place=row.place, nth__gte=row.nth - _BEFORE, nth__lte=row.nth + _AFTER
    )
    return _copied(room, rows.order_by("nth"), reported=row.pk)


def copies_of_last(room: Room) -> list[Copy]:
    """Copy the last messages of the table, oldest first; never messages from the gallery."""
    rows = room.table.messages.filter(place=Message.Place.TABLE).order_by("-nth")[:_LAST]
    return _copied(room, reversed(rows))


def _copied(room: Room, rows: Iterable[Message], reported: int | None = None) -> list[Copy]:
    table = room.table
    by_number = {seat.number: seat.name for seat in room.seats}
    names = [by_number.get(number, "") for number in range(max(by_number, default=-1) + 1)]
    copies = []
    for row in rows:
        speaker = speaker_of(message_of_row(row), room.seats)
        is_nameless = table.is_blind and table.stage != Table.Stage.OVER and speaker.seat is None
        copies.append(
            {
                "place": row.place,
                "nth": row.nth,
                "kind": row.kind,
                "seat": speaker.seat,
                # As people see it: a guest of a blind table has only a number.
                "name": "" if is_nameless and speaker.guest is not None else speaker.name,
                "guest": speaker.guest,
                "user": row.user_id,
                # Includes text that was removed before the report.
                "text": row.text,
                "data": row.data,
                "names": [] if row.kind == Message.Kind.TEXT else names,
                "round": row.round,
                "at": row.at.isoformat(),
                "is_reported": row.pk == reported,
            }
        )
    return copies
