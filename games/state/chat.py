"""The chat of a table in memory: the newest messages of each place, and every claim."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Q, QuerySet

from games.models import Message, Seat, Table
from games.rules.claims import read_claim
from games.rules.knowledge import Knowledge
from games.state.viewer import ViewerSettings

# How many messages of each place are kept. Older ones are read for the history only.
NEWEST: Final = 200
# What a bot's message says of its manner: the character, the number of its line, and whom else the
# line of a claim names.
_MANNER: Final = ("voice", "line", "seats")


@dataclass(frozen=True, slots=True, eq=False)
class ChatMessage:
    """A message. The fields are the columns of `Message`, described there."""

    number: int
    nth: int
    revised: int
    place: str
    kind: str
    seat: int | None
    user_pk: int | None
    # The number of a guest in the gallery, in order of arrival; None for players.
    guest: int | None
    name: str
    text: str
    data: dict[str, Any]
    length: int
    round: int
    at: datetime
    key: str
    is_removed: bool


@dataclass(frozen=True, slots=True)
class Speaker:
    """The author of a message, under their current name at the table."""

    # None for spectators, and for players who left before the game.
    seat: int | None
    name: str
    guest: int | None = None


def read_chat(table: Table) -> tuple[ChatMessage, ...]:
    """Read the part of a table's chat that is kept, oldest first. One query."""
    newest = [
        Q(pk__in=table.messages.filter(place=place).order_by("-nth").values("pk")[:NEWEST])
        for place in Message.Place
    ]
    rows = table.messages.filter(newest[0] | newest[1] | Q(kind=Message.Kind.CLAIM))
    return tuple(message_of_row(row) for row in rows)


def read_chat_until(
    table: Table,
    until: datetime | None,
    places: Iterable[str],
    viewer_settings: ViewerSettings,
) -> tuple[ChatMessage, ...]:
    """Read the newest messages of that moment in these places, oldest first. One query.

    `until` None is now; the authors whom the viewer has muted are left out.
    """
    rows = table.messages.filter(place__in=places)
    if until is not None:
        rows = rows.filter(at__lte=until)
    rows = heard_by(rows, viewer_settings)
    return tuple(reversed([message_of_row(row) for row in rows.order_by("-number")[:NEWEST]]))


def heard_by(
    rows: QuerySet[Message, Message], viewer_settings: ViewerSettings
) -> QuerySet[Message, Message]:
    """Return the messages without those of people and bots whom the viewer has muted."""
    # exclude(user__in=...) alone would use NOT IN, which also drops rows without a user.
    rows = rows.exclude(user__isnull=False, user__in=viewer_settings.unheard)
    return rows.exclude(user=None, seat__isnull=False, seat__in=viewer_settings.muted_bots)


def read_newer(
    table: Table, talk: tuple[ChatMessage, ...], heard: int
) -> tuple[tuple[ChatMessage, ...], int]:
    """Read messages that are new or changed since `Table.talk` was `heard`. One query.

    Return the whole chat, and the `Table.talk` up to which it is known now.
    """
    rows = list(table.messages.filter(revised__gt=heard))
    heard = max((row.revised for row in rows), default=heard)
    return with_new_messages(talk, [message_of_row(row) for row in rows]), heard


def with_new_messages(
    talk: tuple[ChatMessage, ...], news: Iterable[ChatMessage]
) -> tuple[ChatMessage, ...]:
    """Return the chat with new and changed messages merged and messages that are too old dropped.

    What is kept depends on the messages alone, so every process keeps the same.
    """
    by_number = {said.number: said for said in talk}
    news = list(news)
    if not news:
        return talk
    by_number |= {said.number: said for said in news}
    last = dict.fromkeys(Message.Place.values, 0)
    for said in by_number.values():
        last[said.place] = max(last[said.place], said.nth)
    return tuple(
        said
        for _, said in sorted(by_number.items())
        if said.kind == Message.Kind.CLAIM or said.nth > last[said.place] - NEWEST
    )


def message_of_row(row: Message) -> ChatMessage:
    """Convert a row. The content of a removed message is dropped here."""
    is_removed = row.removed_at is not None
    return ChatMessage(
        number=row.number,
        nth=row.nth,
        revised=row.revised,
        place=row.place,
        kind=row.kind,
        seat=row.seat,
        user_pk=row.user_id,
        guest=row.guest,
        name=row.name,
        text="" if is_removed else row.text,
        data={} if is_removed else row.data,
        length=row.length,
        round=row.round,
        at=row.at,
        key=row.key,
        is_removed=is_removed,
    )


def said_claim(data: dict[str, Any]) -> Knowledge:
    """Return the claim in the data of a message. Raises ClaimError if there is none."""
    return read_claim({key: value for key, value in data.items() if key not in _MANNER})


def speaker_of(said: ChatMessage, seats: tuple[Seat, ...]) -> Speaker:
    """Return the author.

    Players may change seats before the game; during it, messages stay with the seat.
    """
    if said.seat is None:
        return Speaker(None, said.name, said.guest)
    own = [seat for seat in seats if said.user_pk is not None and seat.user_id == said.user_pk]
    if own:
        return Speaker(own[0].number, own[0].name)
    return Speaker(said.seat if said.round else None, said.name)


def chat_key(room_talk: Iterable[ChatMessage], user_pk: int | None) -> str:
    """Return a key that changes with each message of this user.

    It depends on no one else's messages, so it reveals nothing about them.
    """
    last = dict.fromkeys(Message.Place.values, 0)
    for said in room_talk:
        if said.user_pk == user_pk:
            last[said.place] = said.nth
    return str(sum(last.values()))
