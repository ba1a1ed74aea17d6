"""What a visitor can watch at once: a running public table, or a finished public game."""

from typing import Final

from django.db.models import QuerySet

from games.models import Table, Visibility
from games.state.bundled_game import bundled_room
from games.state.rooms import Room, known_room, room_with

_WATCHED: Final = {"visibility": Visibility.PUBLIC, "spectators": True}


def featured_room() -> Room:
    """Return the public game that ended last by the rules, or else the bundled game."""
    row = _finished().values_list("pk", "version", "created_at").first()
    if row is None:
        return bundled_room()
    pk, version, created_at = row
    room = known_room(pk=pk)
    if room is None or (room.table.version, room.table.created_at) != (version, created_at):
        room = room_with(pk)
    # The table may have been deleted since the first statement.
    return bundled_room() if room is None or not room.is_over else room


def running_code() -> str:
    """Return the code of the newest running game that everyone may watch, or ""."""
    running = Table.objects.filter(**_WATCHED, stage=Table.Stage.RUNNING)
    return running.order_by("-created_at").values_list("code", flat=True).first() or ""


def _finished() -> QuerySet[Table]:
    over = Table.objects.filter(**_WATCHED, stage=Table.Stage.OVER, game__ended_at__isnull=False)
    # A stopped game may have ended before its first session, and may be one that does not count.
    return over.filter(game__stopped="").exclude(game__winner="").order_by("-game__ended_at")
