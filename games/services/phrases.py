"""Phrases of the phrasebook: sent as a code, read by all in their own language."""

from collections.abc import Sequence

from accounts.models import User
from games.models import Chat, Message, Seat, Table
from games.services import chat
from games.state.rooms import Room
from games.wording.phrases import phrases_for
from games.wording.refusals import Refusal, Refused


def say_phrase(
    *, table: Table, user: User, phrase: str, seats: Sequence[int], place: str, key: str
) -> Room:
    """Send a phrase that names `seats`, at the table or in the gallery. Return the updated room.

    Seats beyond the phrase's number of places are dropped. Calls with the same `key` send only one
    phrase. Raises Refused as `chat.post_message`, for a phrase that is not in the book, and for
    seats that are missing, the user's own, or repeated.
    """
    book = phrases_for(may_investigate=True).get(phrase)
    if book is None:
        raise Refused(Refusal.NO_PHRASE)
    named = tuple(seats[: book.most])
    said: dict[str, object] = {}

    def check(room: Room, seat: Seat | None) -> None:
        if room.table.chat == Chat.NONE:
            raise Refused(Refusal.NO_TALK)
        names = {other.number: other.name for other in room.seats}
        if len(named) < book.least:
            raise Refused(Refusal.NAME_ONE if book.least == 1 else Refusal.NAME_TWO)
        if any(number not in names for number in named):
            raise Refused(Refusal.NOBODY_THERE)
        if seat is not None and seat.number in named:
            raise Refused(Refusal.NOT_YOURSELF)
        if len(set(named)) < len(named):
            raise Refused(Refusal.TWICE_THE_SAME)
        # Before the game, people change seats, so store the names too.
        said.update(phrase=phrase, seats=list(named), names=[names[number] for number in named])

    return chat.post_message(
        table=table,
        user=user,
        kind=Message.Kind.PHRASE,
        data=said,
        place=place,
        key=f"phrase {phrase} {'-'.join(map(str, named))} {key}"[:64] if key else "",
        check=check,
    )
