"""Which tables a request may know of. Unknown and forbidden look alike: 404."""

from collections.abc import Mapping
from typing import Any, Final

from django.http import Http404, HttpRequest
from django.urls import reverse

from games.models import Table
from games.screens import Person

_INVITED: Final = "invited"


def find_table(code: str, person: Person, session: Mapping[str, Any]) -> Table | None:
    """The table `code` with its seats and game, or None where `person` may not see it.

    Public tables are open to all; private ones to those who sit there or were invited.
    """
    table = (
        Table.objects.select_related("game", "next_table")
        .prefetch_related("seats")
        .filter(code=code)
        .first()
    )
    if table is None or not table.is_private or table.pk in session.get(_INVITED, ()):
        return table
    sits_there = person.is_authenticated and any(
        seat.user_id == person.pk for seat in table.seats.all()
    )
    return table if sits_there else None


def table_for(request: HttpRequest, code: str) -> Table:
    """The table that a request names. Raises Http404 where the viewer may not see it."""
    table = find_table(code, request.user, request.session)
    if table is None:
        raise Http404
    return table


def note_invitation(request: HttpRequest, table: Table) -> None:
    """Remembers, in the viewer's session, that they hold the table's invitation."""
    invited = [pk for pk in request.session.get(_INVITED, []) if pk != table.pk]
    request.session[_INVITED] = [*invited[-49:], table.pk]


def invite_url(table: Table, origin: str) -> str:
    """The address that opens a private table to friends; a public one needs none."""
    if not table.is_private:
        return ""
    return origin + reverse("games:invitation", args=[table.code, table.invitation])
