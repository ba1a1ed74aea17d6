"""Where a page of the account leads on to: a table, and who hosts it."""

from typing import Any
from urllib.parse import urlsplit

from django import template
from django.urls import Resolver404, resolve
from django.utils.crypto import constant_time_compare

from games.models import Table
from games.state.rooms import room_of
from games.views.table_access import invited, may_see

register = template.Library()

_OF_TABLES = {"games:table", "games:take_seat", "games:join_as_guest", "games:invitation"}


@register.simple_tag(takes_context=True)
def host_ahead(context: Any, path: str | None) -> str:
    """Return the host of the table that an address leads to, as the table's own pages tell it.

    "" if the address leads elsewhere, if this visitor may not see the table, and at a table that
    hides names or has begun.
    """
    try:
        found = resolve(urlsplit(path or "").path)
    except (Resolver404, ValueError):
        return ""
    if found.view_name not in _OF_TABLES:
        return ""
    room = room_of(found.kwargs["code"])
    if room is None or room.table.stage != Table.Stage.OPEN:
        return ""
    request = context["request"]
    # The page of an invitation tells the host to everyone with its link, before the password.
    token = found.kwargs.get("token", "")
    holds_link = bool(token) and constant_time_compare(room.table.invitation, token)
    if holds_link or may_see(room, request.user.pk, invited(request.session)):
        return room.host_shown
    return ""
