"""Which tables a request may know of. Unknown and forbidden look alike: 404."""

from collections.abc import Container, Mapping
from typing import Any, Final

from django.http import Http404, HttpRequest
from django.urls import reverse

from games.models import Table
from games.rooms import Room, known_room, room_of

_INVITED: Final = "invited"


def find_room(code: str, user_pk: int | None, session: Mapping[str, Any]) -> Room | None:
    """The table `code` as it is now, or None where this viewer may not see it.

    Private tables are open to those who sit there or were invited, all others to everybody.
    """
    room = room_of(code)
    return room if room is not None and may_see(room, user_pk, invited(session)) else None


def may_see(room: Room, user_pk: int | None, invited: Container[int]) -> bool:
    """Whether a table may be known of by this viewer, who was invited to some."""
    if not room.table.needs_invitation or room.table.pk in invited:
        return True
    return room.seat_of(user_pk) is not None


def invited(session: Mapping[str, Any]) -> tuple[int, ...]:
    """The tables whose invitation the viewer holds."""
    return tuple(session.get(_INVITED, ()))


def room_for(request: HttpRequest, code: str) -> Room:
    """The table that a request names. Raises Http404 where the viewer may not see it."""
    room = find_room(code, request.user.pk, request.session)
    if room is None:
        raise Http404
    return room


def room_to_act_in(request: HttpRequest, code: str) -> Room:
    """As `room_for`, for a move: it needs no look into the database where somebody sits at a
    game that runs, since that does not change, and the move looks under the lock."""
    room = known_room(code=code)
    if room is not None and room.game is not None and room.seat_of(request.user.pk) is not None:
        return room
    return room_for(request, code)


def note_invitation(request: HttpRequest, table: Table) -> None:
    """Remembers, in the viewer's session, that they hold the table's invitation."""
    others = [pk for pk in request.session.get(_INVITED, []) if pk != table.pk]
    request.session[_INVITED] = [*others[-49:], table.pk]


def invite_url(table: Table, origin: str) -> str:
    """The address that opens a table to friends; a public one needs none."""
    if not table.is_private:
        return ""
    if not table.needs_invitation:
        return origin + table.get_absolute_url()
    return origin + reverse("games:invitation", args=[table.code, table.invitation])
