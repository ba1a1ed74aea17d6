"""Which tables a request may see. Unknown and forbidden ones give the same answer: 404."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.hashers import check_password
from django.http import Http404, HttpRequest
from django.urls import reverse

from accounts.throttling.limits import Limit, hit
from games.models import Table
from games.selectors.visible_tables import INVITED, invited, may_see
from games.state.rooms import Room, known_room, room_of
from games.state.sharing import is_open_to_all


def find_room(code: str, user_pk: int | None, session: Mapping[str, Any]) -> Room | None:
    """Return the table `code` as it is now, or None if this viewer may not see it."""
    room = room_of(code)
    return room if room is not None and may_see(room, user_pk, invited(session)) else None


def room_for(request: HttpRequest, code: str) -> Room:
    """Return the table that a request names. Raises Http404 if the viewer may not see it."""
    room = find_room(code, request.user.pk, request.session)
    if room is None:
        raise Http404
    return room


def finished_room(request: HttpRequest, code: str) -> Room:
    """Return the table of a finished game whose replay this request may see. Raises Http404."""
    room = room_of(code)
    if room is None or room.game is None or not room.is_over:
        raise Http404
    if not may_see(room, request.user.pk, invited(request.session)) and not is_open_to_all(room):
        raise Http404
    return room


def room_to_act_in(request: HttpRequest, code: str) -> Room:
    """Return what `room_for` returns, but without a query where possible, for a move.

    If the user is known to sit at a running game, the cached room is enough, since the move checks
    the seat again under the lock.
    """
    room = known_room(code=code)
    if room is not None and room.game is not None and room.seat_of(request.user.pk) is not None:
        return room
    return room_for(request, code)


def note_invitation(request: HttpRequest, table: Table) -> None:
    """Store in the viewer's session that they hold the table's invitation."""
    others = [pk for pk in request.session.get(INVITED, []) if pk != table.pk]
    request.session[INVITED] = [*others[-49:], table.pk]


def knows_password(table: Table, password: str) -> bool:
    """Return whether the table asks for no password or for this one.

    Wrong while too many were tried: one limit for all attempts at this table, since an attacker
    has more addresses than people have passwords.
    """
    if not table.password:
        return True
    if hit(Limit.INVITATIONS, f"table:{table.pk}") is not None:
        return False
    return check_password(password, table.password)


def invite_url(table: Table, origin: str) -> str:
    """Return the URL by which friends find a table; "" for a public table that hides names."""
    if table.needs_invitation:
        return origin + reverse("games:invitation", args=[table.code, table.invitation])
    if table.is_private or not table.is_blind:
        return origin + table.get_absolute_url()
    return ""
