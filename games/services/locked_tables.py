"""Locking and saving a table that gathers, for all services that arrange it."""

from accounts.models import User
from accounts.services.bots import bots_among
from games.models import Seat, Table
from games.services.announcements import announce_lobby, announce_table
from games.wording.refusals import Refusal, Refused


def lock_gathering_table(
    table: Table, host: User | None = None, *, when_frozen: bool = False
) -> tuple[Table, list[Seat]]:
    """Lock a table that still gathers players, and return it with its seats.

    With `host`, also check that this user is its host. Raises Refused: NOT_HOST, SEALING, NOT_OPEN,
    and FROZEN unless `when_frozen` is set.
    """
    locked = Table.objects.select_for_update().get(pk=table.pk)
    if host is not None and locked.host_id != host.pk:
        raise Refused(Refusal.NOT_HOST)
    if locked.stage == Table.Stage.SEALING:
        raise Refused(Refusal.SEALING)
    if locked.stage != Table.Stage.OPEN:
        raise Refused(Refusal.NOT_OPEN)
    if locked.is_frozen and not when_frozen:
        raise Refused(Refusal.FROZEN)
    return locked, list(locked.seats.all())


def save_changes(table: Table) -> None:
    """Save a locked table, and announce the change on commit."""
    if table.stage != Table.Stage.OPEN:
        table.frozen_at = None
        if table.stage != Table.Stage.SEALING:
            table.asked_until = None
        table.frozen_because = ""
    table.version += 1
    table.save()
    announce_table(table)
    announce_lobby()


def hand_over(table: Table, seats: list[Seat]) -> None:
    """Make the first seated person the host if the host has left.

    If no people are left, the table closes: a program is no host.
    """
    seated = [seat.user_id for seat in seats if seat.user_id is not None]
    programs = bots_among(seated) if table.host_id not in seated else set()
    people = [pk for pk in seated if pk not in programs]
    if not people:
        table.stage = Table.Stage.CLOSED
    elif table.host_id not in people:
        table.host_id = people[0]
