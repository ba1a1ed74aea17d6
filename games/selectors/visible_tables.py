"""Which tables a viewer may see, and whose table an address leads to."""

from collections.abc import Container, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from django.urls import Resolver404, resolve
from django.utils.crypto import constant_time_compare

from games.models import Table
from games.state.rooms import Room, room_of

# The session's key for the tables that its viewer is invited to.
INVITED: Final = "invited"
# Pages of a table that registration leads on to.
_OF_TABLES: Final = {"games:table", "games:take_seat", "games:join_as_guest", "games:invitation"}


def may_see(room: Room, user_pk: int | None, invited: Container[int]) -> bool:
    """Return whether a viewer who holds the invitations `invited` may see a table.

    Private tables are visible to their players and to invited users, all others to everyone.
    """
    table = room.table
    if room.seat_of(user_pk) is not None:
        return True
    if table.needs_invitation and table.pk not in invited:
        return False
    # At a table without spectators, people may look before they sit down, but not later.
    return table.spectators or room.game is None


def invited(session: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the primary keys of the tables that the viewer holds an invitation to."""
    return tuple(session.get(INVITED, ()))


def host_ahead(path: str, user_pk: int | None, session: Mapping[str, Any]) -> str:
    """Return the host of the table that an address leads to, as the table's own pages tell it.

    "" if the address leads elsewhere, if this visitor may not see the table, and at a table that
    hides names or has begun.
    """
    try:
        found = resolve(urlsplit(path).path)
    except (Resolver404, ValueError):
        return ""
    if found.view_name not in _OF_TABLES:
        return ""
    room = room_of(found.kwargs["code"])
    if room is None or room.table.stage != Table.Stage.OPEN:
        return ""
    # The page of an invitation tells the host to everyone with its link, before the password.
    token = found.kwargs.get("token", "")
    holds_link = bool(token) and constant_time_compare(room.table.invitation, token)
    return room.host_shown if holds_link or may_see(room, user_pk, invited(session)) else ""
